//! `tile.return_if` becomes an `scf.if` around what follows, before copies are read: threads that have ended are threads that have not
//! entered.
//!
//! ```text
//!   tile.return_if %done            scf.if %done {
//!   tile.copy …              ──▶    } else {
//!                                     tile.copy …
//!                                   }
//! ```

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::tile::ReturnIfOp;
use tile_ops::{Builder, scf};

use crate::walk;

/// Some of what it becomes.
pub(crate) const MADE: [&str; 1] = [scf::IfOp::NAME];

/// Replaces each such op at or below the root.
pub(crate) fn write_out(ir: &mut Ir<'_>) {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    for op in walk::named(root, ReturnIfOp::NAME) {
        replace(op, rewriter);
    }
}

/// Replaces one such op; `false` for another one.
pub(crate) fn replace<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> bool {
    let Some(condition) = ReturnIfOp::cast(op).map(ReturnIfOp::condition) else { return false };
    let mut rest: Vec<_> = std::iter::successors(op.next_in_block(), |op| op.next_in_block()).collect();
    // The last op of the block stays.
    rest.pop();
    let builder = Builder::before(rewriter, op);
    let branch = scf::r#if(builder, condition, &[], builder.body(&[]), builder.body(&[])).build().operation();
    builder.fill(branch, 0, |_| scf::r#yield(builder, &[]).build());
    let end = builder.fill(branch, 1, |_| scf::r#yield(builder, &[]).build().operation());
    rest.into_iter().for_each(|op| rewriter.move_before(op, end));
    rewriter.erase(op);
    true
}
