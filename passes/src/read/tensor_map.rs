//! What a copy through tensor maps requests, and the tensor that they describe.

use melior::ir::attribute::FloatAttribute;
use melior::ir::{Value, ValueLike};
use tile_dialect::TensorMapType;
use tile_dialect::ir::defining_op;
use tile_dialect::ops::{CopyOp, Filler, Offset};
use tile_isa::Space;
use tile_layout::OPEN;
use tile_ops::tile;
use tile_plan::families::tensor_map::{MapElement, TMA, max_filter_offset};
use tile_plan::problem::role::Role;
use tile_plan::problem::tensor_map::{MapRequest, OutOfBounds, PixelBox};

use super::{divisibility, mask, name, root, run_time};
use crate::read::error::ReadError;

/// Whether a copy goes through tensor maps: those that it names, or some that `--tile-make-maps` makes for it. Nothing else takes
/// rows by their numbers, another end, or pixels of images.
pub fn is_requested(copy: CopyOp<'_, '_>) -> bool {
    let by_clause = !copy.rows().is_empty() || copy.until().is_some() || copy.im2col().is_some();
    !copy.maps().is_empty() || by_clause || copy.is_async() && copy.variant().as_deref() == Some(TMA)
}

/// What a copy requests that goes through the maps that it names, or through maps that are still to be made.
///
/// # Errors
/// A masked region of a part of a tensor: a map knows the bounds of the whole only.
pub fn request(copy: CopyOp<'_, '_>, masked: bool) -> Result<MapRequest, ReadError> {
    if masked {
        check_bounds(copy)?;
    }
    let im2col = copy.im2col();
    if let Some(walk) = im2col {
        check_walk(copy, walk)?;
    }
    let given = copy.maps().first().and_then(|map| TensorMapType::from_type(map.r#type())?.map());
    let fill = if copy.filler().is_some_and(is_nan) { OutOfBounds::Nan } else { OutOfBounds::Zero };
    Ok(MapRequest {
        clips: masked,
        fill,
        promotion: given.as_ref().map(|map| map.promotion),
        rows: !copy.rows().is_empty(),
        until: copy.until().is_some(),
        tf32: given.is_some_and(|map| map.element == MapElement::TFloat32),
        im2col,
    })
}

/// The role of the tensor that maps describe: the one in global memory.
pub fn tensor(copy: CopyOp<'_, '_>) -> Option<Role> {
    let is_global = |role: &Role| copy.operand(*role).is_some_and(|operand| operand.buffer.space() == Space::Global);
    copy.roles().find(is_global)
}

/// The tile of which `tile` is a part, at any run-time place: the one that a map describes.
pub fn whole<'c: 'a, 'a>(tile: Value<'c, 'a>) -> Value<'c, 'a> {
    let part_of = |tile: &Value<'c, 'a>| {
        let op = defining_op(*tile).filter(|&op| name(op) == tile::SubviewOp::NAME)?;
        Some(tile::SubviewOp::cast(op)?.source())
    };
    std::iter::successors(Some(tile), part_of).last().unwrap_or(tile)
}

/// What the extent of each dimension is a multiple of, in the tile of which `tile` is a part.
pub fn extent_divisors(tile: Value<'_, '_>) -> Vec<i64> {
    let mut divisors = Vec::new();
    for (dimension, extent) in run_time::extents(whole(tile)) {
        divisors.resize(dimension, 1);
        divisors.push(extent.known().factor().saturating_abs());
    }
    divisors
}

/// Whether a masked region has to begin inside in that dimension: the engine stores no box that starts before its tensor, and rows that
/// end at another one than the tensor's last are counted from there.
pub fn begins_inside(copy: CopyOp<'_, '_>, role: Role, dimension: usize) -> bool {
    let is_counted = role == Role::Dst || copy.until().is_some() && dimension == 0;
    is_counted && is_requested(copy) && tensor(copy) == Some(role)
}

fn check_bounds(copy: CopyOp<'_, '_>) -> Result<(), ReadError> {
    // The copy's begins are run-time values to its plan, whatever is known of them.
    let starts = mask::bounds(copy).into_iter().filter(|bound| begins_inside(copy, bound.role, bound.dimension));
    let before =
        starts.filter_map(|bound| Some((bound.role, bound.begin.known().constant().filter(|&start| start < 0)?)));
    if let Some((role, start)) = before.into_iter().next() {
        return Err(match role {
            Role::Dst => ReadError::StoreStart(start),
            Role::Src => ReadError::FirstRow(start),
        });
    }
    let tensor = tensor(copy).and_then(|role| copy.operand(role)).map(|operand| operand.value);
    if tensor.is_some_and(|tile| root::parts(tile).is_empty()) {
        return Ok(());
    }
    Err(ReadError::PartMasked)
}

/// Checks that a copy of pixels begins at one that a filter begins at, and that offsets of the filter are such, as far as they are
/// known.
fn check_walk(copy: CopyOp<'_, '_>, walk: PixelBox) -> Result<(), ReadError> {
    let Some(images) = tensor(copy).and_then(|role| copy.operand(role)) else { return Ok(()) };
    let (shape, most) = (images.buffer.shape(), max_filter_offset(images.buffer.shape().len()));
    let known = |value| divisibility::infer(value).constant();
    for (index, &offset) in copy.filter().iter().enumerate() {
        if let Some(got) = known(offset).filter(|got| !(0..=most).contains(got)) {
            let rank = shape.len();
            return Err(ReadError::FilterOffset { got, index, most, rank });
        }
    }
    for dimension in 1..shape.len() - 1 {
        let place = shape.len() - 2 - dimension;
        let begin = match images.region.offsets[dimension] {
            Offset::Constant(begin) => Some(begin),
            Offset::Value(value) => known(value),
        };
        let (first, extent) = (walk.lower[place], shape[dimension]);
        let end = if extent == OPEN { i64::MAX } else { extent.saturating_add(walk.upper[place]) };
        if let Some(got) = begin.filter(|begin| !(first..end).contains(begin)) {
            let last = (extent != OPEN).then_some(end - 1);
            return Err(ReadError::Pixel { got, dimension, first, last });
        }
    }
    Ok(())
}

fn is_nan(filler: Filler<'_, '_>) -> bool {
    let float = mask::constant(filler).and_then(|attribute| FloatAttribute::try_from(attribute).ok());
    float.is_some_and(|float| float.value().is_nan())
}
