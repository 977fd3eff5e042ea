//! `tile.sort`: keys, perhaps values, and as many of both sorted.

use melior::ir::{OperationRef, ShapedTypeLike};
use thiserror::Error;

use super::chain::{self, array, numbered};
use super::outcome;
use crate::error::VerifyError;
use crate::memref::{self, DYNAMIC};
use crate::ops::SortOp;

const OPTIONS: [&str; 2] = ["descending", "unsigned_keys"];

/// What is wrong with a `tile.sort`.
#[derive(Debug, Error)]
enum SortError {
    #[error(transparent)]
    Shared(#[from] VerifyError),
    #[error("got {got} arrays in ins(…), expected keys, or keys and values")]
    Sources { got: usize },
    #[error("got {got} arrays in outs(…), expected {expected}, as many as in ins(…)")]
    Dests { got: usize, expected: usize },
    #[error("got elements of {got} in {name}, expected {expected} as in the source")]
    Elements { name: String, got: String, expected: String },
    #[error("got elements of {got} in {name}, expected a number, no vector")]
    Vector { name: String, got: String },
    #[error("got unsigned keys of {0}, expected integers")]
    UnsignedFloats(String),
    #[error("got {got} elements in {name}, expected {expected} as in the first array")]
    Extents { name: String, got: i64, expected: i64 },
    #[error("got {got} elements in {name}, expected less than 2^30, which counts of 30 bits hold")]
    Length { name: String, got: i64 },
}

pub(crate) fn sort(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(SortOp(op)))
}

fn check(op: SortOp<'_, '_>) -> Result<(), SortError> {
    chain::options(op.0, &OPTIONS)?;
    chain::kernel(op.0)?;
    let (sources, dests) = (op.sources(), op.dests());
    if !(1..=2).contains(&sources.len()) {
        return Err(SortError::Sources { got: sources.len() });
    }
    if dests.len() != sources.len() {
        return Err(SortError::Dests { got: dests.len(), expected: sources.len() });
    }
    let arrays = [numbered("source", sources), numbered("result", dests)];
    let mut extents = DYNAMIC;
    for (name, value) in arrays.iter().flatten() {
        let got = memref::extents(array(name, *value, &[1])?)[0];
        if got >= SortOp::LENGTH_LIMIT {
            return Err(SortError::Length { name: name.clone(), got });
        }
        if got != DYNAMIC && extents != DYNAMIC && got != extents {
            return Err(SortError::Extents { name: name.clone(), got, expected: extents });
        }
        extents = if extents == DYNAMIC { got } else { extents };
    }
    for ((_, source), (name, dest)) in arrays[0].iter().zip(&arrays[1]) {
        let [expected, got] = [("source", source), (name, dest)].map(|(name, value)| array(name, *value, &[1]));
        let [expected, got] = [expected?.element(), got?.element()];
        if got != expected {
            let [got, expected] = [got, expected].map(|element| element.to_string());
            return Err(SortError::Elements { name: name.clone(), got, expected });
        }
        if got.to_string().starts_with("vector") {
            return Err(SortError::Vector { name: name.clone(), got: got.to_string() });
        }
        chain::element(got)?;
    }
    array("workspace", op.workspace(), &[1])?;
    let [sources, mut written] = arrays;
    written.push(("workspace".to_owned(), op.workspace()));
    chain::separate(&[sources, written])?;
    match op.elements().first().map(ToString::to_string) {
        Some(key) if op.is_unsigned() && !key.starts_with('i') => Err(SortError::UnsignedFloats(key)),
        _ => Ok(()),
    }
}
