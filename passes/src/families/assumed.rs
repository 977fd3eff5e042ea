//! What the plans in a pass's input rely on: alignments, residues of run-time values, a fill value of zero.
//!
//! A pass trusts the plans that it makes itself. One that it finds may have been written by hand, or the IR around it may have
//! changed.

use melior::ir::{OperationRef, Value};
use thiserror::Error;
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard::{self, Panicked};
use tile_dialect::ir::Ir;
use tile_dialect::ops::{Filler, PlannedOp};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::problem::mask::Fill;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{ValueList, ValueUse};

use crate::emit::error::EmitError;
use crate::options::LoweringOptions;
use crate::read::problem::Reader;
use crate::read::{divisibility, mask};
use crate::walk;

/// What a plan relies on that is not known.
#[derive(Debug, Error)]
enum AssumedError {
    #[error("relies on an alignment of {needed} bytes of the {role}, which is aligned to {proven} as far as is known")]
    Alignment { needed: i64, role: Role, proven: i64 },
    #[error("relies on a fill value of zero, which is not known to be")]
    Zero,
    #[error("relies on value {index} of the {}{} being {residue} modulo {divisor}, which is not known", name(*.list), quotient(*.div))]
    Residue { list: ValueList, index: usize, div: i64, divisor: i64, residue: i64 },
    #[error(transparent)]
    Plan(#[from] Refusal),
    #[error(transparent)]
    Emit(#[from] EmitError),
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

fn name(list: ValueList) -> &'static str {
    match list {
        ValueList::Of(role) => role.name(),
        ValueList::Mask => "mask",
    }
}

fn quotient(div: i64) -> String {
    if div == 1 { String::new() } else { format!(" floordiv {div}") }
}

/// Checks every plan below the root; `false`, after errors, where one relies on more than is proven.
pub fn check(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let reader = Reader::new(options);
    walk::matching(ir.root(), |op| op == PlannedOp::NAME).into_iter().fold(true, |sound, op| {
        let outcome = guard::quiet(|| holds(op, &reader));
        let outcome = outcome.unwrap_or_else(|panicked| Err(panicked.into()));
        sound & outcome.map_err(|reason| Diagnostic::error(reason.to_string()).emit(op)).is_ok()
    })
}

fn holds(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<(), AssumedError> {
    let op = PlannedOp(op);
    let plan = op.plan().ok_or(EmitError::Sides)?;
    plan.verify()?;
    let carried = plan.carried().ok_or(EmitError::Sides)?;
    for role in carried.roles() {
        let (side, buffer) = carried.side(role).zip(op.buffer(role)).ok_or(EmitError::Operands)?;
        let (needed, proven) = (side.align_bytes, reader.alignment(buffer));
        if needed < 1 || proven % needed != 0 {
            return Err(AssumedError::Alignment { needed, role, proven });
        }
    }
    let zeros = carried.mask().is_some_and(|mask| mask.fill == Some(Fill::Zero));
    if zeros && op.filler().is_none_or(|value| mask::fill(Filler::Value(value)) != Fill::Zero) {
        return Err(AssumedError::Zero);
    }
    residues(op, plan.clone())
}

/// Checks what is assumed of the run-time values.
fn residues(op: PlannedOp<'_, '_>, mut plan: CopyPlan) -> Result<(), AssumedError> {
    let mut wrong = None;
    let carried = plan.carried_mut().ok_or(EmitError::Sides)?;
    carried.each_value(&mut |used| {
        let value = op.values(used.list).get(*used.index).copied();
        if !value.is_some_and(|value| is_proven(value, &used)) {
            let ValueUse { list, index, div, divisor, residue } = used;
            wrong = Some(AssumedError::Residue { list, index: *index, div, divisor, residue });
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
