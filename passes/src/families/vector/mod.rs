//! Loads and stores of vectors, and `cp.async`: `gmem_smem`, `reg`, `ldgsts` and the forced widths.
//!
//! ```text
//!   tile.copy ──choose──▶ matched layouts ──vectorize──▶ rounds of vectors ──expand──▶ vector.load, vector.store, nvvm
//! ```

mod cp_async;
mod exchange;
mod expand;
mod masked;

use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::CopyOp;
use tile_ops::{Builder, nvvm};
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::vector::plan::{MatchedCopy, VectorCopy};
use tile_plan::problem::refusal::{Narrowing, Refusal};
use tile_plan::target::Target;

use super::{Family, Staged};
use crate::emit::error::EmitError;
use crate::emit::{Emit, pointer_to_barrier};
use crate::report;

/// The family.
pub struct VectorFamily;

/// The plan with the widest vectors, and the reasons why they are not wider.
///
/// # Errors
/// As [`tile_plan::families::vector::vectorize::vectorize`].
pub fn widest(
    plan: &MatchedCopy,
    target: &Target,
    max_bits: u32,
    is_predicated: bool,
) -> Result<(VectorCopy, Vec<Narrowing>), Refusal> {
    let (mut vectors, narrowings) = tile_plan::families::vector::vectorize::vectorize(plan, target, max_bits)?;
    if is_predicated {
        // A lane whose predicate is false would have nothing to exchange.
        vectors.exchange = 1;
    }
    Ok((vectors, narrowings))
}

impl Family for VectorFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Partition, PlanKind::Vectors]
    }

    /// The arrival that the mbarrier counts; the instructions of other families name their mbarrier themselves.
    fn complete<'c, 'a>(&self, builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>) {
        if let Some(barrier) = copy.barrier() {
            let pointer = pointer_to_barrier(builder, barrier);
            // Each thread was counted when the mbarrier was initialised: this arrival adds none to the pending count.
            nvvm::cp_async_mbarrier_arrive(builder, pointer).noinc(1).build();
        }
    }

    /// No remark: the next pass chooses the width and reports it.
    fn remark_chosen(&self, _op: OperationRef<'_, '_>, _plan: &CopyPlan) {}

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::Vectors(plan) = plan else {
            return Err(EmitError::NoWidth);
        };
        staged.counts_threads(plan.threads, plan.ranks.as_ref())?;
        expand::expand(emit, staged, plan)
    }
}

/// The *passed* remark of a copy by vectors, with the reason why they are not wider.
pub fn took_vectors(op: OperationRef<'_, '_>, plan: &VectorCopy, narrowings: &[Narrowing]) {
    if report::is_remark_enabled(op, RemarkKind::Passed) {
        let summary = plan.summary(narrowings);
        report::emit(op, RemarkKind::Passed, plan.variant, &summary.text, &summary.args);
    }
}
