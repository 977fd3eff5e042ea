//! Chooses tensor maps for the copies of rings, where `--tile-build` may pass maps to the kernel.
//!
//! | a copy is chosen if | since |
//! | --- | --- |
//! | it names neither a variant nor what completes it, and fills a tile at scope `cta` | the ring then decides how it is waited for |
//! | its loop is in the body of the kernel, under no condition and in no other loop | rings of mbarriers are followed there whatever is known |
//! | it takes at most [`MAX_BOXES`] boxes with rows of at least [`MIN_ROW_BYTES`] | narrow rows use little of a sector |

use melior::ir::operation::OperationLike;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_dialect::{Ctx, Space};
use tile_isa::Scope;
use tile_layout::counted;
use tile_ops::tile;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::TensorMapCopy;
use tile_plan::families::tensor_map::{TENSOR_MAPS, TMA};
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::refusal::Decline;
use tile_plan::problem::role::Role;
use tile_plan::variants::{self, ask};

use super::requesting;
use crate::options::LoweringOptions;
use crate::read::kernel;
use crate::read::problem::Reader;
use crate::report::COPIES;
use crate::walk;

/// The most boxes for which one thread is as fast as a block of threads.
const MAX_BOXES: i64 = 8;

/// Two sectors.
const MIN_ROW_BYTES: i64 = 64;

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
    for copy in copies {
        choose_for(copy, options, ir.rewriter());
    }
}

/// Whether a copy leaves open how it is done and waited for.
fn is_open(copy: CopyOp<'_, '_>) -> bool {
    let completed = copy.group() || copy.bulk_group() || copy.barrier().is_some();
    let space = |role| copy.operand(role).map(|operand| operand.buffer.space());
    let loads = space(Role::Src) == Some(Space::Global) && space(Role::Dst) == Some(Space::Shared);
    let own = copy.remote_cta().is_none() && copy.cta_mask().is_none();
    let plain = copy.variant().is_none() && copy.maps().is_empty() && copy.predicate().is_none();
    loads && plain && !completed && own && copy.scope() == Scope::Cta
}

fn choose_for<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) {
    rewriter.set_attribute(copy.0, VARIANT, Ctx::of(copy.0).string(TMA));
    match plan(copy, options) {
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

/// The plan through maps; `None` for a copy that is not read, which the steps after this report.
fn plan(copy: CopyOp<'_, '_>, options: &LoweringOptions) -> Option<Result<TensorMapCopy, Decline>> {
    let mut reading = Reader::new(options).read(copy).ok()?;
    // The ring has an mbarrier for it.
    if let Some(requested) = &mut reading.problem.asynchronous {
        requested.completion = Completion::Barrier;
    }
    match ask(variants::by_name(TMA)?, &reading.problem, &reading.target) {
        Ok(CopyPlan::TensorMap(plan)) => Some(Ok(plan)),
        Ok(_) => None,
        Err(decline) => Some(Err(decline)),
    }
}

fn is_better(plan: &TensorMapCopy) -> bool {
    let wide = plan.parts.iter().all(|part| part.map.inner_bytes() >= MIN_ROW_BYTES);
    wide && plan.instructions() <= MAX_BOXES
}
