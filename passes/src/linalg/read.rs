//! An op of `linalg`, or a `memref.copy`, as the planner sees it.

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{BlockRef, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::{Parts, arguments_of};
use tile_dialect::memref::{DYNAMIC, bit_width};
use tile_isa::NumberFormat;
use tile_ops::{linalg, memref};
use tile_plan::linalg::form::{LoopSum, UNBOUNDED, maps};
use tile_plan::linalg::{CombinedTerm, LinalgBody, LinalgRefusal, StructuredOp, product};

use super::tiles::{memref_type, shape};
use super::{affine, body, tiles};
use crate::read::name;
use crate::read::values::key;
use crate::shim;

/// An op, read.
pub struct StructuredReading<'c, 'a> {
    /// What the planner sees.
    pub structured: StructuredOp,
    /// The inputs, then the results.
    pub operands: Vec<Value<'c, 'a>>,
    /// The body; none of a `memref.copy`.
    pub body: Option<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> StructuredReading<'c, 'a> {
    /// The value that all elements of a result become, where it is a scalar or a constant.
    pub fn filled(&self, result: usize) -> Option<Value<'c, 'a>> {
        let block = self.body?;
        let value = *body::yielded(block).get(result.checked_sub(self.structured.inputs)?)?;
        let scalar = arguments_of(block).into_iter().position(|argument| key(argument) == key(value));
        Some(scalar.map_or(value, |input| self.operands[input]))
    }

    /// The inputs whose elements are multiplied and added to the result; `None` of an op that is no product.
    pub fn factors(&self) -> Option<[usize; 2]> {
        match self.structured.body {
            LinalgBody::Combined { is_sum: true, term: CombinedTerm::Product(factors) } => Some(factors),
            _ => None,
        }
    }
}

/// The transform that writes an op as simpler ones.
const DECOMPOSE: &str = "transform.structured.decompose_interface";

/// Reads an op; `None` for one that is not converted.
pub fn read<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<StructuredReading<'c, 'a>, LinalgRefusal>> {
    let operands: Vec<_> = (0..op.operand_count()).filter_map(|index| op.operand_at(index)).collect();
    if name(op) == memref::CopyOp::NAME {
        return Some(copy(operands));
    }
    if let Some(raw) = shim::structured(op) {
        let bufferized = raw.is_bufferized.then_some(()).ok_or(LinalgRefusal::Tensors);
        return Some(bufferized.and_then(|()| structured(op, operands, &raw)));
    }
    let is_in_body = op.parent_operation().is_some_and(|parent| shim::structured(parent).is_some());
    let is_composed = name(op).starts_with(linalg::PREFIX) && !is_in_body && op.operand_count() > 0;
    is_composed.then(|| Err(LinalgRefusal::Composed { name: name(op).to_owned(), by: DECOMPOSE }))
}

/// Reads a structured op, also one on tensors; `None` for another one.
pub fn on_any<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<StructuredReading<'c, 'a>, LinalgRefusal>> {
    let operands: Vec<_> = (0..op.operand_count()).filter_map(|index| op.operand_at(index)).collect();
    shim::structured(op).map(|raw| structured(op, operands, &raw))
}

fn copy<'c: 'a, 'a>(operands: Vec<Value<'c, 'a>>) -> Result<StructuredReading<'c, 'a>, LinalgRefusal> {
    let types = operands.iter().filter_map(|value| memref_type(*value)).collect::<Vec<_>>();
    let [from, _] = &types[..] else { return Err(LinalgRefusal::Tensors) };
    if from.rank() == 0 {
        return Err(LinalgRefusal::Tensors);
    }
    let loops: Vec<LoopSum> = (0..from.rank()).map(|number| vec![(number, 1)]).collect();
    let indices = Indices { operands: vec![loops.clone(), loops], loops: from.rank() };
    let LoopExtents { extents, ends, is_open } = indices.extents(&operands)?;
    let structured = StructuredOp {
        reduces: vec![false; extents.len()],
        extents,
        ends,
        is_open,
        maps: maps(&indices.operands),
        indices: indices.operands,
        multiplies: false,
        bits: bits(&operands),
        inputs: 1,
        body: LinalgBody::Element(0),
    };
    Ok(StructuredReading { structured, operands, body: None })
}

fn structured<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    operands: Vec<Value<'c, 'a>>,
    raw: &shim::RawStructured<'c>,
) -> Result<StructuredReading<'c, 'a>, LinalgRefusal> {
    let indices = Indices::new(raw.maps, operands.len(), raw.loops)?;
    let block = op.region_at(0).and_then(|region| region.first_block()).ok_or(LinalgRefusal::NotCombined)?;
    let LoopExtents { extents, ends, is_open } = indices.extents(&operands)?;
    let body = body::read(block, raw.inputs, |input| shape(operands[input]).is_none())?;
    let structured = StructuredOp {
        extents,
        ends,
        is_open,
        reduces: (0..raw.loops).map(|number| raw.reductions >> number & 1 == 1).collect(),
        maps: maps(&indices.operands),
        indices: indices.operands,
        multiplies: matches!(body, LinalgBody::Combined { term: CombinedTerm::Product(factors), .. } if multiplies(&operands, factors, raw.inputs)),
        bits: bits(&operands),
        inputs: raw.inputs,
        body,
    };
    Ok(StructuredReading { structured, operands, body: Some(block) })
}

