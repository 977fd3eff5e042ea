//! `tile.tmem`: the tile fits tensor memory.

use crate::ir::Parts;
use melior::ir::{OperationRef, ValueLike};
use tile_isa::TENSOR_COLUMNS;
use tile_layout::Axis;

use super::outcome;
use crate::memref::bit_width;
use crate::{BufferType, Space};

pub(crate) fn tmem(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), String> {
    let result = op.result_at(0).ok_or("has too few operands or results")?.r#type();
    let buffer = BufferType::from_type(result).ok_or_else(|| format!("got {result}, expected a tile.buffer"))?;
    if buffer.space() != Space::Tmem {
        return Err(format!("got space {}, expected tmem", buffer.space().name()));
    }
    let bits = match bit_width(buffer.element()) {
        Some(bits @ (8 | 16 | 32)) => i64::from(bits),
        _ => return Err(format!("got elements of type {}, expected 8, 16 or 32 bits", buffer.element())),
    };
    let columns = buffer.layout().span(Axis::TCol).saturating_mul(bits).saturating_add(31) / 32;
    if columns > TENSOR_COLUMNS {
        return Err(format!("the layout reaches {columns} columns of 32 bits, expected at most {TENSOR_COLUMNS}"));
    }
    Ok(())
}
