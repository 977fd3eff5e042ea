//! `--tile-finish-launches`: the host passes what kernels take.
//!
//! ```text
//!   gpu.launch_func @kernels::@copy … args(%A : memref<32x32xf32>)      llvm.func @copy(!llvm.ptr)
//!     └▶ the address of %A's memory, one !llvm.ptr
//! ```
//!
//! A memref that is left would become the fields of a descriptor, where the kernel expects one pointer.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{AttributeLike, OperationRef, ShapedTypeLike, Type, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::Parts;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::segment;
use tile_ops::{Builder, gpu, llvm, memref};

use crate::emit::Kit;
use crate::kernels::check_bare;
use crate::read::{kernel, name};
use crate::walk;

/// The operand group of a `gpu.launch_func` that is passed to the kernel.
const ARGUMENTS: usize = 11;

/// Makes every `gpu.launch_func` below the root pass pointers to kernels that take pointers; `false`, after errors, when one
/// passes something else.
pub fn finish(ir: &mut Ir<'_>) -> bool {
    walk::named(ir.root(), gpu::LaunchFuncOp::NAME).into_iter().fold(true, |complete, launch| {
        let Some(kernel) = kernel_of(launch) else { return complete };
        match decide(launch, kernel) {
            Ok(Host::Agrees) => complete,
            Ok(Host::Pointers) => {
                pass_pointers(launch, kernel, ir.rewriter());
                complete
            }
            Err(reason) => {
                Diagnostic::error(reason).note(kernel.location(), "the kernel is here").emit(launch);
                false
            }
        }
    })
}

/// What the host has to do.
enum Host {
    /// Nothing: it passes pointers already, or the kernel takes descriptors.
    Agrees,
    /// It passes memrefs to a kernel that takes pointers.
    Pointers,
}

fn decide(launch: OperationRef<'_, '_>, kernel: OperationRef<'_, '_>) -> Result<Host, String> {
    let arguments = segment(launch, ARGUMENTS);
    let memrefs: Vec<_> =
        arguments.iter().map(|argument| MemRefType::try_from(argument.r#type()).ok()).enumerate().collect();
    let taken = parameters(kernel).len();
    let descriptors: usize = memrefs.iter().map(|(_, memref)| memref.map_or(1, |it| 3 + 2 * it.rank())).sum();
    if arguments.len() == taken {
        memrefs.iter().try_for_each(|&(index, memref)| memref.map_or(Ok(()), |memref| check_bare(index, memref)))?;
        let any = memrefs.iter().any(|(_, memref)| memref.is_some());
        return Ok(if any { Host::Pointers } else { Host::Agrees });
    }
    if descriptors == taken {
        return Ok(Host::Agrees);
    }
    Err(format!("passes {} arguments, but the kernel takes {taken}", arguments.len()))
}

/// Puts the address of a memref's memory in the place of each memref.
fn pass_pointers<'c: 'a, 'a>(launch: OperationRef<'c, 'a>, kernel: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let first = (0..ARGUMENTS).map(|group| segment(launch, group).len()).sum::<usize>();
    let builder = Builder::before(rewriter, launch);
    for (index, parameter) in parameters(kernel).into_iter().enumerate() {
        let Some(argument) = launch.operand_at(first + index) else { continue };
        if MemRefType::try_from(argument.r#type()).is_err() {
            continue;
        }
        let address = memref::extract_aligned_pointer_as_index(builder, argument).value();
        let address = Kit::new(builder).index_as_i64(address);
        let pointer = llvm::inttoptr(builder, address, parameter).value();
        rewriter.set_operand(launch, first + index, pointer);
    }
}

/// The converted kernel that a launch names: an `llvm.func`; `None` where there is none yet.
fn kernel_of<'c, 'a>(launch: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let symbol = launch.attribute("kernel").ok()?.to_raw();
    // SAFETY: the attribute is asked only as a symbol reference with one nested name; the strings live in its context.
    let (module, function) = unsafe {
        if !mlir_sys::mlirAttributeIsASymbolRef(symbol)
            || mlir_sys::mlirSymbolRefAttrGetNumNestedReferences(symbol) != 1
        {
            return None;
        }
        let nested = mlir_sys::mlirSymbolRefAttrGetNestedReference(symbol, 0);
        (
            crate::shim::text(mlir_sys::mlirSymbolRefAttrGetRootReference(symbol)).to_owned(),
            crate::shim::text(mlir_sys::mlirSymbolRefAttrGetLeafReference(nested)).to_owned(),
        )
    };
    let module = kernel::ancestors(launch).find_map(|scope| walk::symbol(scope, &module))?;
    walk::symbol(module, &function).filter(|&op| name(op) == llvm::LLVMFuncOp::NAME)
}

/// Types of the parameters of an `llvm.func`.
fn parameters<'c>(function: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    let Ok(function_type) = function.attribute("function_type") else { return Vec::new() };
    // SAFETY: the attribute of an llvm.func is the type of an LLVM function; indices are below the count.
    unsafe {
        let raw = mlir_sys::mlirTypeAttrGetValue(function_type.to_raw());
        (0..mlir_sys::mlirLLVMFunctionTypeGetNumInputs(raw))
            .map(|index| Type::from_raw(mlir_sys::mlirLLVMFunctionTypeGetInput(raw, index)))
            .collect()
    }
}
