//! `cp.async.bulk`: between global and shared memory, and to another CTA of the cluster.

mod expand;

use melior::ir::OperationRef;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::Family as _;

use super::{Family, Staged};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::report::Issued;

/// The family.
pub struct Bulk;

impl Family for Bulk {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Bulk]
    }

    fn is_issued_whole(&self) -> bool {
        true
    }

    /// The reported bytes are those that one thread issues.
    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        let CopyPlan::Bulk(plan) = plan else { return };
        let (count, bytes) = (plan.chunks(), plan.chunk_bytes());
        Issued { variant: plan.variant(), count, instruction: plan.instruction(), bytes: count * bytes }
            .report(op, &[("ChunkBytes", bytes.to_string())]);
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::Bulk(plan) = plan else { return Err(EmitError::Sides) };
        expand::expand(emit, staged, plan)
    }
}
