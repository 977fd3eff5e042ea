//! The pass to be planned.

use crate::scan::tile::{VECTOR_BYTES, WARP};
use crate::scan::{Hooks, Requests, ScannedElement, Tile};

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
    /// The alignment of the first element of each of them, in bytes.
    pub dest_alignments: Vec<i64>,
    /// Whether an element is seen with those beside it.
    pub has_halo: bool,
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
    /// A pass without requests and halo, whose results follow each other.
    pub fn new(sources: Vec<ChainedSource>, dests: Vec<i64>, payload: ScannedElement) -> Self {
        let (requests, hooks) = (Requests::default(), Hooks::default());
        let dest_alignments = dests.clone();
        ChainedProblem {
            sources,
            dests,
            dest_alignments,
            has_halo: false,
            is_scattered: false,
            payload,
            requests,
            hooks,
        }
    }

    /// Bytes of an element of all sources and of its payload, in registers of 4 bytes.
    pub(super) fn register_bytes(&self) -> i64 {
        let sources = self.sources.iter().map(|source| source.bytes.max(4));
        sources.sum::<i64>() + self.payload.bytes().max(4)
    }

    /// A tile of so many threads and items of each, with the widest vectors that divide the items and for which all arrays are aligned.
    pub(super) fn tile_with(&self, threads: i64, items: i64) -> Tile {
        let fits = |vector: i64| {
            let takes = |source: &ChainedSource| vector * source.bytes <= VECTOR_BYTES.min(source.alignment);
            items % vector == 0 && self.sources.iter().all(takes)
        };
        let vector = [16, 8, 4, 2].into_iter().find(|&vector| fits(vector)).unwrap_or(1);
        Tile { threads, lanes: WARP, rows: items / vector, vector }
    }
}
