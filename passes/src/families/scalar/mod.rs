//! Copies element by element, which always work.

mod expand;

use melior::ir::OperationRef;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::scalar::plan::{Owner, ScalarCopy};
use tile_plan::problem::role::Role;

use super::{Family, MALFORMED, Staged};
use crate::emit::Emit;
use crate::report::{self, did, passed, reduces};

/// The family.
pub struct Elements;

impl Family for Elements {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Scalar]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        if let CopyPlan::Scalar(plan) = plan {
            took_scalar(op, plan);
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), String> {
        let CopyPlan::Scalar(plan) = plan else { return Err(MALFORMED.to_owned()) };
        expand::expand(emit, staged, plan)
    }
}

/// The *passed* remark of an element-by-element copy.
fn took_scalar(op: OperationRef<'_, '_>, plan: &ScalarCopy) {
    let elements: i64 = plan.extents.iter().product();
    let (rounds, who) = match &plan.owner {
        Owner::Distributed(owners) => (
            owners.serial.iter().map(|digit| digit.extent).product(),
            "by the threads that own the elements".to_owned(),
        ),
        Owner::Everyone => (elements, "by each thread".to_owned()),
        Owner::ScopeThread(thread) => (elements, format!("by thread {thread} of the scope")),
        Owner::BlockThreads(threads) => (elements, format!("by threads {threads:?} of the block")),
    };
    let bytes = rounds * i64::from(plan.element_bits.div_ceil(8));
    let sides = [Role::Src, Role::Dst].map(|role| report::AccessCounts {
        space: plan.side(role).space,
        count: rounds,
        bits: i64::from(plan.bits_of(role)),
    });
    let instructions = report::instructions(plan.effect, sides);
    let mut args = vec![
        ("Variant", "fallback".to_owned()),
        ("VectorBits", plan.element_bits.to_string()),
        ("Rounds", rounds.to_string()),
        ("BytesPerThread", bytes.to_string()),
        ("Instructions", instructions.clone()),
    ];
    args.extend(reduces(plan.effect));
    args.extend(plan.conversion.map(|conversion| ("Converts", conversion.to_string())));
    passed(op, "fallback", &format!("{} element by element {who}: {instructions}", did(plan.effect)), &args);
}
