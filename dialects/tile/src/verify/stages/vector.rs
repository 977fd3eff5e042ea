//! The ops between the passes: numbers that fit each other, so that later passes may rely on them.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_isa::lanes::{check_digit_exchanges, check_packed};
use tile_isa::matrix::matrix_loads;
use tile_isa::rounds::check_accesses;
use tile_isa::words::one_of;
use tile_isa::{Conversion, MatrixShape, Rounds, Transfer, check_elected, check_threads};

use super::copy::{effect, filler as copy_filler};
use super::sides::sides;
use super::{bulk, copy, hints, outcome, tensor};
use crate::memref::bit_width;
use crate::ops::{StageOp, conversion, integers, string};
use crate::{BufferType, Space};

pub(crate) fn stage(op: OperationRef<'_, '_>) -> bool {
    let name = op.name();
    match name.as_string_ref().as_str().unwrap_or_default() {
        "tile.scalar_copy" => copy(op) && outcome(op, scalar(op)),
        "tile.aligned_copy" => outcome(op, aligned(op)),
        "tile.vector_copy" => outcome(op, vector(op)),
        "tile.register_copy" => outcome(op, registers(op)),
        "tile.tensor_copy" => outcome(op, tensor::copy(op)),
        "tile.tensor_access" => outcome(op, tensor::access(op)),
        "tile.bulk_copy" => outcome(op, bulk::bulk(op)),
        _ => outcome(op, matrix(op)),
    }
}

fn scalar(op: OperationRef<'_, '_>) -> Result<(), String> {
    let by = string(op, "by").unwrap_or_default();
    one_of("by", &by, ["everyone", "elected", "elected_in_block", "owners"])?;
    check_elected(&by, &integers(op, "threads"))
}

fn aligned(op: OperationRef<'_, '_>) -> Result<(), String> {
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

/// Width of the wider element of the two sides.
fn widest(src: BufferType<'_>, conversion: Option<Conversion>) -> u32 {
    let own = bit_width(src.element()).unwrap_or(0);
    conversion.map_or(own, |conversion| conversion.from.bits().max(conversion.to.bits()))
}

/// Two values and three numbers of each limit; three numbers of each digit.
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

/// How the threads share loads and stores, and what these carry.
fn shares(op: OperationRef<'_, '_>) -> Result<(), String> {
    hints(op)?;
    check_threads(StageOp(op).integer("threads").unwrap_or(0))?;
    if op.has_attribute("zero_fill") && StageOp(op).predicate().is_none() {
        return Err("got zero_fill without a predicate that says where to fill".to_owned());
    }
    Ok(())
}

fn vector(op: OperationRef<'_, '_>) -> Result<(), String> {
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

fn registers(op: OperationRef<'_, '_>) -> Result<(), String> {
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

fn matrix(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    MatrixShape::of(&integers(op, "shape"), src.layout.size())?;
    matrix_loads(src.buffer.space().name(), dst.buffer.space().name()).map(drop)
}
