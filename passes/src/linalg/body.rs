//! What the body of an op computes, and copies of it in the regions of tile ops.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Value};
use tile_dialect::ir::{Parts, arguments_of, defining_op, results_of, uses};
use tile_isa::Clause;
use tile_ops::tile::ReduceKind;
use tile_ops::{Builder, arith, linalg};
use tile_plan::linalg::{CombinedTerm, LinalgBody, LinalgRefusal};

use crate::read::name;
use crate::read::values::key;
use crate::shim::memory_effects;

/// The ops that combine two elements, and how a reduction does; those without a kind by a copy of the op.
const COMBINERS: [(&str, ReduceKind); 15] = [
    (arith::AddFOp::NAME, ReduceKind::Add),
    (arith::AddIOp::NAME, ReduceKind::Add),
    (arith::MulFOp::NAME, ReduceKind::Mul),
    (arith::MulIOp::NAME, ReduceKind::Mul),
    (arith::MaximumFOp::NAME, ReduceKind::Max),
    (arith::MaxSIOp::NAME, ReduceKind::Max),
    (arith::MinimumFOp::NAME, ReduceKind::Min),
    (arith::MinSIOp::NAME, ReduceKind::Min),
    (arith::MaxUIOp::NAME, ReduceKind::UMax),
    (arith::MinUIOp::NAME, ReduceKind::UMin),
    (arith::AndIOp::NAME, ReduceKind::And),
    (arith::OrIOp::NAME, ReduceKind::Or),
    (arith::XOrIOp::NAME, ReduceKind::Xor),
    (arith::MaxNumFOp::NAME, ReduceKind::Custom),
    (arith::MinNumFOp::NAME, ReduceKind::Custom),
];

/// The ops that extend a factor to the type of the sums, and how the product reads it.
const EXTENSIONS: [(&str, Option<Clause>); 3] = [
    (arith::ExtFOp::NAME, None),
    (arith::ExtSIOp::NAME, Some(Clause::Signed)),
    (arith::ExtUIOp::NAME, Some(Clause::Unsigned)),
];

/// The op in a body that combines the result with a term.
pub struct BodyCombination<'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// How a reduction does it.
    pub kind: ReduceKind,
    /// The term.
    pub term: Value<'c, 'a>,
    /// The result so far.
    pub result: Value<'c, 'a>,
}

/// What a body computes of these inputs, some of which are scalars.
///
/// # Errors
/// It has an op that a region of a tile op cannot have.
pub fn read<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    inputs: usize,
    is_scalar: impl Fn(usize) -> bool,
) -> Result<LinalgBody, LinalgRefusal> {
    let is_other = |op: &OperationRef<'_, '_>| {
        let effects = memory_effects(*op);
        op.region_count() > 0 || effects.reads || effects.writes
    };
    if let Some(other) = ops(block).into_iter().find(is_other) {
        return Err(LinalgRefusal::BodyOp { op: name(other).to_owned() });
    }
    let arguments = arguments_of(block);
    let reached = reached(block, &yielded(block), |_| false);
    let is_element = |(number, argument): (usize, &Value<'c, 'a>)| {
        reached.contains(&key(*argument)) && !(number < inputs && is_scalar(number))
    };
    if !arguments.iter().enumerate().any(is_element) && !has_coordinates(block, &reached) {
        return Ok(LinalgBody::Uniform);
    }
    let input = |value: Value<'_, '_>| arguments[..inputs].iter().position(|argument| key(*argument) == key(value));
    let element = yielded(block).first().copied().and_then(input);
    if let (Some(element), 1) = (element, arguments.len() - inputs) {
        return Ok(LinalgBody::Element(element));
    }
    let Some(combination) = combination(block, inputs) else { return Ok(LinalgBody::Function) };
    let term = match (input(combination.term), factors(combination.term)) {
        (Some(element), _) => CombinedTerm::Element(element),
        (None, Some([a, b])) => match (input(a.value), input(b.value)) {
            (Some(a), Some(b)) => CombinedTerm::Product([a, b]),
            _ => CombinedTerm::Function,
        },
        (None, None) => CombinedTerm::Function,
    };
    let is_sum = combination.kind == ReduceKind::Add;
    Ok(LinalgBody::Combined { is_sum, term })
}

/// The ops of a body but the last, which passes the results on.
pub fn ops<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let all = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    all.filter(|op| op.next_in_block().is_some()).collect()
}

/// What a body passes on.
pub fn yielded<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let last = std::iter::successors(block.first_operation(), |op| op.next_in_block()).last();
    last.map(|last| (0..last.operand_count()).filter_map(|index| last.operand_at(index)).collect()).unwrap_or_default()
}

