//! Copies element by element, which always work.

mod expand;

use melior::ir::OperationRef;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};

use super::{Family, Staged};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::report::passed;

/// The family.
pub struct ScalarFamily;

impl Family for ScalarFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Scalar]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        if let CopyPlan::Scalar(plan) = plan {
            let summary = plan.summary();
            passed(op, "fallback", &summary.text, &summary.args);
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::Scalar(plan) = plan else { return Err(EmitError::Sides) };
        expand::expand(emit, staged, plan)
    }
}
