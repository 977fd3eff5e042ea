//! Diagnostics about a loop that is not pipelined.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::STAGES;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::is_inside;
use tile_dialect::ops::CopyOp;
use tile_ops::tile;
use tile_plan::families::select;
use tile_plan::pipeline::{PipelineCause, PipelineRefusal, Plan};
use tile_plan::problem::refusal::Decline;

use super::Loop;
use super::slice::Depends;
use crate::effects::inherent::is_other;
use crate::read::{kernel, name};
use crate::sync::kernel::SyncKernel;
use crate::walk;

/// The error of a refusal.
pub fn say<'c: 'a, 'a>(read: &SyncKernel<'_, 'c, 'a>, looped: &Loop<'c, 'a>, refusal: PipelineRefusal) {
    let at = |number: Option<usize>| number.map_or(looped.op, |number| read.ops()[number]);
    let (op, other) = (at(refusal.op), at(refusal.other));
    let ahead = looped.plan.ahead;
    let (text, note) = match refusal.cause {
        PipelineCause::NoCopy => (
            "requests stages, but copies nothing asynchronously from global to shared memory; expected a tile.copy_async \
             in its body"
                .to_owned(),
            None,
        ),
        PipelineCause::NotInEachIteration => (
            "is not issued exactly once in each iteration of the loop that requests stages; expected it in the body of that loop, \
             with masked and fill for what is not copied"
                .to_owned(),
            under(op, looped.op).map(|around| (around, format!("it is inside of this '{}'", name(around)))),
        ),
        PipelineCause::Synchronous => (
            "is done synchronously, so nothing is in flight while an iteration computes; expected a copy that cp.async \
             does, or that an mbarrier completes"
                .to_owned(),
            Some((looped.op, "this loop requests stages".to_owned())),
        ),
        PipelineCause::OrderedByHand => (
            "completes, closes or awaits copies in a loop that requests stages, which is what --tile-pipeline does; expected \
             no such operation there"
                .to_owned(),
            Some((looped.op, "this loop requests stages".to_owned())),
        ),
        PipelineCause::AlsoWritten => (
            "writes a tile that has stages, or touches memory that may be such a tile; expected only \
             asynchronous copies to write it"
                .to_owned(),
            Some((other, "this copy writes it".to_owned())),
        ),
        PipelineCause::UsedOutside => (
            "writes a tile that lives longer than an iteration, expected one that only this loop uses, since each \
             stage gets its own"
                .to_owned(),
            Some((other, "it is used here".to_owned())),
        ),
        PipelineCause::ReadBefore => (
            "reads a tile that has stages before the copy of its iteration writes it: the data are an earlier iteration's; \
             expected the copy first"
                .to_owned(),
            Some((other, "this copy writes it".to_owned())),
        ),
        PipelineCause::ReadBeyond => (
            "reads more of a tile that has stages than the copies of its iteration are known to write; expected these to \
             write all that is read, at constant offsets"
                .to_owned(),
            Some((other, "this copy writes some of it".to_owned())),
        ),
        PipelineCause::SourceWritten => (
            format!("reads what an earlier iteration may write, and would be issued {ahead} iterations earlier; expected \
                     another source, or fewer stages"),
            Some((other, "it is written here".to_owned())),
        ),
        PipelineCause::Acquired => (
            format!("would be issued {ahead} iterations earlier, before what other blocks have published until then; expected \
                     no stages in a loop that waits for other blocks"),
            Some((other, "this may observe what another block has published".to_owned())),
        ),
    };
    let declines = if refusal.cause == PipelineCause::Synchronous { declines(read, op) } else { Vec::new() };
    let diagnostic =
        note.into_iter().fold(Diagnostic::error(text), |error, (at, text)| error.note(at.location(), text));
    declines.iter().fold(diagnostic, |error, decline| error.note(op.location(), decline.to_string())).emit(op);
}

/// Why no asynchronous variant between its memories does a copy.
pub fn declines<'c: 'a, 'a>(read: &SyncKernel<'_, 'c, 'a>, copy: OperationRef<'c, 'a>) -> Vec<Decline> {
    let Ok(reading) = read.reader().read(CopyOp(copy)) else { return Vec::new() };
    let declines = select(&reading.problem, &reading.target).map_or_else(|_| Vec::new(), |(_, declines)| declines);
    declines.into_iter().filter(|decline| !decline.is_for_other_spaces()).collect()
}

/// The error of a copy that cannot have stages.
pub fn copy<'c>(copy: OperationRef<'c, '_>, why: &str) -> Diagnostic<'c> {
    Diagnostic::error("requests stages, but one of its copies cannot have them")
        .note(copy.location(), format!("'{}' {why}", name(copy)))
}

/// The error of copies that are computed from more than the loop's variable, and from values defined before the loop.
pub fn depends<'c>(depends: &Depends<'c>, plan: Plan) -> Diagnostic<'c> {
    let text = format!(
        "requests stages, but the offsets of a copy are not known {} iterations earlier; expected them computed from the \
         loop's variable, and from what is computed before the loop",
        plan.ahead
    );
    Diagnostic::error(text).note(depends.location, format!("this {}", depends.why))
}

/// The warning of a loop that requests stages and has one.
pub fn left<'c: 'a, 'a>(looped: OperationRef<'c, 'a>) -> Diagnostic<'c> {
    let inside = walk::matching(looped, |_| true);
    if !inside.iter().any(|op| name(*op) == tile::CopyAsyncOp::NAME) {
        let text = "has one stage, since it copies nothing asynchronously from global to shared memory; expected a";
        return Diagnostic::warning(format!("{text} {} in its body, or no {STAGES}", tile::CopyAsyncOp::NAME));
    }
    let Some(by_hand) = inside.into_iter().find(|op| is_other(*op)) else {
        let text =
            format!("has {STAGES}, which --tile-pipeline before this makes a ring; without it there is one stage");
        return Diagnostic::warning(text);
    };
    let text = format!(
        "has one stage, since it synchronizes by '{0}', which --tile-pipeline does for rings; expected no '{0}' in it, or no {STAGES}",
        name(by_hand)
    );
    Diagnostic::warning(text).note(by_hand.location(), "this synchronizes")
}

/// The innermost operation around one, where that is still inside the loop.
fn under<'c: 'a, 'a>(op: OperationRef<'c, 'a>, outer: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    kernel::ancestors(op).find(|around| around.to_raw().ptr != outer.to_raw().ptr && is_inside(*around, outer))
}
