//! The scan to be planned.

use crate::problem::refusal::Refusal;

/// An element: a scalar, or a short vector that is combined as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScannedElement {
    /// Bits of a scalar: 8, 16, 32 or 64.
    pub bits: u32,
    /// Scalars of the element.
    pub lanes: u32,
    /// Whether the scalars are floats.
    pub float: bool,
}

impl ScannedElement {
    /// Bytes of the element; a power of two up to 16.
    pub fn bytes(self) -> i64 {
        i64::from(self.bits) * i64::from(self.lanes) / 8
    }
}

/// What the op requests; `None` leaves it to the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// The strategy by name.
    pub strategy: Option<String>,
    /// `ring` or `register`.
    pub shape: Option<String>,
    /// Threads that scan a tile.
    pub threads: Option<i64>,
    /// Elements of a tile per thread.
    pub items: Option<i64>,
    /// Tiles in the ring.
    pub stages: Option<i64>,
    /// `ticket` or `block_id`.
    pub order: Option<String>,
    /// Polls without news before a fallback.
    pub max_spin: Option<i64>,
    /// The same result bits in every execution.
    pub deterministic: bool,
}

impl Requests {
    /// Refuses a number of stages, for tiles in registers.
    pub(crate) fn without_stages(&self) -> Result<(), Refusal> {
        match self.stages {
            None => Ok(()),
            Some(_) => {
                let reason = "a tile in registers has no stages, expected shape \"ring\"";
                Err(Refusal::new("stages-without-ring", reason))
            }
        }
    }
}

/// Fault injection, for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Tile `t` does not publish its sum where `(t + 1) & mask == 0`.
    pub skip_post: Option<i64>,
    /// Tile `t` waits for another block to publish its sum where `t & mask == 0`.
    pub hold: Option<i64>,
    /// The first block takes the last tile.
    pub reverse: bool,
    /// Number of polls after which look-back without fallback gives up.
    pub poll_cap: Option<i64>,
    /// Count polls, tiles looked back over, and fallbacks started and published.
    pub counters: bool,
}

/// A scan of an array whose length is known at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Type of an element.
    pub element: ScannedElement,
    /// The alignment of both arrays, in bytes.
    pub alignment: i64,
    /// Whether an array is scanned from its end: its memref has stride -1. Its elements are accessed one by one, since a vector of
    /// them need not be aligned.
    pub is_backwards: bool,
    /// What the op requests.
    pub requests: Requests,
    /// Fault injection.
    pub hooks: Hooks,
}

impl Problem {
    /// A scan without requests.
    pub fn new(element: ScannedElement, alignment: i64) -> Self {
        Problem { element, alignment, is_backwards: false, requests: Requests::default(), hooks: Hooks::default() }
    }
}
