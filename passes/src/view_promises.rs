//! `tile.view %A divisible_by 8 aligned 16` becomes a `tile.assume` of the memref and a view of its result, before copies are read:
//! promises have one home.

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::Builder;
use tile_ops::tile::{self, ViewOp};

use crate::walk;

/// Some of what it becomes.
pub(crate) const MADE: [&str; 2] = [tile::AssumeOp::NAME, ViewOp::NAME];

/// Writes out the promises of all views at or below the root.
pub(crate) fn write_out(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    for view in walk::named(root, ViewOp::NAME) {
        replace(view, rewriter);
    }
}

/// Writes out the promises of one view; `false` for a view without any.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    let Some(view) = ViewOp::cast(op).filter(|view| view.divisor().is_some() || view.alignment().is_some()) else {
        return false;
    };
    let builder = Builder::before(rewriter, op);
    let assumed = tile::assume(builder, view.source()).divisor(view.divisor()).alignment(view.alignment()).build();
    let numbers: Vec<_> = view.run_time().collect();
    let made = tile::view(builder, assumed.result(), &numbers, view.result().r#type()).value();
    rewriter.replace(op, &[made]);
    true
}
