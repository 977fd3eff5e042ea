//! The storage of buffers, and its alignment.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, uses};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, PlannedOp, UpdateMapOp, defining_op};
use tile_layout::Axis;
use tile_ops::tile;
use tile_plan::families::tensor_map::BOX_ALIGN;

use super::root::root;
use super::{kernel, name, tensor_map, values};
use crate::read::error::ReadError;

/// The alignment of storage that the compiler makes, in bytes: the widest vector of its space.
///
/// Swizzled shared memory is aligned to the period of its swizzle, so that hardware that exchanges bits of the address
/// exchanges those of the layout.
const SHARED_BYTES: i64 = 16;
const LOCAL_BYTES: i64 = 32;

/// Columns of 32 bits that a tile in tensor memory spans.
pub fn tensor_columns(buffer: BufferType<'_>) -> i64 {
    let bits = i64::from(bit_width(buffer.element()).unwrap_or(32));
    (buffer.layout().span(Axis::TCol) * bits + 31) / 32
}

/// Checks that the op that defines a buffer's memory is in sight, and that the storage belongs to `function`.
///
/// # Errors
/// What defines it instead.
pub fn is_defined(buffer: Value<'_, '_>, function: OperationRef<'_, '_>) -> Result<(), ReadError> {
    const KNOWN: [&str; 3] = [tile::ViewOp::NAME, tile::AllocOp::NAME, tile::TmemOp::NAME];
    let buffer = root(buffer);
    let got = match defining_op(buffer).map(name) {
        Some(op) if KNOWN.contains(&op) => return is_own(buffer, function),
        Some(op) => format!("is defined by {op}"),
        None if kernel::is_entry(function) => return Err(ReadError::KernelArgument),
        None => "is a block argument".to_owned(),
    };
    Err(ReadError::Undefined(got))
}

/// A launch sees the buffers around it. It may use memory that one of them names; memory that one of them would
/// allocate belongs to no kernel.
fn is_own(buffer: Value<'_, '_>, function: OperationRef<'_, '_>) -> Result<(), ReadError> {
    let allocates = defining_op(buffer).is_some_and(|op| name(op) == tile::AllocOp::NAME);
    if allocates && kernel::is_launch(function) && kernel::is_captured(buffer, function.to_raw().ptr as usize) {
        return Err(ReadError::OutsideLaunch);
    }
    Ok(())
}

/// The alignment that the storage of a `tile.alloc` will have, in bytes.
pub fn alloc_alignment(op: OperationRef<'_, '_>) -> i64 {
    let buffer = op.result_at(0).and_then(|result| BufferType::from_type(result.r#type()));
    let needed = buffer.map_or(1, |buffer| match buffer.space() {
        tile_dialect::Space::Local => LOCAL_BYTES,
        _ => SHARED_BYTES.max(swizzle_bytes(buffer)).max(if holds_boxes(op) { BOX_ALIGN } else { 1 }),
    });
    tile::AllocOp::cast(op).and_then(|alloc| alloc.alignment()).unwrap_or(1).max(needed)
}

/// Whether copies through tensor maps, or changes of these, use the tile that an op makes, or a view of it.
fn holds_boxes(op: OperationRef<'_, '_>) -> bool {
    op.result_at(0).is_some_and(|tile| {
        uses(tile.into()).into_iter().any(|(user, _)| match name(user) {
            tile::CopyAsyncOp::NAME => tensor_map::is_requested(CopyOp(user)),
            tile::PlannedCopyOp::NAME => !PlannedOp(user).maps().is_empty(),
            UpdateMapOp::NAME => true,
            _ => values::is_view(user) && holds_boxes(user),
        })
    })
}

/// The period of a buffer's swizzle in bytes; 1 where no hardware swizzle can have that period.
fn swizzle_bytes(buffer: BufferType<'_>) -> i64 {
    const MAX_PERIOD_BYTES: i64 = 1024;
    let bytes = i64::from(bit_width(buffer.element()).unwrap_or(8) / 8);
    let swizzle = buffer.layout().swizzle.filter(|swizzle| swizzle.len > 0);
    let period = swizzle.map_or(1, |swizzle| swizzle.period().saturating_mul(bytes.max(1)));
    if period <= MAX_PERIOD_BYTES && period & (period - 1) == 0 { period } else { 1 }
}
