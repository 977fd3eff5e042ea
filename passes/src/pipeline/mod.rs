//! `--tile-pipeline`: loops that request stages become rings of asynchronous copies.
//!
//! A loop asks by an attribute, `tile.stages`, and not by an operation of ours: it stays the `scf.for` that every other pass knows,
//! it means the same without the attribute, and nothing of it is moved but its copies. What is decided is decided in
//! [`tile_plan::pipeline`], for the accesses that [`crate::sync`] reads.
//!
//! ```text
//!   for k:  copy k ──▶ tile         3 stages:   copy 0; commit; copy 1; commit                     prologue
//!           read tile                           for k:  wait for all but 1 group, barrier
//!                                                       if k + 2 < trips: copy k + 2 ──▶ stage
//!                                                       commit
//!                                                       read stage k mod 3
//!                                               wait for all                                       epilogue
//! ```
//!
//! MLIR's `scf::pipelineForLoop` is not used. What two of its stages share is carried by the loop, and a stage that a loop carries is
//! not known to be `k mod 3` any more, so that nothing proves two of them apart; it guards operations one by one, where the group
//! has to be closed whether its copies were issued or not; and it has no buffers. What it would do, to clone a slice, is the least.
//!
//! The barrier that hands a stage back is put by what orders all accesses of a kernel: behind the wait, where it also shows each
//! thread what others have copied; none, or one of a warp, where that does.

mod ask;
mod complete;
mod refuse;
mod ring;
mod slice;
mod write;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockRef, OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::integer;
use tile_dialect::{STAGES, guard};
use tile_ops::{Builder, region, scf};
use tile_plan::pipeline::{By, Plan};

use crate::options::Options;
use crate::read::kernel;
use crate::sync::insert;
use crate::walk;
use ring::Ring;

/// Pipelines every loop at or below the root that requests it, and orders the accesses of its kernel; `false`, after errors,
/// where one cannot be.
pub fn run(ir: &mut Ir<'_>, options: &Options) -> bool {
    let rewriter = ir.rewriter();
    let mut complete = true;
    for function in functions(ir.root()) {
        let outcome = guard::quiet(|| one(function, options, rewriter));
        complete &= outcome.unwrap_or_else(|text| {
            Diagnostic::error(format!("made the compiler fail: {text}")).emit(function);
            false
        });
    }
    complete
}

/// The functions and launches with loops that ask.
fn functions<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found: Vec<OperationRef<'c, 'a>> = Vec::new();
    for op in walk::matching(root, |_| true).into_iter().filter(|op| op.has_attribute(STAGES)) {
        let function = kernel::function(op).unwrap_or(op);
        if !found.iter().any(|it| it.to_raw().ptr == function.to_raw().ptr) {
            found.push(function);
        }
    }
    found
}

/// Warns of loops that request stages where copies are lowered already.
pub fn warn_left(root: OperationRef<'_, '_>) {
    let asks = |op: &OperationRef<'_, '_>| integer(*op, STAGES).is_some_and(|stages| stages > 1);
    for op in walk::named(root, scf::ForOp::NAME).iter().filter(|op| asks(op)) {
        let text =
            format!("has {STAGES}, of which --tile-pipeline before this makes a ring; without it there is one stage");
        Diagnostic::warning(text).emit(*op);
    }
}

fn one<'c: 'a, 'a>(function: OperationRef<'c, 'a>, options: &Options, rewriter: Rewriter<'c, 'a>) -> bool {
    let Some(loops) = ask::loops(function, options) else { return false };
    loops.iter().all(|it| write::write(it, rewriter).is_some()) && insert::order(function, options, rewriter, false)
}

/// A loop that is pipelined.
pub struct Loop<'c, 'a> {
    /// The `scf.for`.
    pub op: OperationRef<'c, 'a>,
    /// Its body.
    pub body: BlockRef<'c, 'a>,
    /// The ring.
    pub plan: Plan,
    /// What completes its copies.
    pub by: Vec<By>,
    /// How many iterations it has, where that is a known number.
    pub trips: Option<i64>,
    /// The copies that are issued ahead.
    pub copies: Vec<OperationRef<'c, 'a>>,
    /// The `tile.alloc`s that they write, and what they become.
    pub tiles: Vec<(OperationRef<'c, 'a>, Ring<'c>)>,
}

/// Makes ops under a condition.
fn when<'c: 'a, 'a>(builder: Builder<'c, 'a>, condition: Value<'c, 'a>, make: impl FnOnce()) {
    let op = scf::r#if(builder, condition, &[], builder.body(&[]), region()).build().operation();
    builder.fill(op, 0, |_| {
        make();
        scf::r#yield(builder, &[]).build();
    });
}
