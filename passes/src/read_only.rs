//! Loads from arguments that no thread writes while the kernel runs.
//!
//! LLVM loads through the read-only cache (`ld.global.nc`) where it finds such an argument behind the address. It looks through a
//! few steps of arithmetic only, so that of many loads of one tile it finds some and not others. Here each load says so itself:
//!
//! ```mlir
//!   llvm.func @k(%a: !llvm.ptr {llvm.noalias, llvm.readonly}) …
//!     %p = llvm.getelementptr %a[%i] …
//!     %x = llvm.load %p invariant …
//! ```

use std::collections::HashSet;

use melior::ir::attribute::DictionaryAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, Value};
use tile_dialect::ir::{Ir, Parts, argument_of, defining_op};
use tile_ops::interface;
use tile_ops::llvm;

use crate::read::{kernel, name, traffic};
use crate::walk;

/// Marks the loads of a lowered kernel whose address is that of an argument which nothing writes. Other functions are left alone:
/// their callers may write the memory before and after the call.
pub fn mark_loads<'c: 'a, 'a>(ir: &'a Ir<'c>, kernel: OperationRef<'c, 'a>) {
    let read_only = if kernel::is_entry(kernel) { arguments(kernel) } else { HashSet::new() };
    if read_only.is_empty() {
        return;
    }
    let Some(entry) = kernel.regions().next().and_then(|region| region.first_block()) else { return };
    for op in walk::named(kernel, llvm::LoadOp::NAME) {
        let Some(load) = llvm::LoadOp::cast(op) else { continue };
        let argument = argument_of(source(load.addr())).filter(|(block, _)| block.to_raw().ptr == entry.to_raw().ptr);
        if !traffic::is_ordered_load(op) && argument.is_some_and(|(_, index)| read_only.contains(&index)) {
            load.set_invariant(ir.rewriter(), true);
        }
    }
}

/// The numbers of the arguments that are promised to be only read, and reached by nothing else.
fn arguments(kernel: OperationRef<'_, '_>) -> HashSet<usize> {
    let Some(lists) = interface::argument_attributes(kernel) else { return HashSet::new() };
    let has = |list: DictionaryAttribute<'_>, wanted: &str| {
        let names = (0..list.len()).filter_map(|at| list.element(at).ok());
        names.into_iter().any(|(name, _)| name.as_string_ref().as_str().is_ok_and(|name| name == wanted))
    };
    let is_read_only = |index: &usize| {
        let list = lists.element(*index).ok().and_then(|list| DictionaryAttribute::try_from(list).ok());
        list.is_some_and(|list| has(list, llvm::attribute::NO_ALIAS) && has(list, llvm::attribute::READONLY))
    };
    (0..lists.len()).filter(is_read_only).collect()
}

/// The pointer from which an address is computed; through descriptors of memrefs and numbers that are pointers again, too.
fn source<'c: 'a, 'a>(mut address: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(op) = defining_op(address) {
        let next = match name(op) {
            llvm::GEPOp::NAME | llvm::AddrSpaceCastOp::NAME | llvm::IntToPtrOp::NAME | llvm::PtrToIntOp::NAME => {
                op.operand_at(0)
            }
            llvm::ExtractValueOp::NAME => llvm::ExtractValueOp::cast(op).and_then(inserted),
            _ => None,
        };
        let Some(next) = next else { break };
        address = next;
    }
    address
}

/// The value that was inserted where an op extracts one.
fn inserted<'c: 'a, 'a>(extract: llvm::ExtractValueOp<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (wanted, mut container) = (extract.position(), extract.container());
    loop {
        let insert = defining_op(container).and_then(llvm::InsertValueOp::cast)?;
        let position = insert.position();
        if position == wanted {
            return Some(insert.value_operand());
        }
        if position.starts_with(&wanted) || wanted.starts_with(&position) {
            return None;
        }
        container = insert.container();
    }
}
