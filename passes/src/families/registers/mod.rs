//! Copies between registers, by moves, selects and shuffles.

mod expand;

use melior::ir::OperationRef;
use tile_layout::counted;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::Cost;
use tile_plan::families::registers::plan::RegisterCopy;
use tile_plan::problem::role::Role;

use super::composite::costs;
use super::{Family, Staged};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::report::passed;

/// The family.
pub struct RegisterFamily;

impl Family for RegisterFamily {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Registers]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        if let CopyPlan::Registers(plan) = plan {
            took_registers(op, plan);
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        let CopyPlan::Registers(plan) = plan else { return Err(EmitError::Sides) };
        staged.counts_threads(plan.threads, None)?;
        expand::expand(emit, staged, plan)
    }
}

/// The *passed* remark of a copy that stays in registers.
fn took_registers(op: OperationRef<'_, '_>, plan: &RegisterCopy) {
    let Cost { instructions, wavefronts } = plan.weighed.shuffle.unwrap_or_default();
    let issued = match (instructions - wavefronts, wavefronts) {
        (0, 0) => "moves".to_owned(),
        (selects, 0) => counted(selects, "select").to_string(),
        (0, shuffles) => counted(shuffles, "shuffle").to_string(),
        (selects, shuffles) => format!("{} and {}", counted(shuffles, "shuffle"), counted(selects, "select")),
    };
    let held = plan.registers(Role::Dst).len() as i64;
    let bytes = held * i64::from(plan.bits_of(Role::Dst) / 8);
    let mut args = vec![
        ("Variant", "shuffle".to_owned()),
        ("BytesPerThread", bytes.to_string()),
        ("Instructions", issued.clone()),
        ("Cost", costs(&plan.weighed)),
    ];
    args.extend(plan.conversion.map(|conversion| ("Converts", conversion.to_string())));
    passed(op, "shuffle", &format!("copied by shuffle: {issued} per thread"), &args);
}
