//! Rows that begin at any element, as aligned chunks of the destination.

mod expand;
mod loads;
mod shift;

use melior::ir::OperationRef;
use tile_plan::families::composite::LineComparison;
use tile_plan::families::copy_plan::{CopyPlan, PlanKind};
use tile_plan::families::family::Family as _;
use tile_plan::families::realign::loads::RealignedLoads;
use tile_plan::families::realign::plan::{CHUNK_BYTES, RealignedCopy};

use super::{Family, Staged};
use crate::emit::Emit;
use crate::emit::error::EmitError;
use crate::report::passed;

/// The family.
pub struct Realigned;

impl Family for Realigned {
    fn kinds(&self) -> &'static [PlanKind] {
        &[PlanKind::Realigned, PlanKind::RealignedLoads]
    }

    fn remark_chosen(&self, op: OperationRef<'_, '_>, plan: &CopyPlan) {
        match plan {
            CopyPlan::Realigned(plan) => took_rows(op, plan),
            CopyPlan::RealignedLoads(plan) => took_loads(op, plan),
            _ => {}
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &CopyPlan,
    ) -> Result<(), EmitError> {
        match plan {
            CopyPlan::Realigned(plan) => {
                staged.counts_threads(plan.threads, plan.ranks.as_ref())?;
                expand::expand(emit, staged, plan)
            }
            CopyPlan::RealignedLoads(plan) => {
                staged.counts_threads(plan.vectors.threads, plan.vectors.ranks.as_ref())?;
                loads::expand(emit, staged, plan)
            }
            _ => Err(EmitError::Sides),
        }
    }
}

/// The *passed* remark: what each thread does, and the costs by which the plan was chosen.
fn took_rows(op: OperationRef<'_, '_>, plan: &RealignedCopy) {
    let (variant, chunks, edges) = (plan.variant(), plan.chunk_rounds(), plan.edge_rounds());
    let text = format!(
        "copied by {variant}: {chunks} x 2 loads and 1 store of {} bits, {edges} x 1 load and 1 store of {} bits per thread",
        CHUNK_BYTES * 8,
        plan.element_bits
    );
    let mut args = vec![
        ("Variant", variant.to_owned()),
        ("Rounds", chunks.to_string()),
        ("Rows", plan.rows().to_string()),
        ("RowBytes", plan.row_bytes().to_string()),
    ];
    args.extend(plan.weighed.as_ref().map(|weighed| ("Cost", costs(weighed))));
    passed(op, variant, &text, &args);
}

/// The *passed* remark of loads of vectors.
fn took_loads(op: OperationRef<'_, '_>, plan: &RealignedLoads) {
    let (variant, rounds, bits) = (plan.variant(), plan.vectors.rounds, CHUNK_BYTES * 8);
    let text =
        format!("copied by {variant}: {rounds} x 2 loads of {bits} bits per thread, at ends of rows of elements");
    let args = [
        ("Variant", variant.to_owned()),
        ("Rounds", rounds.to_string()),
        ("RowBytes", (plan.row() * plan.element_bytes()).to_string()),
    ];
    passed(op, variant, &text, &args);
}

/// `chunks 480 lines, 7 instructions; elements as they are 768 lines, 16 instructions`.
fn costs(LineComparison { plan: chunks, direct }: &LineComparison) -> String {
    format!(
        "chunks {} lines, {} accesses; elements as they are {} lines, {} accesses",
        chunks.lines, chunks.instructions, direct.lines, direct.instructions
    )
}
