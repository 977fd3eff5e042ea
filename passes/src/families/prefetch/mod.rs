//! Prefetches into L2: `prefetch.global.L2` and `cp.async.bulk.prefetch.L2`.

mod expand;

use melior::ir::OperationRef;
use tile_layout::counted;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::Family as _;
use tile_plan::families::prefetch::plan::{Hint, Prefetch};

use super::{Family, MALFORMED, Staged};
use crate::emit::Emit;
use crate::report::passed;

/// The family.
pub struct Prefetches;

impl Family for Prefetches {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Prefetch]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        if let CopyPlan::Prefetch(plan) = plan {
            took_prefetch(op, plan);
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), String> {
        let CopyPlan::Prefetch(plan) = plan else { return Err(MALFORMED.to_owned()) };
        if plan.hint == Hint::Dropped {
            return Ok(());
        }
        staged.counts_threads(plan.threads, plan.ranks.as_ref())?;
        expand::expand(emit, staged, plan)
    }
}

/// The *passed* remark of a prefetch: all of its instructions, and the most of one thread.
fn took_prefetch(op: OperationRef<'_, '_>, plan: &Prefetch) {
    let variant = plan.variant();
    if plan.hint == Hint::Dropped {
        passed(op, variant, "dropped: no instruction prefetches it", &[("Variant", variant.to_owned())]);
        return;
    }
    let count = plan.sequences().iter().map(|sequence| plan.count(sequence)).sum::<i64>();
    let bytes = plan.runs().saturating_mul(plan.run_bytes());
    let (instructions, rounds) = (format!("{count} {}", plan.instruction()), plan.rounds());
    let text = format!(
        "prefetched by {variant}: {instructions} for {bytes} bytes in {}, {rounds} per thread",
        counted(plan.runs(), "run")
    );
    let args = [
        ("Variant", variant.to_owned()),
        ("Rounds", rounds.to_string()),
        ("Instructions", instructions),
        ("RunBytes", plan.run_bytes().to_string()),
    ];
    passed(op, variant, &text, &args);
}
