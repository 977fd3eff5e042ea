//! Full divisions that one reciprocal would replace.

use std::collections::HashSet;

use melior::ir::BlockLike;
use melior::ir::operation::OperationLike;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::argument_of;
use tile_dialect::ops::MapOp;
use tile_ops::arith::{DivFOp, FastMathFlags};
use tile_ops::interface;
use tile_plan::elementwise::MapStep;

use super::MAPS;

/// The *missed* remark of each division of several elements of a thread by the same number of a tile: in full precision it takes some
/// ten instructions for each of them, and `fastmath<arcp>` would allow one reciprocal and a product for each.
pub fn remark_repeated(op: MapOp<'_, '_>, steps: &[MapStep]) {
    let Some(body) = op.body() else { return };
    for inner in std::iter::successors(body.first_operation(), |op| op.next_in_block()) {
        let Some(division) = DivFOp::cast(inner) else { continue };
        let Some((_, source)) = argument_of(division.rhs()).filter(|(block, _)| *block == body) else { continue };
        let is_exact = interface::fast_math(inner).is_none_or(|flags| !flags.contains(FastMathFlags::ARCP));
        let divisors: HashSet<usize> = steps.iter().filter_map(|step| step.sources.get(source).copied()).collect();
        if is_exact && !divisors.is_empty() && divisors.len() < steps.len() {
            let (divisions, reciprocals) = (steps.len(), divisors.len());
            let text = format!(
                "{divisions} full divisions by {reciprocals} different numbers; with fastmath<arcp> they are as many products, and \
                 {reciprocals} reciprocals"
            );
            let args = [("Divisions", divisions.to_string()), ("Reciprocals", reciprocals.to_string())];
            MAPS.emit(inner, RemarkKind::Missed, "full-division", &text, &args);
        }
    }
}
