//! `tile.chained`: arrays that do not overlap, regions on the elements and payloads that the op states.

use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, BlockRef, OperationRef, ShapedTypeLike, Type, Value, ValueLike};
use thiserror::Error;

use super::chain::{self, MAX_BYTES, NamedArray, array, numbered};
use super::outcome;
use crate::context::Ctx;
use crate::error::VerifyError;
use crate::ir::arguments_of;
use crate::memref::{self, DYNAMIC};
use crate::ops::ChainedOp;

const OPTIONS: [&str; 7] = ["halo", "scattered", "shape", "threads", "stages", "order", "deterministic"];

/// What is wrong with a `tile.chained`.
#[derive(Debug, Error)]
enum ChainedError {
    #[error(transparent)]
    Shared(#[from] VerifyError),
    #[error("reads no array, expected at least one in ins(…)")]
    NoSource,
    #[error("writes no array, expected at least one in outs(…) or totals(…)")]
    NoResult,
    #[error("got {got} elements in {name}, expected {expected} as in the first array")]
    Extents { name: String, got: i64, expected: i64 },
    #[error("got elements of {0} as length, expected i32 or i64")]
    Length(String),
    #[error("got init {0}, expected the numbers of a payload, as in [0 : i32]")]
    NoPayload(String),
    #[error(
        "got a payload of {got} bytes, expected at most {MAX_BYTES}: {count} numbers take the next power of two times \
         {widest} bytes, and atomics publish a tile's payload in four words"
    )]
    WidePayload { got: u32, count: usize, widest: u32 },
    #[error("has no region '{0}'")]
    NoRegion(&'static str),
    #[error("has totals(…) and no region 'finish'")]
    NoFinish,
    #[error("has a region 'finish', expected totals(…) for its results")]
    NoTotals,
    #[error("has a region '{0}' of several blocks, expected one")]
    Blocks(&'static str),
    #[error("got a region '{region}' on ({got}), expected ({expected})")]
    Arguments { region: &'static str, got: String, expected: String },
    #[error("got ({got}) from the region '{region}', expected ({expected})")]
    Yielded { region: &'static str, got: String, expected: String },
    #[error("got {elements} elements and places of 32 bits, expected places of 64 bits")]
    NarrowPlaces { elements: i64 },
}

pub(crate) fn chained(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(ChainedOp(op)))
}

fn check(op: ChainedOp<'_, '_>) -> Result<(), ChainedError> {
    chain::options(op.0, &OPTIONS)?;
    chain::kernel(op.0)?;
    chain::separate(&arrays(op)?)?;
    payload(op)?;
    regions(op)
}

/// Checks each array, and returns those that are read, then those that are written.
fn arrays<'c, 'a>(op: ChainedOp<'c, 'a>) -> Result<[Vec<NamedArray<'c, 'a>>; 2], ChainedError> {
    let sources = numbered("source", op.sources());
    let results = [numbered("result", op.dests()), numbered("total", op.totals())].concat();
    let (Some(&(_, first)), false) = (sources.first(), results.is_empty()) else {
        return Err(if sources.is_empty() { ChainedError::NoSource } else { ChainedError::NoResult });
    };
    for (name, value) in sources.iter().chain(&results) {
        chain::element(array(name, *value, &[1])?.element())?;
    }
    let extent = |value| array("source", value, &[1]).map(|memref| memref::extents(memref)[0]);
    let expected = extent(first)?;
    for (name, value) in &sources {
        let got = extent(*value)?;
        if got != expected && got != DYNAMIC && expected != DYNAMIC {
            return Err(ChainedError::Extents { name: name.clone(), got, expected });
        }
    }
    for value in op.values() {
        chain::element(value.r#type())?;
    }
    let length = op.length().map(|length| ("length".to_owned(), length));
    if let Some((name, length)) = &length {
        let element = array(name, *length, &[1])?.element().to_string();
        if element != "i32" && element != "i64" {
            return Err(ChainedError::Length(element));
        }
    }
    array("workspace", op.workspace(), &[1])?;
    let written = results.into_iter().chain([("workspace".to_owned(), op.workspace())]).collect();
    Ok([sources.into_iter().chain(length).collect(), written])
}

/// Checks that the payload is numbers, and fits the words that blocks publish.
fn payload(op: ChainedOp<'_, '_>) -> Result<(), ChainedError> {
    let numbers = op.payload();
    let written = || op.init().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    for &number in &numbers {
        if chain::element(number)?.lanes != 1 || number.to_string().starts_with("vector") {
            return Err(ChainedError::NoPayload(format!("[{}]", written())));
        }
    }
    let Some(packed) = op.packed() else { return Err(ChainedError::NoPayload(format!("[{}]", written()))) };
    let got = packed.bits() / 8;
    if got > MAX_BYTES {
        return Err(ChainedError::WidePayload { got, count: numbers.len(), widest: packed.scalar_bits / 8 });
    }
    Ok(())
}

/// Checks the types of all regions.
fn regions(op: ChainedOp<'_, '_>) -> Result<(), ChainedError> {
    let context = Ctx::of(op.0);
    let types = |values: Vec<Value<'_, '_>>| -> Vec<String> {
        values.into_iter().map(|value| element_of(value.r#type()).to_string()).collect()
    };
    let (index, bit) = (context.integer(64).to_string(), context.integer(1).to_string());
    let payload: Vec<String> = op.payload().iter().map(Type::to_string).collect();
    let values = types(op.values());
    let sources = types(op.sources());
    let element = match op.has_halo() {
        false => sources,
        true => [sources.clone(), sources.clone(), sources, vec![bit.clone(), bit.clone()]].concat(),
    };
    let index = vec![index];
    region("summary", op.summary(), &[index.clone(), element.clone(), values.clone()], &payload)?;
    region("combine", op.combine(), &[payload.clone(), payload.clone()], &payload)?;
    let dests = types(op.dests());
    emit(op, &[index, payload.clone(), payload.clone(), element, values.clone()], &dests, &bit)?;
    let totals = types(op.totals());
    match (op.finish(), totals.is_empty()) {
        (None, true) => Ok(()),
        (None, false) => Err(ChainedError::NoFinish),
        (Some(_), true) => Err(ChainedError::NoTotals),
        (Some(_), false) => region("finish", op.finish(), &[payload, values], &totals),
    }
}

/// The type of an element of an array; that of a number is its own.
fn element_of(r#type: Type<'_>) -> Type<'_> {
    MemRefType::try_from(r#type).map_or(r#type, |memref| memref.element())
}

/// Checks the region that computes results, whose places may have 32 or 64 bits.
fn emit(op: ChainedOp<'_, '_>, arguments: &[Vec<String>], dests: &[String], bit: &str) -> Result<(), ChainedError> {
    let results = |place: &str| -> Vec<String> {
        dests.iter().flat_map(|dest| [bit.to_owned(), place.to_owned(), dest.clone()]).collect()
    };
    let narrow = op.emit().and_then(|block| chain::yielded(block).ok());
    let is_narrow = narrow.is_some_and(|got| got.get(1).is_some_and(|place| place.to_string() == "i32"));
    let place = if is_narrow { "i32" } else { "i64" };
    region("emit", op.emit(), arguments, &results(place))?;
    let elements = memref::extents(array("source 0", op.sources()[0], &[1])?)[0];
    if is_narrow && elements != DYNAMIC && elements > i64::from(i32::MAX) {
        return Err(ChainedError::NarrowPlaces { elements });
    }
    Ok(())
}

fn region(
    region: &'static str,
    block: Option<BlockRef<'_, '_>>,
    arguments: &[Vec<String>],
    results: &[String],
) -> Result<(), ChainedError> {
    let block = block.ok_or(ChainedError::NoRegion(region))?;
    if block.next_in_region().is_some() {
        return Err(ChainedError::Blocks(region));
    }
    let got: Vec<_> = arguments_of(block).into_iter().map(|argument| argument.r#type().to_string()).collect();
    let expected = arguments.concat();
    if got != expected {
        return Err(ChainedError::Arguments { region, got: got.join(", "), expected: expected.join(", ") });
    }
    let got: Vec<_> = chain::yielded(block)?.iter().map(Type::to_string).collect();
    if got != results {
        return Err(ChainedError::Yielded { region, got: got.join(", "), expected: results.join(", ") });
    }
    Ok(())
}
