//! What is found: accesses without order, and what would order them.

use crate::problem::threads::ThreadSet;
use crate::touch::Queue;

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
    /// A phase of an mbarrier is not what it has to be.
    Phase(Box<PhaseFault>),
    /// Shared memory of another block is touched when that may not have begun, or may have ended.
    Outside(Box<Outside>),
    /// Threads wait at a barrier for others that never come.
    Deserted {
        /// The barrier.
        op: usize,
        /// How many threads come.
        got: i64,
        /// How many it waits for.
        expected: i64,
    },
    /// It is not followed what the program does.
    Unfollowed {
        /// The operation from which on.
        op: usize,
        /// Why not.
        why: String,
    },
}

/// An access to shared memory of another block that may not run then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The operation, and its access.
    pub at: (usize, usize),
    /// The rank of the block that touches it, and one of its threads.
    pub by: (usize, i64),
    /// The rank of the block that the memory is of, where that is known.
    pub owner: Option<usize>,
    /// May that block have ended, or may it not have begun?
    pub ended: bool,
}

/// What is wrong with a phase of an mbarrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseFault {
    /// The operation that arrives, or waits.
    pub op: usize,
    /// The phase, the first is 0; -1 is the one before the first.
    pub phase: i64,
    /// One of the threads that execute it.
    pub thread: i64,
    /// The rank of its block, in a cluster.
    pub rank: Option<usize>,
    /// What is wrong.
    pub what: Phase,
    /// The operation that makes the mbarrier, and its count.
    pub made: Option<(usize, i64)>,
    /// The last operation that has arrived in the phase that is not over.
    pub other: Option<usize>,
}

/// What is wrong with a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is waited for and never over.
    Never {
        /// Arrivals in it.
        arrived: i64,
        /// Bytes that are expected in it and that no copy brings.
        bytes: i64,
    },
    /// More arrive than it has arrivals.
    TooMany {
        /// Which arrival this is.
        got: i64,
        /// How many there are.
        count: i64,
    },
    /// Who arrives in it does not know that the one before is over.
    Early,
    /// Who waits for it may find the one after it over, too, and wait for one more.
    Overtaken,
    /// Nothing has made the mbarrier.
    NotMade,
}

impl Finding {
    /// The conflict that it is.
    pub fn conflict(&self) -> Option<&Conflict> {
        match self {
            Finding::Conflict(conflict) => Some(conflict),
            _ => None,
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
    /// The ranks of the blocks of the two, in a cluster.
    pub ranks: Option<[usize; 2]>,
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
    /// A fence behind `mbarrier.init`, by which other blocks may use it.
    MbarrierFence,
    /// A fence of `tcgen05`.
    TensorFence {
        /// Behind the first, before its threads meet others? Or before the second?
        before: bool,
        /// Threads that have to meet behind it.
        threads: Option<Threads>,
    },
    /// Threads that wait for each other.
    Barrier(Threads),
    /// An arrival on an mbarrier, and a wait for its phase.
    Arrival,
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
    /// All of all blocks of the cluster.
    Cluster,
}