/// The combination of the only result with a term, if a body is one.
pub fn combination<'c: 'a, 'a>(block: BlockRef<'c, 'a>, inputs: usize) -> Option<BodyCombination<'c, 'a>> {
    let [result] = arguments_of(block)[inputs..] else { return None };
    let [last] = yielded(block)[..] else { return None };
    let op = defining_op(last).filter(|op| op.operand_count() == 2 && ops(block).contains(op))?;
    let (_, kind) = COMBINERS.into_iter().find(|(combiner, _)| *combiner == name(op))?;
    let [a, b] = [op.operand_at(0)?, op.operand_at(1)?];
    let term = if key(a) == key(result) { b } else { a };
    let is_combined = [a, b].iter().any(|value| key(*value) == key(result)) && uses(result).len() == 1;
    is_combined.then_some(BodyCombination { op, kind, term, result })
}

/// A factor of a product, and how it is read.
#[derive(Clone, Copy)]
pub struct FactorElement<'c, 'a> {
    /// Its element, before it is extended.
    pub value: Value<'c, 'a>,
    /// How the product reads it.
    pub clause: Option<Clause>,
}

/// The factors of a product of elements.
pub fn factors<'c: 'a, 'a>(product: Value<'c, 'a>) -> Option<[FactorElement<'c, 'a>; 2]> {
    let op = defining_op(product).filter(|op| [arith::MulFOp::NAME, arith::MulIOp::NAME].contains(&name(*op)))?;
    Some([factor(op.operand_at(0)?), factor(op.operand_at(1)?)])
}

fn factor<'c: 'a, 'a>(value: Value<'c, 'a>) -> FactorElement<'c, 'a> {
    let extension = defining_op(value).and_then(|op| {
        let (_, clause) = EXTENSIONS.into_iter().find(|(extension, _)| *extension == name(op))?;
        Some(FactorElement { value: op.operand_at(0)?, clause })
    });
    extension.unwrap_or(FactorElement { value, clause: None })
}

/// The values of a body that these depend on, themselves included, by their identity; what those that are known depend on is not.
pub fn reached<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    wanted: &[Value<'c, 'a>],
    known: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut reached: Vec<usize> = wanted.iter().map(|value| key(*value)).collect();
    for op in ops(block).into_iter().rev() {
        if results_of(op).into_iter().map(key).any(|result| reached.contains(&result) && !known(result)) {
            reached.extend((0..op.operand_count()).filter_map(|index| op.operand_at(index)).map(key));
        }
    }
    reached
}

/// Values from outside of a body that its ops use.
pub fn captured<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let inside: Vec<usize> =
        arguments_of(block).into_iter().chain(ops(block).into_iter().flat_map(results_of)).map(key).collect();
    let operands =
        ops(block).into_iter().flat_map(|op| (0..op.operand_count()).filter_map(move |index| op.operand_at(index)));
    let all = operands.chain(yielded(block));
    all.filter(|value| !inside.contains(&key(*value))).collect()
}

/// Whether some of what is reached in a body is a coordinate.
pub fn has_coordinates(block: BlockRef<'_, '_>, reached: &[usize]) -> bool {
    let is_reached =
        |op: &OperationRef<'_, '_>| results_of(*op).into_iter().map(key).any(|result| reached.contains(&result));
    ops(block).iter().any(|op| linalg::IndexOp::cast(*op).is_some() && is_reached(op))
}

/// Copies the ops of a body; `values` are those of its arguments, and of values whose ops are not copied. `coordinate` is that of a
/// loop. What `wanted` become.
pub fn copied<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    values: &[(Value<'c, 'a>, Value<'c, 'a>)],
    coordinate: impl Fn(usize) -> Option<Value<'c, 'a>>,
    wanted: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let mut known: HashMap<usize, Value<'c, 'a>> = values.iter().map(|(from, to)| (key(*from), *to)).collect();
    let current =
        |known: &HashMap<usize, Value<'c, 'a>>, value: Value<'c, 'a>| known.get(&key(value)).copied().unwrap_or(value);
    let reached = reached(block, wanted, |value| known.contains_key(&value));
    for op in ops(block) {
        let results = results_of(op);
        let is_needed = |result: &Value<'c, 'a>| reached.contains(&key(*result)) && !known.contains_key(&key(*result));
        if !results.iter().any(is_needed) {
            continue;
        }
        if let Some(index) = linalg::IndexOp::cast(op) {
            let number = index.dim().and_then(|number| usize::try_from(number).ok());
            if let (Some(value), [result]) = (number.and_then(&coordinate), &results[..]) {
                known.insert(key(*result), value);
            }
            continue;
        }
        let operands = (0..op.operand_count()).filter_map(|index| op.operand_at(index));
        let operands: Vec<_> = operands.map(|value| current(&known, value)).collect();
        let copy = builder.rewriter.insert_clone(op, &operands);
        known.extend(results.into_iter().map(key).zip(results_of(copy)));
    }
    wanted.iter().map(|value| current(&known, *value)).collect()
}
