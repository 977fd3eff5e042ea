//! Where buffers are, and what their storage is aligned to.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{self, defining_op};

use super::{alignment, name};

/// What storage that we make is aligned to, in bytes: the widest vector of its space.
///
/// Swizzled shared memory is aligned to what its swizzle repeats after, so that hardware which exchanges bits of the
/// address exchanges those of the layout.
const SHARED_BYTES: i64 = 16;
const LOCAL_BYTES: i64 = 32;

/// Tensor memory is allocated in units of 32 columns of 32 bits (PTX ISA, tcgen05.alloc).
const TMEM_BYTES: i64 = 128;

/// Proven alignment of a buffer's first element, in bytes; a kernel's memref arguments have `argument_bytes`.
pub fn aligned_to(buffer: Value<'_, '_>, argument_bytes: i64) -> i64 {
    let Some(op) = defining_op(buffer) else { return 1 };
    match name(op).as_str() {
        "tile.view" => op.operand(0).map_or(1, |memref| alignment::of(memref, argument_bytes)),
        "tile.alloc" => alloc_alignment(op),
        "tile.tmem" => TMEM_BYTES,
        _ => 1,
    }
}

/// Is the op in sight that says where a buffer is?
///
/// # Errors
/// What says it instead.
pub fn is_defined(buffer: Value<'_, '_>) -> Result<(), String> {
    const KNOWN: [&str; 3] = ["tile.view", "tile.alloc", "tile.tmem"];
    let got = match defining_op(buffer).map(name) {
        Some(op) if KNOWN.contains(&op.as_str()) => return Ok(()),
        Some(op) => format!("is defined by {op}"),
        None => "is a block argument".to_owned(),
    };
    Err(format!("uses a buffer that {got}; expected one defined by tile.view, tile.alloc or tile.tmem"))
}

/// What the storage of a `tile.alloc` will be aligned to, in bytes.
pub fn alloc_alignment(op: OperationRef<'_, '_>) -> i64 {
    let buffer = op.result(0).ok().and_then(|result| BufferType::from_type(result.r#type()));
    let needed = buffer.map_or(1, |buffer| match buffer.space() {
        tile_dialect::Space::Local => LOCAL_BYTES,
        _ => SHARED_BYTES.max(swizzle_bytes(buffer)),
    });
    ops::integer(op, "alignment").unwrap_or(1).max(needed)
}

/// Bytes after which the swizzle of a buffer repeats, where no hardware swizzle repeats later.
fn swizzle_bytes(buffer: BufferType<'_>) -> i64 {
    const MOST: i64 = 1024;
    let bytes = i64::from(bit_width(buffer.element()).unwrap_or(8) / 8);
    let swizzle = buffer.layout().swizzle.filter(|swizzle| swizzle.len > 0);
    let period = swizzle.map_or(1, |swizzle| swizzle.period().saturating_mul(bytes.max(1)));
    if period <= MOST && period & (period - 1) == 0 { period } else { 1 }
}
