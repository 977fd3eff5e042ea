//! The ops between the passes: numbers that fit each other, so that later passes may rely on them.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_isa::MOST_THREADS;
use tile_isa::words::one_of;
use tile_layout::counted;

use super::copy::{effect, filler as copy_filler};
use super::sides::sides;
use super::{copy, hints, outcome, tensor};
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
        "tile.bulk_copy" => outcome(op, tensor::bulk(op)),
        _ => outcome(op, matrix(op)),
    }
}

fn scalar(op: OperationRef<'_, '_>) -> Result<(), String> {
    let by = string(op, "by").unwrap_or_default();
    let threads = integers(op, "threads");
    one_of("by", &by, ["everyone", "elected", "elected_in_block", "owners"])?;
    let (least, most) = match by.as_str() {
        "elected" => (1, 1),
        "elected_in_block" => (1, MOST_THREADS as usize),
        _ => (0, 0),
    };
    let inside = threads.iter().all(|thread| (0..MOST_THREADS).contains(thread));
    if (least..=most).contains(&threads.len()) && inside {
        return Ok(());
    }
    Err(format!(
        "got threads {threads:?} by \"{by}\", expected {least} to {most} of them, each from 0 to {}",
        MOST_THREADS - 1
    ))
}

fn aligned(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    conversion(op, src.buffer, dst.buffer)?;
    mask(op, dst.buffer)?;
    effect(op, (src.value, dst.value), StageOp(op).filler(), dst.buffer)?;
    shares(op)?;
    match StageOp(op).integer("forced_bits") {
        Some(bits) if !(8..=256).contains(&bits) || bits.count_ones() != 1 => {
            Err(format!("got forced_bits = {bits}, expected a power of two from 8 to 256"))
        }
        _ => Ok(()),
    }
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
    let threads = StageOp(op).integer("threads").unwrap_or(0);
    if !(1..=MOST_THREADS).contains(&threads) {
        return Err(format!("got {}, expected 1 to {MOST_THREADS}", counted(threads, "thread")));
    }
    if op.has_attribute("zero_fill") && StageOp(op).predicate().is_none() {
        return Err("got zero_fill without a predicate that says where to fill".to_owned());
    }
    Ok(())
}

fn vector(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    accesses(op, src.buffer, dst.buffer)?;
    mask(op, dst.buffer)?;
    effect(op, (src.value, dst.value), StageOp(op).filler(), dst.buffer)?;
    let number = |name| StageOp(op).integer(name).unwrap_or(0);
    let parts @ [rounds, threads, vector] = [number("rounds"), number("threads"), number("vector")];
    let last = StageOp(op).integer("last_threads").unwrap_or(threads);
    if !(1..=threads).contains(&last) {
        return Err(format!("got last_threads = {last}, expected 1 to {threads}"));
    }
    let vectors = (rounds - 1).checked_mul(threads).and_then(|full| full.checked_add(last));
    if vectors.and_then(|vectors| vectors.checked_mul(vector)) != Some(src.layout.size()) {
        let elements = counted(src.layout.size(), "element");
        let in_last = if last == threads { String::new() } else { format!(" with {last} threads in the last round") };
        return Err(format!("got rounds x threads x vector = {parts:?}{in_last}, expected {elements} in all"));
    }
    shares(op)?;
    exchange(op)
}

/// Loads and stores of a vector: more than one of a side only where elements are converted, or reduced.
fn accesses(op: OperationRef<'_, '_>, src: BufferType<'_>, dst: BufferType<'_>) -> Result<(), String> {
    let converts = conversion(op, src, dst)?.is_some();
    let several = converts || op.has_attribute("reduce");
    match *integers(op, "accesses") {
        [] => Ok(()),
        [loads, stores] if loads >= 1 && stores >= 1 && (several || (loads, stores) == (1, 1)) => Ok(()),
        ref got if several => Err(format!("got accesses {got:?}, expected a number of loads and one of stores")),
        ref got => Err(format!("got accesses {got:?} of a copy that converts nothing, expected none")),
    }
}

/// A lane whose predicate is false would give nothing.
fn exchange(op: OperationRef<'_, '_>) -> Result<(), String> {
    match StageOp(op).integer("exchange") {
        None => Ok(()),
        Some(2 | 4 | 8) if StageOp(op).predicate().is_none() => Ok(()),
        Some(2 | 4 | 8) => Err("got an exchange between lanes and a predicate, expected one of them".to_owned()),
        Some(lanes) => Err(format!("got an exchange between {}, expected 2, 4 or 8", counted(lanes, "lane"))),
    }
}

fn registers(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    conversion(op, src.buffer, dst.buffer)?;
    if (src.buffer.space(), dst.buffer.space()) != (Space::Local, Space::Local) {
        let (from, to) = (src.buffer.space().name(), dst.buffer.space().name());
        return Err(format!("got {from} to {to}, expected local to local"));
    }
    shares(op)?;
    let exchanges = integers(op, "exchanges");
    let digits = src.layout.shard.len() as i64;
    let is_exchange = |pair: &[i64]| {
        (0..digits).contains(&pair[0]) && pair[1].count_ones() == 1 && (1..MOST_THREADS).contains(&pair[1])
    };
    if !exchanges.len().is_multiple_of(2) || !exchanges.chunks_exact(2).all(is_exchange) {
        return Err(format!(
            "got exchanges {exchanges:?}, expected pairs of a digit below {digits} and a power of two below {MOST_THREADS}"
        ));
    }
    match StageOp(op).integer("packed") {
        Some(packed) if !(1..=2).contains(&packed) => Err(format!("got packed = {packed}, expected 1 or 2")),
        _ => Ok(()),
    }
}

fn matrix(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    let shape = integers(op, "shape");
    let &[warps, 8, 4, instructions, matrices @ (1 | 2 | 4), 2] = shape.as_slice() else {
        return Err(format!("got shape {shape:?}, expected [warps, 8, 4, instructions, 1 or 2 or 4, 2]"));
    };
    let product =
        [warps, instructions, matrices * 64].iter().try_fold(1i64, |product, &part| product.checked_mul(part));
    if warps < 1 || instructions < 1 || product != Some(src.layout.size()) {
        return Err(format!("got shape {shape:?}, expected {} in all", counted(src.layout.size(), "element")));
    }
    match (src.buffer.space(), dst.buffer.space()) {
        (Space::Shared, Space::Local) | (Space::Local, Space::Shared) => Ok(()),
        (from, to) => Err(format!("got {} to {}, expected shared to local or back", from.name(), to.name())),
    }
}
