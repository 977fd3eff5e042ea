//! Between global and shared memory in bulk: `cp.async.bulk` and `cp.reduce.async.bulk`.

use tile_isa::async_reduction::Reduction;
use tile_isa::bulk::Route;

use crate::families::bulk::chunks::chunks;
use crate::families::bulk::plan::BulkCopy;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::asynchronous::{Completion, Feature};
use crate::problem::check::check_without_hints;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::{full_scope, l2_hint, only_requests, unconverted, unreplicated};
use crate::target::Target;
use crate::target::engine::Engine;
use tile_isa::Space;

/// Bulk copies between global and shared memory, completed by an mbarrier or a bulk group.
pub static BULK_COPY: Engine = Engine::since("chip-lacks-bulk-copy", "sm_90 or later", 90, 80);

/// One bulk copy per chunk, issued by the first thread of the scope (PTX ISA, cp.async.bulk).
///
/// ```text
///   (64, 64) : (64, 1)   to  (64, 64) : (64, 1),  16 bits    1 chunk of 8192 bytes
///   (64, 64) : (128, 1)  to  (64, 64) : (64, 1),  16 bits    64 chunks of 128 bytes
/// ```
///
/// It does not take copies that another variant already takes, because what a caller must wait for depends on the
/// variant. This variant arrives on an mbarrier once, with a byte count; `ldgsts` arrives once per thread. A caller
/// that writes no clause commits `cp.async` groups, which `synchronous` honours. So a copy must name this variant, or
/// have a clause that no other variant honours.
pub(crate) struct GlobalBulk;

const ABOUT: About = About::new("bulk", 5, PlanKind::Bulk, "global and shared memory, through `cp.async.bulk`")
    .on(&BULK_COPY)
    .by_mbarrier();

impl Variant for GlobalBulk {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::Bulk)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<BulkCopy, Refusal> {
    let route = match problem.spaces()? {
        (Space::Global, Space::Shared) => Route::ToShared,
        (Space::Shared, Space::Global) => Route::ToGlobal,
        (src, dst) => {
            let reason =
                format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared, shared -> global");
            return Err(Refusal::new("unsupported-spaces", reason));
        }
    };
    unconverted(problem)?;
    BULK_COPY.check(target, "a bulk copy needs")?;
    check_requests(problem, route)?;
    check_without_hints(problem)?;
    let reduction = reduction(problem)?;
    let l2_evict = l2_hint(problem, "cp.async.bulk")?;
    full_scope(problem)?;
    unreplicated(problem.operand(Role::Dst)?, Role::Dst)?;
    Ok(BulkCopy { reduction, l2_evict, ..chunks(problem)? })
}

/// Requires a completion that the instruction has, and a request that only this variant honours.
fn check_requests(problem: &Problem, route: Route) -> Result<(), Refusal> {
    let completion = problem.asynchronous.as_ref().map_or(Completion::Caller, |requested| requested.completion);
    if route == Route::ToShared {
        only_requests(problem, &[Feature::Completed(Completion::Barrier)])?;
        if completion != Completion::Barrier {
            let reason = format!("a bulk copy to shared memory is completed by an mbarrier; got {completion}");
            return Err(Refusal::new("mbarrier-missing", reason));
        }
    } else {
        only_requests(problem, &[Feature::Completed(Completion::BulkGroup), Feature::Reduce])?;
    }
    let only_bulk = completion == Completion::BulkGroup
        || problem.asynchronous.as_ref().is_some_and(|requested| requested.reduce.is_some());
    if only_bulk || problem.forced.is_some() {
        return Ok(());
    }
    let reason = match route {
        Route::ToShared => {
            "a bulk copy arrives on the mbarrier once, with its byte count, other variants once per thread; needed \
             variant = \"bulk\""
        }
        _ => "the copy requests no feature of bulk copies; needed bulk_group, or variant = \"bulk\"",
    };
    Err(Refusal::new("variant-not-named", reason))
}

/// The requested reduction, which the instruction must have for the element type.
fn reduction(problem: &Problem) -> Result<Option<Reduction>, Refusal> {
    let word = problem.asynchronous.as_ref().and_then(|requested| requested.reduce.as_deref());
    word.map(|word| Reduction::of(word, &problem.element.name))
        .transpose()
        .map_err(|reason| Refusal::new("reduction-unsupported", reason))
}
