//! Chooses tensor maps for the copies of rings, where `--tile-build` may pass maps to the kernel.
//!
//! | a copy is chosen if | since |
//! | --- | --- |
//! | it names neither a variant nor what completes it, and fills a tile at scope `cta` | the ring then decides how it is waited for |
//! | its loop is in the body of the kernel, under no condition and in no other loop | rings of mbarriers are followed there whatever is known |
//! | nothing else that needs an order is under a condition that only run-time numbers decide | phases of mbarriers are not followed there |
//! | the host can make its map, or the kernel has memory for one of its own | [`choose::check`](crate::tensor_maps::choose::check) |
//! | it takes at most [`MAX_BOXES`] boxes with rows of at least [`MIN_ROW_BYTES`] | narrow rows use little of a sector |

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Ir, Parts, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_dialect::{Ctx, Space};
use tile_isa::Scope;
use tile_layout::counted;
use tile_ops::{affine, scf, tile};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{TENSOR_MAPS, TMA};
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::refusal::{Decline, Refusal};
use tile_plan::problem::role::Role;
use tile_plan::problem::threads::Active;
use tile_plan::variants::{self, ask};

use super::requesting;
use crate::effects::concerns_order;
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{kernel, name};
use crate::report::COPIES;
use crate::sync::kernel::Leader;
use crate::tensor_maps::choose as maps;
use crate::walk;

/// The most boxes for which one thread is as fast as a block of threads.
const MAX_BOXES: i64 = 8;

/// Two sectors.
const MIN_ROW_BYTES: i64 = 64;

/// The operations that choose between regions.
const BRANCHES: [&str; 3] = [scf::IfOp::NAME, scf::IndexSwitchOp::NAME, affine::AffineIfOp::NAME];

/// The attribute by which a copy names its variant.
const VARIANT: &str = "variant";

/// Makes the copies of rings below the root name the variant `tma` where that is better.
pub fn choose(ir: &mut Ir<'_>, options: &LoweringOptions) {
    let loops = requesting(ir.root()).into_iter().filter(|op| {
        op.parent_operation()
            .is_some_and(|function| kernel::is_entry(function) && kernel::function(*op) == Some(function))
    });
    let copies: Vec<_> = loops
        .flat_map(|op| {
            walk::named(op, tile::CopyAsyncOp::NAME).into_iter().filter(move |copy| copy.parent_operation() == Some(op))
        })
        .map(CopyOp)
        .filter(|copy| is_open(*copy))
        .collect();
    // Which threads an election lets through is known for each leader; that it is known is what matters.
    let reader = Reader::new(options).with_leader(Leader::LAST.lane());
    for copy in copies {
        match kernel::function(copy.0).and_then(|function| undecided(function, &reader)) {
            Some(other) => COPIES.declined(copy.0, &[not_followed(other)]),
            None => choose_for(copy, options, ir.rewriter()),
        }
    }
}

/// An operation of a kernel that needs an order, under a condition that is no set of threads.
fn undecided<'c: 'a, 'a>(function: OperationRef<'c, 'a>, reader: &Reader<'_>) -> Option<OperationRef<'c, 'a>> {
    let is_decided = |branch: OperationRef<'c, 'a>| {
        let arms = (0..branch.region_count()).filter_map(|arm| branch.region_at(arm)?.first_block()?.first_operation());
        let threads = |first| reader.threads(first, Scope::Cta).map(|threads| threads.active);
        arms.into_iter().all(|first| matches!(threads(first), Ok(Active::Known(_))))
    };
    let is_undecided = |op: OperationRef<'c, 'a>| {
        let around = kernel::ancestors(op).take_while(|around| *around != function);
        around.filter(|around| BRANCHES.contains(&name(*around))).any(|branch| !is_decided(branch))
    };
    walk::matching(function, |_| true).into_iter().filter(|op| concerns_order(*op)).find(|op| is_undecided(*op))
}

fn not_followed(other: OperationRef<'_, '_>) -> Decline {
    let reason = format!(
        "'{}' is under a condition that is decided only at run time, where phases of mbarriers are not followed; needed a condition on \
         the thread id",
        name(other)
    );
    Refusal::new("condition-at-run-time", reason).by(TMA)
}

/// Whether a copy leaves open how it is done and waited for.
fn is_open(copy: CopyOp<'_, '_>) -> bool {
    let completed = copy.completion() != Completion::Caller;
    let space = |role| copy.operand(role).map(|operand| operand.buffer.space());
    let loads = space(Role::Src) == Some(Space::Global) && space(Role::Dst) == Some(Space::Shared);
    let own = copy.remote_cta().is_none() && copy.cta_mask().is_none();
    let by_clause = !copy.rows().is_empty() || copy.until().is_some() || copy.im2col().is_some();
    let plain = !by_clause && copy.variant().is_none() && copy.maps().is_empty() && copy.predicate().is_none();
    loads && plain && !completed && own && copy.scope() == Scope::Cta
}

fn choose_for<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) {
    rewriter.set_attribute(copy.0, VARIANT, Ctx::of(copy.0).string(TMA));
    match plan(copy, options, true) {
        Some(Ok(plan)) if is_better(&plan) => {
            let text = format!(
                "goes through a tensor map: {} for {} bytes",
                counted(plan.instructions(), "instruction"),
                plan.bytes()
            );
            COPIES.emit(copy.0, RemarkKind::Passed, "tensor-map-chosen", &text, &[("Bytes", plan.bytes().to_string())]);
        }
        planned => {
            rewriter.remove_own_attribute(copy.0, VARIANT);
            // That older chips lack the engine is no news.
            if let Some(Err(decline)) = planned
                && decline.cause != TENSOR_MAPS.cause
            {
                COPIES.declined(copy.0, &[decline]);
            }
        }
    }
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
    if let Some(requested) = &mut reading.problem.asynchronous {
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

fn is_better(plan: &TensorMapCopy) -> bool {
    let wide = plan.parts.iter().all(|part| part.map.inner_bytes() >= MIN_ROW_BYTES);
    wide && plan.instructions() <= MAX_BOXES
}
