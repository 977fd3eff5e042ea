//! `tile.view %A divisible_by 8 aligned 16` becomes a `tile.assume` of the memref and a view of its result, before copies are read:
//! promises have one home. An extent of the memref that is read behind the view has what it promises, too.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Ir, Parts, Rewriter, uses};
use tile_ops::tile::{self, ViewOp};
use tile_ops::{Builder, memref};

use crate::read::{kernel, name};
use crate::walk;

/// Some of what it becomes.
pub(crate) const MADE: [&str; 2] = [tile::AssumeOp::NAME, ViewOp::NAME];

/// Writes out the promises of all views at or below the root.
pub(crate) fn write_out(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    for view in walk::named(root, ViewOp::NAME) {
        let extents = extents_behind(view);
        if let Some(assumed) = promised(view, rewriter) {
            extents.into_iter().for_each(|extent| rewriter.set_operand(extent, 0, assumed));
        }
    }
}

/// The extents of a view's memref that are read behind the view, which so have what it promises.
fn extents_behind<'c: 'a, 'a>(view: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let is_behind = |op: &OperationRef<'c, 'a>| {
        let mut around = std::iter::once(*op).chain(kernel::ancestors(*op));
        around.any(|op| walk::precedes(view, op))
    };
    let users = view.operand_at(0).map(uses).unwrap_or_default();
    let extents = users.into_iter().map(|(op, _)| op).filter(|op| name(*op) == memref::DimOp::NAME);
    extents.filter(is_behind).collect()
}

/// Writes out the promises of one view; `false` for a view without any.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    promised(op, rewriter).is_some()
}

/// The memref with what a view promises of it, of which the view is now one.
fn promised<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Option<Value<'c, 'a>> {
    let view = ViewOp::cast(op).filter(|view| view.divisor().is_some() || view.alignment().is_some())?;
    let builder = Builder::before(rewriter, op);
    let assumed = tile::assume(builder, view.source()).divisor(view.divisor()).alignment(view.alignment()).build();
    let numbers: Vec<_> = view.run_time().collect();
    let made = tile::view(builder, assumed.result(), &numbers, view.result().r#type()).value();
    rewriter.replace(op, &[made]);
    Some(assumed.result())
}
