//! Divides the body of a kernel: what both roles need stays before them, all else becomes the consumers'.

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter, defining_op};
use tile_dialect::{BufferType, Space};
use tile_ops::{name, tile};

use super::super::slice;
use crate::walk;

/// The operations of a block that values are computed from.
///
/// # Errors
/// One that is not a function of its operands, or of memory that nothing writes.
pub fn needed<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    values: impl Iterator<Item = Value<'c, 'a>>,
    noalias: bool,
) -> Result<HashSet<usize>, OperationRef<'c, 'a>> {
    let mut keys = HashSet::new();
    let mut left: Vec<Value<'c, 'a>> = values.collect();
    while let Some(value) = left.pop() {
        let Some(op) = defining_op(value).filter(|op| op.block() == Some(block)) else { continue };
        if !slice::is_repeatable(op, noalias) {
            return Err(op);
        }
        if keys.insert(walk::key(op)) {
            left.extend(op.operands());
        }
    }
    Ok(keys)
}

/// The operations of a block but the last.
pub fn all_but_last<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let ops = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    let last = block.terminator();
    ops.filter(|op| Some(*op) != last).collect()
}

/// Moves operations to the end of a block, except those that are needed before, and shared tiles, which belong to the block of threads.
pub fn move_others<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    ops: Vec<OperationRef<'c, 'a>>,
    needed: &HashSet<usize>,
    before: OperationRef<'c, 'a>,
) {
    let is_shared = |op: OperationRef<'c, 'a>| {
        let tile = op.result_at(0).filter(|_| name(op) == tile::AllocOp::NAME);
        tile.and_then(|tile| BufferType::from_type(tile.r#type())).is_some_and(|buffer| buffer.space() == Space::Shared)
    };
    let others = ops.into_iter().filter(|op| !needed.contains(&walk::key(*op)) && !is_shared(*op));
    others.for_each(|op| rewriter.move_before(op, before));
}
