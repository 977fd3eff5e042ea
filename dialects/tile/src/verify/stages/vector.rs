//! `tile.matched_copy` and `tile.vector_copy`.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_isa::rounds::check_accesses;
use tile_isa::{Conversion, Rounds, Transfer, check_threads};

use super::super::copy::{effect, filler as copy_filler};
use super::super::hints;
use super::sides::sides;
use crate::BufferType;
use crate::memref::bit_width;
use crate::ops::{StageOp, conversion, integers};

pub(super) fn aligned(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    let conversion = conversion(op, src.buffer, dst.buffer)?;
    mask(op, dst.buffer)?;
    effect(op, (src.value, dst.value), StageOp(op).filler(), dst.buffer)?;
    shares(op)?;
    match StageOp(op).integer("forced_bits") {
        Some(bits) => Transfer::LoadStore.check_width(bits, widest(src.buffer, conversion)),
        None => Ok(()),
    }
}

/// The width of the wider element of the two sides.
fn widest(src: BufferType<'_>, conversion: Option<Conversion>) -> u32 {
    let own = bit_width(src.element()).unwrap_or(0);
    conversion.map_or(own, |conversion| conversion.from.bits().max(conversion.to.bits()))
}

/// Checks the mask: two values and three numbers for each limit; three numbers for each digit.
fn mask(op: OperationRef<'_, '_>, dst: BufferType<'_>) -> Result<(), String> {
    let op = StageOp(op);
    let values = op.limits().len();
    let [limited, digits] = ["limited", "coordinates"].map(|name| integers(op.0, name).len());
    if !limited.is_multiple_of(3) || limited / 3 * 2 != values || !digits.is_multiple_of(3) {
        return Err(format!(
            "got {values} values, {limited} numbers of limits and {digits} of digits, expected 2 and 3 for each limit, and 3 for each digit"
        ));
    }
    copy_filler(op.filler(), values > 0 || op.0.has_attribute("filled"), dst)
}

/// Checks how the threads share loads and stores, and the hints on these.
pub(super) fn shares(op: OperationRef<'_, '_>) -> Result<(), String> {
    hints(op)?;
    check_threads(StageOp(op).integer("threads").unwrap_or(0))?;
    let ranks = integers(op, "ranks");
    if op.has_attribute("ranks") && ranks.len().is_multiple_of(2) {
        return Err(format!("got ranks {ranks:?}, expected the first thread, then pairs of an extent and a distance"));
    }
    if op.has_attribute("zero_fill") && StageOp(op).predicate().is_none() {
        return Err("got zero_fill without a predicate that says where to fill".to_owned());
    }
    Ok(())
}

pub(super) fn vector(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    let number = |name| StageOp(op).integer(name);
    let [rounds, threads, vector] = ["rounds", "threads", "vector"].map(|name| number(name).unwrap_or(0));
    let rounds = Rounds { rounds, threads, last: number("last_threads").unwrap_or(threads), vector };
    rounds.check(src.layout.size())?;
    let several = conversion(op, src.buffer, dst.buffer)?.is_some() || op.has_attribute("reduce");
    if op.has_attribute("accesses") {
        check_accesses(&integers(op, "accesses"), vector, several)?;
    }
    mask(op, dst.buffer)?;
    effect(op, (src.value, dst.value), StageOp(op).filler(), dst.buffer)?;
    shares(op)?;
    let decided = StageOp(op).predicate().is_some() || !StageOp(op).limits().is_empty();
    number("exchange").map_or(Ok(()), |lanes| rounds.check_exchange(lanes, decided))
}
