//! `tile.allocs` becomes a `tile.alloc` for each of its tiles, before anything reads where a tile is.

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::{Ir, Rewriter, results_of};
use tile_ops::tile::{self, AllocOp, AllocsOp};
use tile_ops::{Builder, name};

use crate::walk;

/// What it becomes.
pub(crate) const MADE: [&str; 1] = [AllocOp::NAME];

/// Replaces each such op at or below the root.
pub(crate) fn write_out(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    for op in walk::named(root, AllocsOp::NAME) {
        replace(op, rewriter);
    }
}

/// Replaces one such op; `false` for another one.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    if name(op) != AllocsOp::NAME {
        return false;
    }
    let builder = Builder::before(rewriter, op);
    let allocate = |tile: &melior::ir::Value<'c, 'a>| tile::alloc(builder, tile.r#type()).value();
    let tiles: Vec<_> = results_of(op).iter().map(allocate).collect();
    rewriter.replace(op, &tiles);
    true
}
