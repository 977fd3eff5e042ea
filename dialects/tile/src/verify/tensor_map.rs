//! `tile.tensor_map` and `tile.update_map`: a map whose run-time numbers the tile has.

use melior::ir::{OperationRef, ValueLike};
use tile_isa::Scope;
use tile_layout::{OPEN, counted};
use tile_plan::families::tensor_map::{MAP_BYTES, Stride, TensorMap};

use super::{outcome, row_major, types};
use crate::error::{VerifyError, mismatch};
use crate::ir::Parts;
use crate::memref::bit_width;
use crate::ops::UpdateMapOp;
use crate::{BufferType, TensorMapType};

pub(crate) fn tensor_map(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let (source, result) = types(op).ok_or(VerifyError::Incomplete)?;
    let buffer = BufferType::from_type(source).ok_or(VerifyError::Incomplete)?;
    let map = TensorMapType::from_type(result).and_then(TensorMapType::map).ok_or(VerifyError::Incomplete)?;
    describes(&map, buffer)
}

pub(crate) fn update_map(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_update(op))
}

fn check_update(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let buffer =
        |at| op.operand_at(at).and_then(|value| BufferType::from_type(value.r#type())).ok_or(VerifyError::Incomplete);
    let (tile, workspace, scratch) = (buffer(1)?, buffer(2)?, buffer(3)?);
    let map = op.operand_at(0).and_then(|map| TensorMapType::from_type(map.r#type())?.map());
    let map = map.ok_or(VerifyError::Incomplete)?;
    if map.pixels != 0 {
        let pixels = counted(map.pixels, "pixel");
        return Err(mismatch!("a map of {pixels}"; expected "one of boxes: tensormap.replace changes no other"));
    }
    describes(&map, tile)?;
    for (name, bytes) in [("workspace", workspace), ("scratch", scratch)] {
        let is_plain =
            bytes.shape() == [MAP_BYTES] && row_major(&[MAP_BYTES]).is_ok_and(|dense| dense == bytes.layout());
        if !is_plain || bit_width(bytes.element()) != Some(8) {
            let (got, space) = (bytes.as_type(), bytes.space().name());
            return Err(mismatch!("a {name} of type {got}"; expected "!tile.buffer<{MAP_BYTES}xi8, {space}>"));
        }
    }
    match UpdateMapOp(op).scope() {
        Scope::Warp | Scope::Cta => Ok(()),
        scope => Err(mismatch!("scope({})", scope.name(); expected "scope(warp) or scope(cta)")),
    }
}

/// Checks that a map can be one of a tile: by its elements, and by the run-time numbers that it refers to.
///
/// # Errors
/// Got and expected.
pub(crate) fn describes(map: &TensorMap, buffer: BufferType<'_>) -> Result<(), VerifyError> {
    let (bits, element) = (map.element.bytes() * 8, buffer.element());
    if bit_width(element).is_none_or(|width| width == 0 || bits % i64::from(width) != 0) {
        return Err(mismatch!("a map with elements of {bits} bits"; expected "those of {element}, or several as one"));
    }
    let (shape, strides) = (buffer.shape(), buffer.layout().stride_count());
    for dim in &map.dims {
        if let Some((dimension, _)) = dim.extent.open()
            && shape.get(dimension) != Some(&OPEN)
        {
            return Err(mismatch!("the extent of dimension {dimension}";
                expected "a dimension '?' of {}", buffer.as_type()));
        }
        if let Stride::Times { stride, .. } = dim.stride
            && stride >= strides
        {
            let known = counted(strides, "run-time stride");
            return Err(mismatch!("run-time stride {stride}"; expected "one of {known} of {}", buffer.as_type()));
        }
    }
    Ok(())
}
