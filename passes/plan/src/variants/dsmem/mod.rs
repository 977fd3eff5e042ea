//! From shared memory to the shared memory of another CTA of the cluster: `cp.async.bulk`.

mod chunk;

use crate::asynchronous::Completion;
use crate::check::check_copy;
use crate::plan::{Aligned, BulkCopy, Decline, Refusal};
use crate::problem::{Problem, Scope, Space, Which};
use crate::region::region_side;
use crate::require::{only_wishes, unreplicated};
use crate::target::Target;
use crate::variants::Variant;

/// One bulk copy per chunk, issued by each thread that gets there (PTX ISA, cp.async.bulk).
///
/// ```text
///   (8, 128) : (256, 1)  to  (8, 128) : (512, 1), 16 bits    8 chunks of 256 bytes
/// ```
pub(crate) struct ClusterShared;

impl Variant for ClusterShared {
    fn name(&self) -> &'static str {
        "dsmem"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
        plan(problem, target).map(Aligned::Bulk).map_err(|refusal| refusal.by(self.name()))
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<BulkCopy, Refusal> {
    let (src, dst) = (problem.src.space, problem.dst.space);
    if (src, dst) != (Space::Shared, Space::Shared) {
        let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: shared -> shared of another CTA");
        return Err(Refusal::new("unsupported-spaces", reason));
    }
    if !target.has_cluster_copy() {
        let reason = format!("a copy to another CTA of a cluster needs sm_90 or later; got {target}");
        return Err(Refusal::new("chip-lacks-clusters", reason));
    }
    check_wishes(problem)?;
    check_copy(problem)?;
    unreplicated(&problem.dst, Which::Dst)?;
    let src = region_side(&problem.src, Which::Src)?;
    let dst = region_side(&problem.dst, Which::Dst)?;
    chunk::chunks(src, dst, problem.element.bits)
}

/// The other CTA and its mbarrier are named, one thread issues, and nothing else is asked.
fn check_wishes(problem: &Problem) -> Result<(), Refusal> {
    only_wishes(problem, &["mbarrier", "remote_cta"])?;
    let wishes = problem.asynchronous.as_ref();
    if !wishes.is_some_and(|wishes| wishes.remote_cta) {
        let reason = "the copy does not say which CTA of the cluster the destination is in; needed remote_cta";
        return Err(Refusal::new("remote-cta-missing", reason));
    }
    if let Some(other) = wishes.map(|wishes| wishes.completion).filter(|it| *it != Completion::Barrier) {
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
