//! `tile.tensor_map`: a map whose run-time numbers the tile has.

use melior::ir::OperationRef;
use tile_layout::{OPEN, counted};
use tile_plan::families::tensor_map::{Extent, Stride, TensorMap};

use super::{outcome, types};
use crate::memref::bit_width;
use crate::{BufferType, TensorMapType};

pub(crate) fn tensor_map(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (source, result) = types(op).ok_or("expected one operand and one result")?;
    let buffer = BufferType::from_type(source).ok_or("expected a tile")?;
    let map = TensorMapType::from_type(result).and_then(TensorMapType::map).ok_or("expected a tensor map")?;
    describes(&map, buffer)
}

/// Checks that a map can be one of a tile: by its elements, and by the run-time numbers that it refers to.
///
/// # Errors
/// Got and expected.
pub(crate) fn describes(map: &TensorMap, buffer: BufferType<'_>) -> Result<(), String> {
    let (own, element) = (map.element.bytes() * 8, buffer.element());
    if bit_width(element).is_none_or(|bits| bits == 0 || own % i64::from(bits) != 0) {
        return Err(format!("got a map with elements of {own} bits, expected those of {element}, or several as one"));
    }
    let (shape, strides) = (buffer.shape(), buffer.layout().stride_count());
    for dim in &map.dims {
        if let Extent::Of(dimension) = dim.extent
            && shape.get(dimension) != Some(&OPEN)
        {
            return Err(format!("got extent = of({dimension}), expected a dimension '?' of {}", buffer.as_type()));
        }
        if let Stride::Times { stride, .. } = dim.stride
            && stride >= strides
        {
            let known = counted(strides, "run-time stride");
            return Err(format!("got run-time stride {stride}, expected one of {known} of {}", buffer.as_type()));
        }
    }
    Ok(())
}
