//! From shared memory to the shared memory of another CTA of the cluster: `cp.async.bulk`.

use crate::families::bulk::chunks::chunks;
use crate::families::bulk::plan::BulkCopy;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::asynchronous::{Completion, Feature};
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::{only_requests, unconverted, unreplicated};
use crate::target::{Target, engine};
use tile_isa::{Scope, Space};

/// One bulk copy per chunk, issued by each thread that executes it (PTX ISA, cp.async.bulk).
///
/// ```text
///   (8, 128) : (256, 1)  to  (8, 128) : (512, 1), 16 bits    8 chunks of 256 bytes
/// ```
pub(crate) struct ClusterShared;

const ABOUT: About = About::new(
    "dsmem",
    10,
    PlanKind::Bulk,
    "shared memory to that of another CTA of the cluster, through `cp.async.bulk`",
)
.on(&engine::CLUSTER_COPY)
.by_mbarrier();

impl Variant for ClusterShared {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::Bulk)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<BulkCopy, Refusal> {
    let (src, dst) = problem.spaces()?;
    if (src, dst) != (Space::Shared, Space::Shared) {
        let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: shared -> shared of another CTA");
        return Err(Refusal::new("unsupported-spaces", reason));
    }
    unconverted(problem)?;
    engine::CLUSTER_COPY.check(target, "a copy to another CTA of a cluster needs")?;
    check_requests(problem)?;
    check_copy(problem)?;
    unreplicated(problem.operand(Role::Dst)?, Role::Dst)?;
    chunks(problem)
}

/// Requires the copy to name the other CTA and an mbarrier, to be issued by one thread, and to request nothing else.
fn check_requests(problem: &Problem) -> Result<(), Refusal> {
    only_requests(problem, &[Feature::Completed(Completion::Barrier), Feature::RemoteCta])?;
    let requested = problem.asynchronous.as_ref();
    if !requested.is_some_and(|requested| requested.remote_cta) {
        let reason = "the copy does not say which CTA of the cluster the destination is in; needed remote_cta";
        return Err(Refusal::new("remote-cta-missing", reason));
    }
    if let Some(other) = requested.map(|requested| requested.completion).filter(|kind| *kind != Completion::Barrier) {
        let reason = format!("a copy to another CTA is completed by an mbarrier there; got {other}");
        return Err(Refusal::new("mbarrier-missing", reason));
    }
    if problem.threads.scope != Scope::Thread {
        let reason =
            format!("a bulk copy is issued by one thread and needs thread scope; got {}", problem.threads.scope);
        return Err(Refusal::new("scope-not-thread", reason));
    }
    Ok(())
}
