//! Tensor memory: `tcgen05.cp`, `tcgen05.ld` and `tcgen05.st`.

mod access;
mod copy;

use melior::ir::OperationRef;
use tile_isa::WARPGROUP;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::tmem::copy::Descriptor;

use super::{Family, Staged};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::report::Issued;

/// Copies from shared memory to tensor memory.
pub struct TmemCopyFamily;

/// Copies between registers and tensor memory.
pub struct TmemAccessFamily;

impl Family for TmemCopyFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::TmemCopy]
    }

    fn is_issued_whole(&self) -> bool {
        true
    }

    /// The reported bytes are those that one thread issues.
    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        let CopyPlan::TmemCopy(plan) = plan else { return };
        let bytes = plan.src.layout.size() * i64::from(plan.element_bits) / 8;
        let issued = Issued { variant: "tcgen05_cp", count: plan.tiles(), instruction: plan.instruction(), bytes };
        let Descriptor { leading, stride, swizzle } = plan.descriptor;
        let descriptor =
            format!("leading offset {leading} x 16 B, stride offset {stride} x 16 B, swizzle mode {swizzle}");
        issued.report(op, &[("Descriptor", descriptor)]);
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::TmemCopy(plan) = plan else { return Err(EmitError::Sides) };
        copy::expand(emit, staged, plan)
    }
}

impl Family for TmemAccessFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::TmemAccess]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        let CopyPlan::TmemAccess(plan) = plan else { return };
        let count = plan.instructions();
        let bytes = count * plan.words() * 4;
        Issued { variant: "tcgen05_ldst", count, instruction: plan.instruction(), bytes }.report(op, &[]);
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::TmemAccess(plan) = plan else { return Err(EmitError::Sides) };
        staged.counts_threads(WARPGROUP, None)?;
        access::expand(emit, staged, plan)
    }
}
