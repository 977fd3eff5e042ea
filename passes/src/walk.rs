//! Finding ops.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ir::Parts;
pub use tile_dialect::ir::{is_inside, matching, named, precedes};
use tile_ops::interface;

/// The address of an op, which identifies it as long as it exists.
pub fn key(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}

/// The ops before another in its block.
pub fn before<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<OperationRef<'c, 'a>>> {
    let first = op.block()?.first_operation();
    Some(std::iter::successors(first, |next| next.next_in_block()).take_while(|next| *next != op).collect())
}

/// The op before another in its block.
pub fn last_before<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    before(op)?.last().copied()
}

/// The ops in the body of a module that define symbols.
pub fn symbols<'c, 'a>(module: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let first = module.region_at(0).and_then(|region| region.first_block()?.first_operation());
    std::iter::successors(first, |op| op.next_in_block()).filter(|op| interface::is_symbol(*op))
}

/// The op in the body of a module that defines this symbol.
pub fn symbol<'c, 'a>(module: OperationRef<'c, 'a>, wanted: &str) -> Option<OperationRef<'c, 'a>> {
    symbols(module).find(|&op| interface::symbol_name(op).as_deref() == Some(wanted))
}
