//! `tile.alloc`, `tile.allocs`, `tile.local_view` and `tile.tmem`: tiles fit the memory that they are in.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, ValueLike};
use tile_isa::TENSOR_COLUMNS;
use tile_layout::{Axis, counted};

use super::{outcome, types};
use crate::error::{VerifyError, malformed, mismatch};
use crate::ir::{Parts, results_of};
use crate::ops::integer;
use crate::{BufferType, Space, memref};

pub(crate) fn alloc(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_allocs(op))
}

fn check_allocs(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    if op.result_count() == 0 {
        return Err(mismatch!("no tile"; expected "at least one"));
    }
    results_of(op).into_iter().try_for_each(|tile| check_alloc(op, tile.r#type()))
}

fn check_alloc(op: OperationRef<'_, '_>, result: Type<'_>) -> Result<(), VerifyError> {
    let buffer = BufferType::from_type(result).ok_or_else(|| mismatch!("{result}"; expected "a tile.buffer"))?;
    match buffer.space() {
        Space::Tmem => in_tensor_memory(buffer)?,
        Space::Shared | Space::Local => room(buffer)?,
        Space::Global => return Err(mismatch!("space global"; expected "shared, local or tmem")),
    }
    match integer(op, "alignment") {
        Some(bytes) if buffer.space() == Space::Tmem => Err(mismatch!("alignment {bytes} of tensor memory";
            expected "none: tiles begin at a multiple of 32 columns")),
        Some(bytes) if !(1..=MAX_ALIGNED).contains(&bytes) || bytes & (bytes - 1) != 0 => {
            Err(mismatch!("alignment {bytes}";
            expected "a power of two up to {MAX_ALIGNED}, in bytes"))
        }
        _ => Ok(()),
    }
}

/// The largest alignment, in bytes: more than anything needs, and less than PTX refuses.
const MAX_ALIGNED: i64 = 1 << 16;

/// The most shared memory of a block on any chip (227 KiB), and the most private memory of a thread (512 KiB), from the
/// table of technical specifications per compute capability in the CUDA programming guide.
const MAX_SHARED: i128 = 227 << 10;
const MAX_LOCAL: i128 = 512 << 10;

/// Refuses a tile that no memory has room for: later its size would overflow.
fn room(buffer: BufferType<'_>) -> Result<(), VerifyError> {
    let bits = memref::bit_width(buffer.element()).unwrap_or(8);
    let bytes = i128::from(buffer.layout().memory_span()) * i128::from(bits.div_ceil(8));
    let (most, whose) = match buffer.space() {
        Space::Local => (MAX_LOCAL, "thread"),
        _ => (MAX_SHARED, "block"),
    };
    if bytes <= most {
        return Ok(());
    }
    Err(malformed!("needs {bytes} bytes of {} memory", buffer.space().name();
        expected "at most the {most} of a {whose}"))
}

pub(crate) fn local_view(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_local_view(op))
}

fn check_local_view(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let (source, result) = types(op).ok_or(VerifyError::Incomplete)?;
    let buffer = BufferType::from_type(source).ok_or_else(|| mismatch!("{source}"; expected "a tile.buffer"))?;
    if buffer.is_auto() {
        return Err(mismatch!("{source}";
            expected "a layout, which says how many elements of it each thread holds, and in which order"));
    }
    let expected = buffer.registers_type();
    if result != expected {
        let held = counted(buffer.layout().span(Axis::Memory), "register");
        return Err(mismatch!("{result}"; expected "{expected}: a thread holds {held} of this tile"));
    }
    Ok(())
}

pub(crate) fn tmem(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_tmem(op))
}

fn check_tmem(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let result = op.result_at(0).ok_or(VerifyError::Incomplete)?.r#type();
    let buffer = BufferType::from_type(result).ok_or_else(|| mismatch!("{result}"; expected "a tile.buffer"))?;
    if buffer.space() != Space::Tmem {
        return Err(mismatch!("space {}", buffer.space().name(); expected "tmem"));
    }
    in_tensor_memory(buffer)
}

/// Refuses elements, and layouts, that tensor memory does not have.
fn in_tensor_memory(buffer: BufferType<'_>) -> Result<(), VerifyError> {
    let bits = match memref::bit_width(buffer.element()) {
        Some(bits @ (8 | 16 | 32)) => i64::from(bits),
        _ => return Err(mismatch!("elements of type {}", buffer.element(); expected "8, 16 or 32 bits")),
    };
    let columns = buffer.layout().span(Axis::TCol).saturating_mul(bits).saturating_add(31) / 32;
    if columns > TENSOR_COLUMNS {
        return Err(malformed!("the layout reaches {columns} columns of 32 bits"; expected "at most {TENSOR_COLUMNS}"));
    }
    Ok(())
}
