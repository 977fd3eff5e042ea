//! Factors that the body of a product computes become ops before it, as [`tile_plan::linalg::factors`] decides; C++ writes them.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::arguments_of;
use tile_dialect::memref::bit_width;
use tile_isa::NumberFormat;
use tile_layout::by_x;
use tile_ops::tile::ReduceKind;
use tile_plan::linalg::product::multiplies;
use tile_plan::linalg::{ComputedFactor, FactorRefusal};

use super::team::{self, Team};
use super::{body, read};
use crate::read::problem::Reader;
use crate::read::values::key;
use crate::{report, shim};

/// Computes a factor of a product before the op, where its body computes it from elements of inputs; the op that reads the factor.
pub fn separate<'c: 'a, 'a>(reader: &Reader<'_>, op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let reading = read::read(op)?.ok()?;
    let (structured, block) = (&reading.structured, reading.body?);
    let combination = body::combination(block, structured.inputs).filter(|one| one.kind == ReduceKind::Add)?;
    let factors = body::factors(combination.term)?.map(|factor| factor.value);
    let format = |value: Value<'c, 'a>| NumberFormat::named(&value.r#type().to_string());
    let [a, b] = factors.map(format);
    if !multiplies([a?, b?, format(combination.result)?]) {
        return None;
    }
    let arguments: Vec<usize> = arguments_of(block).into_iter().map(key).collect();
    let inputs = factors.map(|factor| {
        let reached = body::reached(block, &[factor], |_| false);
        let reads: Vec<usize> = (0..arguments.len()).filter(|&number| reached.contains(&arguments[number])).collect();
        let is_of_inputs = reads.iter().all(|&number| number < structured.inputs);
        (is_of_inputs && !body::has_coordinates(block, &reached)).then_some(reads)
    });
    let [of_a, of_b] = inputs;
    let inputs = [of_a?, of_b?];
    let shared_bytes = Team::new(reader, op, team::scope(op)).ok()?.shared_bytes;
    [(0, 1), (1, 0)].into_iter().find_map(|(place, other)| {
        let factor = factors[place];
        let is_computed = !arguments.contains(&key(factor));
        let bits = bit_width(factor.r#type()).filter(|_| is_computed)?;
        let computed = ComputedFactor { inputs: &inputs[place], others: &inputs[other], bits };
        match computed.loops(structured, shared_bytes)? {
            Ok(loops) => {
                report_computed(op, place, &loops);
                shim::separate_factor(op, factor, &loops)
            }
            Err(refusal) => {
                report_refused(op, place, refusal);
                None
            }
        }
    })
}

fn report_computed(op: OperationRef<'_, '_>, place: usize, loops: &[(usize, i64)]) {
    let extents: Vec<i64> = loops.iter().map(|(_, extent)| *extent).collect();
    let text = format!("factor {place} is computed before the product");
    let cause = "factor-computed";
    report::emit(op, RemarkKind::Passed, cause, &text, &[("Extents", by_x(&extents))]);
}

fn report_refused(op: OperationRef<'_, '_>, place: usize, refusal: FactorRefusal) {
    let text = format!("factor {place} is computed with each term, and nothing multiplies matrices");
    let cause = "factor-in-terms";
    report::emit(op, RemarkKind::Missed, cause, &text, &[("Reason", refusal.to_string())]);
}
