//! The pass to be planned.

use crate::scan::{Hooks, Requests, ScannedElement};

/// An array that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainedSource {
    /// Bytes of an element.
    pub bytes: i64,
    /// The alignment of its first element, in bytes.
    pub alignment: i64,
}

/// A pass over arrays of the same length, which is known at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedProblem {
    /// The arrays that are read, at least one.
    pub sources: Vec<ChainedSource>,
    /// Bytes of an element of each array of results.
    pub dests: Vec<i64>,
    /// Whether results of a tile do not follow each other.
    pub is_scattered: bool,
    /// The payload that blocks publish.
    pub payload: ScannedElement,
    /// What the op requests.
    pub requests: Requests,
    /// Fault injection.
    pub hooks: Hooks,
}

impl ChainedProblem {
    /// A pass without requests, whose results follow each other.
    pub fn new(sources: Vec<ChainedSource>, dests: Vec<i64>, payload: ScannedElement) -> Self {
        let (requests, hooks) = (Requests::default(), Hooks::default());
        ChainedProblem { sources, dests, is_scattered: false, payload, requests, hooks }
    }

    /// Bytes of an element of all sources and of its payload, in registers of 4 bytes.
    pub(super) fn register_bytes(&self) -> i64 {
        let sources = self.sources.iter().map(|source| source.bytes.max(4));
        sources.sum::<i64>() + self.payload.bytes().max(4)
    }
}
