//! What is found: accesses without order, and what would order them.

use crate::problem::threads::ThreadSet;
use crate::sync::program::Queue;

/// What is wrong with an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Two accesses that need an order have none.
    Conflict(Box<Conflict>),
    /// A copy is in flight when the block ends.
    NeverWaited {
        /// The operation that issues it.
        op: usize,
        /// Its group, where it has one.
        queue: Option<Queue>,
        /// Has the group been closed on every way?
        committed: bool,
    },
}

impl Finding {
    /// The conflict that it is.
    pub fn conflict(&self) -> Option<&Conflict> {
        match self {
            Finding::Conflict(conflict) => Some(conflict),
            Finding::NeverWaited { .. } => None,
        }
    }
}

/// Two accesses without the order that they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The operation that comes first in the program, and its access.
    pub first: (usize, usize),
    /// The later one.
    pub second: (usize, usize),
    /// The loop, by its number, of which the second is in a later iteration.
    pub carried: Option<usize>,
    /// How many iterations later, where that is known.
    pub later: Option<i64>,
    /// Where it was found, an example.
    pub example: Option<Example>,
    /// The narrowest order that would do.
    pub needs: Needs,
}

/// Two threads and a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The thread of the first access.
    pub first: i64,
    /// The thread of the second.
    pub second: i64,
    /// The byte, from where the first access begins its object.
    pub byte: i64,
}

/// What would order two accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// First of all a wait for the groups of a thread but the latest ones; threads besides.
    Group {
        /// Which groups.
        queue: Queue,
        /// How many groups may still be pending.
        pending: i64,
        /// Has the group been closed on every way?
        committed: bool,
        /// Threads that have to know besides.
        threads: Option<Threads>,
    },
    /// A wait for the phase of an mbarrier, by its number.
    Phase(usize),
    /// A wait for the copy: there is none.
    Completion,
    /// A proxy fence.
    ProxyFence,
    /// Threads that wait for each other.
    Barrier(Threads),
    /// A branch, or two accesses of one operation, that no barrier can order.
    Apart,
}

/// Threads that wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Those of each warp.
    Warp,
    /// Those of some whole warps.
    Some(ThreadSet),
    /// All of the block.
    Block,
}
