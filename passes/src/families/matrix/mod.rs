//! `ldmatrix` and `stmatrix`.

mod expand;

use melior::ir::OperationRef;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::matrix::plan::MatrixCopy;

use super::{Family, Staged};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::report::passed;

/// The family.
pub struct MatrixFamily;

impl Family for MatrixFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Matrix]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        if let CopyPlan::Matrix(plan) = plan {
            took_matrix(op, plan);
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::Matrix(plan) = plan else { return Err(EmitError::Sides) };
        staged.counts_threads(plan.threads, None)?;
        expand::expand(emit, staged, plan)
    }
}

/// The *passed* remark of a copy by matrix instructions.
fn took_matrix(op: OperationRef<'_, '_>, plan: &MatrixCopy) {
    let instructions = format!("{} {}", plan.steps(), plan.instruction());
    let bytes = plan.steps() * plan.num * 4;
    let args = vec![
        ("Variant", "ldstmatrix".to_owned()),
        ("VectorBits", "128".to_owned()),
        ("Rounds", plan.steps().to_string()),
        ("BytesPerThread", bytes.to_string()),
        ("Instructions", instructions.clone()),
    ];
    passed(op, "ldstmatrix", &format!("copied by ldstmatrix: {instructions}, {bytes} bytes per thread"), &args);
}