/// Whether tiles of the elements of two factors are multiplied and added to those of a result.
fn multiplies(operands: &[Value<'_, '_>], [a, b]: [usize; 2], result: usize) -> bool {
    let number = |operand: usize| {
        let (_, element) = shape(*operands.get(operand)?)?;
        NumberFormat::named(&element.to_string())
    };
    let numbers = number(a).zip(number(b)).zip(number(result));
    numbers.is_some_and(|((a, b), sums)| product::multiplies([a, b, sums]))
}

/// The bits of an element of each operand.
fn bits(operands: &[Value<'_, '_>]) -> Vec<u32> {
    let bits = |value: &Value<'_, '_>| match shape(*value) {
        Some((_, element)) => bit_width(element),
        None => bit_width(value.r#type()),
    };
    operands.iter().map(|value| bits(value).unwrap_or_default()).collect()
}

/// What indexes the dimensions of each operand.
struct Indices {
    operands: Vec<Vec<LoopSum>>,
    /// How many loops there are.
    loops: usize,
}

impl Indices {
    /// Reads the maps of an op.
    fn new(maps: melior::ir::Attribute<'_>, operands: usize, loops: usize) -> Result<Self, LinalgRefusal> {
        let array = ArrayAttribute::try_from(maps).ok();
        let map = |operand| array.and_then(|array| array.element(operand).ok()).and_then(affine::dimensions);
        let operands = (0..operands)
            .map(|operand| map(operand).ok_or(LinalgRefusal::OperandMap { operand }))
            .collect::<Result<_, _>>();
        Ok(Indices { operands: operands?, loops })
    }

    /// The extents of loops, as the operands that they index have them, and whether they are known only at run time: the least that
    /// bounds them is given then.
    fn extents(&self, operands: &[Value<'_, '_>]) -> Result<LoopExtents, LinalgRefusal> {
        let (mut known, mut bounds) = (vec![None; self.loops], vec![None::<i64>; self.loops]);
        let mut held = vec![None; self.loops];
        for (value, dimensions) in operands.iter().zip(&self.operands) {
            let Some((extents, _)) = shape(*value) else { continue };
            if extents.is_empty() {
                return Err(LinalgRefusal::Tensors);
            }
            for (place, (extent, dimension)) in extents.into_iter().zip(dimensions).enumerate() {
                let &[(number, 1)] = &dimension[..] else { continue };
                held[number] = held[number].max(tiles::room(*value).and_then(|shape| shape.get(place).copied()));
                if extent == DYNAMIC {
                    let bound = memref_type(*value).and_then(|_| shim::most_extent(*value, place));
                    bounds[number] = bounds[number].into_iter().chain(bound).min();
                } else {
                    known[number] = Some(extent);
                }
            }
        }
        let mut all = LoopExtents::default();
        for ((known, bound), held) in known.into_iter().zip(bounds).zip(held) {
            let end = known.or(bound).or(held).unwrap_or(UNBOUNDED);
            // The longest tile that one of them is in has its own extent.
            let extent = held.unwrap_or(end);
            all.extents.push(extent);
            all.ends.push(end);
            all.is_open.push(known != Some(extent));
        }
        Ok(all)
    }
}

/// The extents of loops, as [`StructuredOp`] has them.
#[derive(Default)]
struct LoopExtents {
    extents: Vec<i64>,
    ends: Vec<i64>,
    is_open: Vec<bool>,
}
