//! Chooses tensor maps for the copies of rings, where `--tile-build` may pass maps to the kernel.
//!
//! | a copy is chosen if | since |
//! | --- | --- |
//! | it names neither a variant nor what completes it, and fills a tile at scope `cta` | the ring then decides how it is waited for |
//! | the host can make its map, or the kernel has memory for one of its own | [`choose::check`](crate::tensor_maps::choose::check) |
//! | it takes at most [`MAX_BOXES`] boxes with rows of at least [`MIN_ROW_BYTES`] | narrow rows use little of a sector |
//! | the kernel can be ordered and fits into shared memory with the maps | a choice is never an error: it is [tried](super::trial) |

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::CopyOp;
use tile_dialect::{Ctx, Space};
use tile_isa::Scope;
use tile_layout::counted;
use tile_ops::tile;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{TENSOR_MAPS, TMA};
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::refusal::{Decline, Refusal};
use tile_plan::problem::role::Role;
use tile_plan::variants::{self, ask};

use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::report::COPIES;
use crate::tensor_maps::choose as maps;
use crate::walk;

/// The most boxes for which one thread is as fast as a block of threads.
const MAX_BOXES: i64 = 8;

/// Two sectors.
const MIN_ROW_BYTES: i64 = 64;

/// The attribute by which a copy names its variant.
const VARIANT: &str = "variant";

/// The copies of a function's rings that leave open how they are done and waited for.
pub(super) fn candidates<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<CopyOp<'c, 'a>> {
    let is_direct = |copy: &OperationRef<'c, 'a>| copy.parent_operation().is_some_and(super::is_requesting);
    let copies = walk::named(function, tile::CopyAsyncOp::NAME).into_iter().filter(is_direct).map(CopyOp);
    copies.filter(|copy| is_open(*copy)).collect()
}

/// Makes those of the copies name the variant `tma` for which that is better, and reports why others do not; for each copy the plan
/// that was chosen.
pub(super) fn choose<'c: 'a, 'a>(
    copies: &[CopyOp<'c, 'a>],
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> Vec<Option<TensorMapCopy>> {
    copies.iter().map(|copy| choose_for(*copy, options, rewriter)).collect()
}

/// Whether a copy leaves open how it is done and waited for.
fn is_open(copy: CopyOp<'_, '_>) -> bool {
    let completed = copy.completion() != Completion::Caller;
    let space = |role| copy.operand(role).map(|operand| operand.buffer.space());
    let loads = space(Role::Src) == Some(Space::Global) && space(Role::Dst) == Some(Space::Shared);
    let in_block = copy.remote_cta().is_none() && copy.cta_mask().is_none();
    let by_clause = !copy.rows().is_empty() || copy.until().is_some() || copy.im2col().is_some();
    let plain = !by_clause && copy.variant().is_none() && copy.maps().is_empty() && copy.predicate().is_none();
    loads && plain && !completed && in_block && copy.scope() == Scope::Cta
}

fn choose_for<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    options: &LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
) -> Option<TensorMapCopy> {
    rewriter.set_attribute(copy.0, VARIANT, Ctx::of(copy.0).string(TMA));
    let planned = plan(copy, options, true);
    if let Some(Ok(plan)) = planned.as_ref().filter(|planned| planned.as_ref().is_ok_and(is_better)) {
        return Some(plan.clone());
    }
    rewriter.remove_own_attribute(copy.0, VARIANT);
    // That older chips lack the engine is no news.
    if let Some(Err(decline)) = planned
        && decline.cause != TENSOR_MAPS.cause
    {
        COPIES.declined(copy.0, &[decline]);
    }
    None
}

/// The remark of a copy that goes through the map of a plan.
pub(super) fn chosen(copy: CopyOp<'_, '_>, plan: &TensorMapCopy) {
    let instructions = counted(plan.instructions(), "instruction");
    let text = format!("goes through a tensor map: {instructions} for {} bytes", plan.bytes());
    COPIES.emit(copy.0, RemarkKind::Passed, "tensor-map-chosen", &text, &[("Bytes", plan.bytes().to_string())]);
}

/// The remark of a copy that would go through a map if its kernel could be ordered then.
pub(super) fn unproved(copy: CopyOp<'_, '_>, why: &str) {
    let reason = format!("the kernel is not known to be right with maps: {why}");
    COPIES.declined(copy.0, &[Refusal::new("maps-not-proved", reason).by(TMA)]);
}

/// Whether a copy goes through a tensor map as it is written now: it names the variant, or is one of those that [`choose`] chooses.
pub fn takes_map<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) -> bool {
    if copy.variant().as_deref() == Some(TMA) || !copy.maps().is_empty() {
        return matches!(plan(copy, options, false), Some(Ok(_)));
    }
    if !copy.0.parent_operation().is_some_and(super::is_requesting) || !is_open(copy) {
        return false;
    }
    rewriter.set_attribute(copy.0, VARIANT, Ctx::of(copy.0).string(TMA));
    let planned = plan(copy, options, true);
    rewriter.remove_own_attribute(copy.0, VARIANT);
    matches!(planned, Some(Ok(plan)) if is_better(&plan))
}

/// The plan through maps, of a tile that the kernel makes `once` where that is asked for; `None` for a copy that is not read, which the
/// steps after this report.
fn plan(copy: CopyOp<'_, '_>, options: &LoweringOptions, once: bool) -> Option<Result<TensorMapCopy, Decline>> {
    let reader = Reader::new(options);
    let mut reading = reader.read(copy).ok()?;
    // The ring has an mbarrier for it.
    if let Some(requested) = &mut reading.problem.asynchronous
        && requested.completion == Completion::Caller
    {
        requested.completion = Completion::Barrier;
    }
    match ask(variants::by_name(TMA)?, &reading.problem, &reading.target) {
        Ok(CopyPlan::TensorMap(plan)) if !copy.maps().is_empty() => Some(Ok(plan)),
        Ok(CopyPlan::TensorMap(plan)) => {
            let possible = maps::check(copy, &plan, &reader, once);
            Some(possible.map(|()| plan).map_err(|reason| Refusal::new("map-tile-unknown", reason).by(TMA)))
        }
        Ok(_) => None,
        Err(decline) => Some(Err(decline)),
    }
}

/// The plan of a copy that names the variant, where it is better than copies by `cp.async`.
pub(super) fn better_plan(copy: CopyOp<'_, '_>, options: &LoweringOptions) -> Option<TensorMapCopy> {
    plan(copy, options, true)?.ok().filter(is_better)
}

fn is_better(plan: &TensorMapCopy) -> bool {
    let wide = plan.parts.iter().all(|part| part.map.inner_bytes() >= MIN_ROW_BYTES);
    wide && plan.instructions() <= MAX_BOXES
}
