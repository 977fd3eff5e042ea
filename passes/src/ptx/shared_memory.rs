//! The static shared memory of a kernel: the globals in shared memory that it, or a function that it calls, refers to.
//!
//! ```text
//!   llvm.func @kernel        ── addressof ──▶ @__wg_kernel_0    4096 bytes, aligned to 16
//!      └── call ──▶ @norm    ── addressof ──▶ @partial           128 bytes, aligned to 4      4224 bytes in all
//! ```

use std::collections::BTreeSet;

use melior::ir::OperationRef;
use tile_ops::{interface, llvm, llvm_type};

use crate::{shim, walk};

/// Bytes of static shared memory of a kernel in a module in the LLVM dialect. Globals are placed in the order of the module,
/// each at its alignment.
pub fn static_bytes(module: OperationRef<'_, '_>, kernel: OperationRef<'_, '_>) -> u64 {
    let used = reachable_globals(module, kernel);
    let shared = |op: &OperationRef<'_, '_>| {
        let global = llvm::GlobalOp::cast(*op);
        let space = global.and_then(|global| global.addr_space());
        space == Some(llvm_type::Space::Shared as i64)
            && interface::symbol_name(*op).is_some_and(|name| used.contains(&name))
    };
    walk::symbols(module).filter(shared).fold(0u64, |end, global| {
        let size = shim::global_size(global);
        end.checked_next_multiple_of(size.alignment.max(1)).unwrap_or(end).saturating_add(size.bytes)
    })
}

/// The names of the globals that a function, or one that it calls, refers to.
fn reachable_globals(module: OperationRef<'_, '_>, kernel: OperationRef<'_, '_>) -> BTreeSet<String> {
    let (mut globals, mut called) = (BTreeSet::new(), BTreeSet::new());
    let mut left = vec![kernel];
    while let Some(function) = left.pop() {
        let referred = walk::named(function, llvm::AddressOfOp::NAME).into_iter().filter_map(llvm::AddressOfOp::cast);
        let calls = walk::named(function, llvm::CallOp::NAME).into_iter().filter_map(llvm::CallOp::cast);
        // The address of a function may be called.
        let names = referred.filter_map(|address| address.global_name()).chain(calls.filter_map(|call| call.callee()));
        for name in names {
            let Some(op) = walk::symbol(module, &name) else { continue };
            if tile_ops::name(op) != llvm::LLVMFuncOp::NAME {
                globals.insert(name);
            } else if called.insert(name) {
                left.push(op);
            }
        }
    }
    globals
}
