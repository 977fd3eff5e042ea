//! An op of `linalg`, or a `memref.copy`, as the planner sees it.

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{AttributeLike, BlockRef, OperationRef, RegionLike, ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::{self as memrefs, DYNAMIC};
use tile_ops::{linalg, memref};
use tile_plan::linalg::{LinalgBody, LinalgRefusal, StructuredOp};

use super::body;
use crate::read::name;
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

/// The transform that writes an op as simpler ones.
const DECOMPOSE: &str = "transform.structured.decompose_interface";

/// Reads an op; `None` for one that is not converted.
pub fn read<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<StructuredReading<'c, 'a>, LinalgRefusal>> {
    let operands: Vec<_> = (0..op.operand_count()).filter_map(|index| op.operand_at(index)).collect();
    if name(op) == memref::CopyOp::NAME {
        return Some(copy(operands));
    }
    if let Some(raw) = shim::structured(op) {
        return Some(
            raw.is_bufferized.then_some(()).ok_or(LinalgRefusal::Tensors).and_then(|()| structured(op, operands, &raw)),
        );
    }
    let is_in_body = op.parent_operation().is_some_and(|parent| shim::structured(parent).is_some());
    let is_composed = name(op).starts_with(linalg::PREFIX) && !is_in_body && op.operand_count() > 0;
    is_composed.then(|| Err(LinalgRefusal::Composed { name: name(op).to_owned(), by: DECOMPOSE }))
}

/// The type of a memref; `None` for another value.
pub fn memref_type<'c>(value: Value<'c, '_>) -> Option<MemRefType<'c>> {
    MemRefType::try_from(value.r#type()).ok()
}

fn copy<'c: 'a, 'a>(operands: Vec<Value<'c, 'a>>) -> Result<StructuredReading<'c, 'a>, LinalgRefusal> {
    let types = operands.iter().filter_map(|value| memref_type(*value)).collect::<Vec<_>>();
    let [from, _] = &types[..] else { return Err(LinalgRefusal::Tensors) };
    if from.rank() == 0 {
        return Err(LinalgRefusal::Tensors);
    }
    let loops: Vec<usize> = (0..from.rank()).collect();
    let maps = vec![Some(loops.clone()), Some(loops)];
    let (extents, is_open) = extents(&operands, &maps, from.rank())?;
    let structured = StructuredOp {
        reduces: vec![false; extents.len()],
        extents,
        is_open,
        maps,
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
    let maps = loops(raw.maps, operands.len());
    let block = op.region_at(0).and_then(|region| region.first_block()).ok_or(LinalgRefusal::NotCombined)?;
    let (extents, is_open) = extents(&operands, &maps, raw.loops)?;
    let structured = StructuredOp {
        extents,
        is_open,
        reduces: (0..raw.loops).map(|number| raw.reductions >> number & 1 == 1).collect(),
        maps,
        inputs: raw.inputs,
        body: body::read(block, raw.inputs)?,
    };
    Ok(StructuredReading { structured, operands, body: Some(block) })
}

/// The extents of loops, as the operands that they index have them: where all leave one to run time, the least that bounds it.
fn extents(
    operands: &[Value<'_, '_>],
    maps: &[Option<Vec<usize>>],
    loops: usize,
) -> Result<(Vec<i64>, Vec<bool>), LinalgRefusal> {
    let (mut known, mut bounds) = (vec![None; loops], vec![None::<i64>; loops]);
    for (value, map) in operands.iter().zip(maps) {
        let Some(memref) = memref_type(*value) else { continue };
        if memref.rank() == 0 {
            return Err(LinalgRefusal::Tensors);
        }
        for ((dimension, extent), &number) in memrefs::extents(memref).into_iter().enumerate().zip(map.iter().flatten())
        {
            if extent == DYNAMIC {
                let bound = shim::most_extent(*value, dimension);
                bounds[number] = bounds[number].into_iter().chain(bound).min();
            } else {
                known[number] = Some(extent);
            }
        }
    }
    let is_open = known.iter().map(Option::is_none).collect();
    let extent = |(number, (known, bound)): (usize, (Option<i64>, Option<i64>))| {
        known.or(bound).ok_or(LinalgRefusal::Unbounded { number })
    };
    let extents: Result<Vec<i64>, _> = known.into_iter().zip(bounds).enumerate().map(extent).collect();
    Ok((extents?, is_open))
}

/// The loops that index each operand.
fn loops(maps: melior::ir::Attribute<'_>, operands: usize) -> Vec<Option<Vec<usize>>> {
    let Ok(array) = ArrayAttribute::try_from(maps) else { return vec![None; operands] };
    (0..operands).map(|index| array.element(index).ok().and_then(loops_of)).collect()
}

/// The dimensions that a map has as its results; `None` where a result is something else.
fn loops_of(map: melior::ir::Attribute<'_>) -> Option<Vec<usize>> {
    use mlir_sys::{
        mlirAffineDimExprGetPosition, mlirAffineExprIsADim, mlirAffineMapAttrGetValue, mlirAffineMapGetNumResults,
        mlirAffineMapGetResult, mlirAttributeIsAAffineMap,
    };
    // SAFETY: the attribute is alive, its map is taken only if it has one, and only results in range are read.
    unsafe {
        if !mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        let map = mlirAffineMapAttrGetValue(map.to_raw());
        let result = |index| mlirAffineMapGetResult(map, index);
        let dimension =
            |index| mlirAffineExprIsADim(result(index)).then(|| mlirAffineDimExprGetPosition(result(index)) as usize);
        (0..mlirAffineMapGetNumResults(map)).map(dimension).collect()
    }
}
