//! `tile.register_copy`.

use melior::ir::OperationRef;
use tile_isa::lanes::{check_digit_exchanges, check_packed};

use super::sides::sides;
use super::vector::shares;
use crate::Space;
use crate::memref::bit_width;
use crate::ops::{StageOp, conversion, integers};

pub(super) fn registers(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    conversion(op, src.buffer, dst.buffer)?;
    let moved = [src.buffer, dst.buffer].map(|buffer| bit_width(buffer.element()).unwrap_or(0)).into_iter().min();
    let moved = moved.unwrap_or(0);
    if (src.buffer.space(), dst.buffer.space()) != (Space::Local, Space::Local) {
        let (from, to) = (src.buffer.space().name(), dst.buffer.space().name());
        return Err(format!("got {from} to {to}, expected local to local"));
    }
    shares(op)?;
    check_digit_exchanges(&integers(op, "exchanges"), src.layout.shard.len())?;
    let packed = StageOp(op).integer("packed").unwrap_or(0);
    let packed = usize::try_from(packed).map_err(|_| format!("got packed = {packed}, expected no less than 0"))?;
    check_packed(packed, src.layout.shard.len(), moved)
}
