//! What the plans in a pass's input rely on: alignments, residues of run-time values, a fill value of zero.
//!
//! A pass trusts the plans that it makes itself. One that it finds may have been written by hand, or the IR around it may have
//! changed.

use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::PlannedOp;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::mask::Fill;
use tile_plan::problem::run_time::{ValueList, ValueUse};

use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{divisibility, mask};
use crate::walk;

/// Checks every plan below the root; `false`, after errors, where one relies on more than is proven.
pub fn check(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let reader = Reader::new(options);
    walk::matching(ir.root(), |name| name == PlannedOp::NAME).into_iter().fold(true, |sound, op| {
        let outcome = guard::quiet(|| holds(op, &reader));
        let outcome = outcome.unwrap_or_else(|text| Err(format!("made the compiler fail: {text}")));
        sound & outcome.map_err(|reason| Diagnostic::error(reason).emit(op)).is_ok()
    })
}

fn holds(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<(), String> {
    let op = PlannedOp(op);
    let plan = op.plan().ok_or("has no plan")?;
    plan.verify().map_err(|refusal| refusal.reason)?;
    let carried = plan.carried().ok_or("has a plan that no op carries")?;
    for role in carried.roles() {
        let (side, buffer) = carried.side(role).zip(op.buffer(role)).ok_or("has too few operands")?;
        let (needed, proven) = (side.align_bytes, reader.alignment(buffer));
        if needed < 1 || proven % needed != 0 {
            return Err(format!(
                "relies on an alignment of {needed} bytes of the {role}, which is aligned to {proven} as far as is known"
            ));
        }
    }
    let zeros = carried.mask().is_some_and(|mask| mask.fill == Some(Fill::Zero));
    if zeros && op.filler().is_none_or(|value| mask::fill(value) != Fill::Zero) {
        return Err("relies on a fill value of zero, which is not known to be".to_owned());
    }
    residues(op, plan.clone())
}

/// Checks what is assumed of the run-time values.
fn residues(op: PlannedOp<'_, '_>, mut plan: CopyPlan) -> Result<(), String> {
    let mut wrong = None;
    let carried = plan.carried_mut().ok_or("has a plan that no op carries")?;
    carried.each_value(&mut |used| {
        let value = op.values(used.list).get(*used.index).copied();
        if !value.is_some_and(|value| is_proven(value, &used)) {
            let ValueUse { list, index, div, divisor, residue } = used;
            let list = match list {
                ValueList::Of(role) => role.name(),
                ValueList::Mask => "mask",
            };
            let quotient = if div == 1 { String::new() } else { format!(" floordiv {div}") };
            wrong = Some(format!(
                "relies on value {index} of the {list}{quotient} being {residue} modulo {divisor}, which is not known"
            ));
        }
    });
    wrong.map_or(Ok(()), Err)
}

fn is_proven(value: Value<'_, '_>, used: &ValueUse<'_>) -> bool {
    if used.div < 1 || used.divisor < 1 {
        return false;
    }
    let known = divisibility::infer(value).floor_div(used.div);
    match known.constant() {
        Some(constant) => constant.rem_euclid(used.divisor) == used.residue,
        None => {
            let (divisor, residue) = known.parts();
            divisor % used.divisor == 0 && residue % used.divisor == used.residue
        }
    }
}
