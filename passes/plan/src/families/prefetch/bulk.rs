//! One run at a time: `cp.async.bulk.prefetch.L2`.

use crate::families::bulk::global::BULK_COPY;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::prefetch::plan::{Hint, Prefetch, check_chunk_bytes};
use crate::families::prefetch::runs::{global, runs};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::chunks::whole_runs;
use crate::sides::require::sharers;
use crate::target::Target;

/// One bulk prefetch for each run (PTX ISA, cp.async.bulk.prefetch). Nothing waits for it: it belongs to no bulk group.
///
/// ```text
///   (64, 64) : (64, 1),  f32      1 run of 16384 bytes
///   (64, 64) : (256, 1), f32      64 runs of 256 bytes
/// ```
pub(crate) struct Bulk;

const ABOUT: About = About::new(
    Hint::Chunks.variant(),
    10,
    PlanKind::Prefetch,
    "multiples of 16 bytes of global memory to L2, through `cp.async.bulk.prefetch.L2`",
)
.on(&BULK_COPY);

impl Variant for Bulk {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        let src = global(problem)?;
        BULK_COPY.check(target, "a bulk prefetch needs")?;
        let (threads, ranks) = sharers(problem)?;
        let (src, element_bits) = (runs(src)?, problem.element.bits);
        whole_runs(&src, Role::Src, element_bits)?;
        let plan = Prefetch { hint: Hint::Chunks, threads, ranks, element_bits, last_line: false, src };
        check_chunk_bytes(plan.run_bytes())?;
        Ok(CopyPlan::Prefetch(plan))
    }
}
