//! Copies between registers: by moves, selects and shuffles, and through shared memory.

mod expand;
mod scratch;

use melior::ir::OperationRef;
use tile_dialect::ops::CopyOp;
use tile_layout::counted;
use tile_ops::Builder;
use tile_plan::{Aligned, Cost, CostComparison, Kind, RegisterCopy, Role, ScratchCopy};

use super::carry::carry;
use super::{Family, MALFORMED, Staged};
use crate::emit::Emit;
use crate::report::passed;

/// The family.
pub struct Registers;

impl Family for Registers {
    fn kinds(&self) -> &'static [Kind] {
        &[Kind::Registers, Kind::Scratch]
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>> {
        match plan {
            Aligned::Scratch(plan) => scratch::build(builder, copy, plan),
            _ => carry(builder, copy, plan.clone()),
        }
    }

    fn makes_copies(&self, plan: &Aligned) -> bool {
        matches!(plan, Aligned::Scratch(_))
    }

    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        match plan {
            Aligned::Registers(plan) => took_registers(op, plan),
            Aligned::Scratch(plan) => took_scratch(op, plan),
            _ => {}
        }
    }

    fn expand<'c, 'a>(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        staged: &Staged<'_, '_, 'c, 'a>,
        plan: &Aligned,
    ) -> Result<(), String> {
        let Aligned::Registers(plan) = plan else { return Err(MALFORMED.to_owned()) };
        staged.counts_threads(plan.threads, None)?;
        expand::expand(emit, staged, plan)
    }
}

/// `shuffle 24 instructions, 8 wavefronts; scratch 12 instructions, 24 wavefronts`.
fn costs(weighed: &CostComparison) -> String {
    let way = |name: &str, cost: Option<Cost>| cost.map(|cost| format!("{name} {cost}"));
    let ways = [way("shuffle", weighed.shuffle), way("scratch", weighed.scratch)];
    ways.into_iter().flatten().collect::<Vec<_>>().join("; ")
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

/// The *passed* remark of a copy through shared memory; its two halves have their own.
fn took_scratch(op: OperationRef<'_, '_>, plan: &ScratchCopy) {
    let bytes = counted(plan.bytes(), "byte").to_string();
    let args = vec![
        ("Variant", "scratch".to_owned()),
        ("Scratch", bytes.clone()),
        ("Layout", plan.layout.to_string()),
        ("Cost", costs(&plan.weighed)),
    ];
    passed(op, "scratch", &format!("copied by scratch: through {bytes} of shared memory"), &args);
}
