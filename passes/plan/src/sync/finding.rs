//! Findings: accesses without order, and what would order them.

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;
use crate::sync::unfollowed::UnfollowedCause;

/// A synchronization error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Two accesses need an order and have none.
    Conflict(Box<Conflict>),
    /// A copy is in flight when the block ends.
    NeverWaited {
        /// The operation that issues it.
        op: usize,
        /// The queue of its group, where it is in one.
        queue: Option<Queue>,
        /// Whether the group has been closed on every path.
        committed: bool,
    },
    /// A phase of an mbarrier is used wrongly.
    Phase(Box<PhaseFault>),
    /// Shared memory of another block is accessed while that block may not have started, or may have ended.
    Outside(Box<Outside>),
    /// Threads wait at a barrier for others that never arrive.
    BarrierNotReached {
        /// The barrier.
        op: usize,
        /// The number of threads that arrive.
        got: i64,
        /// The number of threads that it waits for.
        expected: i64,
    },
    /// The analysis cannot follow the program.
    Unfollowed {
        /// The operation at which it gives up.
        op: usize,
        /// The reason.
        cause: UnfollowedCause,
    },
}

/// An access to shared memory of another block that may not be running at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The operation, and the number of its access.
    pub at: (usize, usize),
    /// The rank of the accessing block, and one of its threads.
    pub by: (usize, i64),
    /// The rank of the block that owns the memory, where known.
    pub owner: Option<usize>,
    /// Whether that block may have ended; otherwise it may not have started.
    pub ended: bool,
}

/// An error in the use of an mbarrier, at one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseFault {
    /// The operation that arrives, or waits.
    pub op: usize,
    /// The phase, counted from 0; -1 is the one before the first.
    pub phase: i64,
    /// One of the threads that execute it.
    pub thread: i64,
    /// The rank of its block, in a cluster.
    pub rank: Option<usize>,
    /// The kind of error.
    pub what: Phase,
    /// The operation that initializes the mbarrier, and its arrival count.
    pub made: Option<(usize, i64)>,
    /// The other operation to name: the last that arrived in the current phase, or, where a wait comes too late, the
    /// one that completed a phase.
    pub other: Option<usize>,
}

/// The kinds of errors at a phase of an mbarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The phase is waited for and never completes.
    Never {
        /// The arrivals in it.
        arrived: i64,
        /// The bytes that it expects and that no copy brings.
        bytes: i64,
    },
    /// The phase gets more arrivals than the mbarrier's count.
    TooMany {
        /// The number of arrivals, this one included.
        got: i64,
        /// The arrival count of the mbarrier.
        count: i64,
    },
    /// A thread arrives in the phase without knowing that the previous phase is complete.
    Early,
    /// A thread that waits for the phase may find the next phase complete as well, and would wait for one more.
    Overtaken,
    /// The mbarrier has not been initialized.
    NotMade,
}

impl Finding {
    /// The same finding where the operations have other numbers.
    #[must_use]
    pub(super) fn renumbered(mut self, number: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            Finding::Conflict(conflict) => {
                conflict.first.0 = number(conflict.first.0);
                conflict.second.0 = number(conflict.second.0);
            }
            Finding::Phase(fault) => {
                fault.op = number(fault.op);
                fault.made = fault.made.map(|(op, count)| (number(op), count));
                fault.other = fault.other.map(number);
            }
            Finding::Outside(outside) => outside.at.0 = number(outside.at.0),
            Finding::NeverWaited { op, .. }
            | Finding::BarrierNotReached { op, .. }
            | Finding::Unfollowed { op, .. } => {
                *op = number(*op);
            }
        }
        self
    }

    /// The conflict, if it is one.
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
    /// The operation that comes first, and the number of its access.
    pub first: (usize, usize),
    /// The later operation, and the number of its access.
    pub second: (usize, usize),
    /// The loop, by its number, in whose later iteration the second takes place.
    pub carried: Option<usize>,
    /// The number of iterations between the two, where known.
    pub later: Option<i64>,
    /// An example of two threads and a byte.
    pub example: Option<Example>,
    /// The ranks of the blocks of the two, in a cluster.
    pub ranks: Option<[usize; 2]>,
    /// The narrowest synchronization that would order the two.
    pub needs: Needs,
}

/// Two threads and a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The thread of the first access.
    pub first: i64,
    /// The thread of the second.
    pub second: i64,
    /// The byte, relative to the start of the first access.
    pub byte: i64,
}

/// The synchronization that is missing between two accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A wait for all but the latest groups of a thread, and possibly a barrier after it.
    Group {
        /// The queue of the groups.
        queue: Queue,
        /// The number of groups that may stay pending.
        pending: i64,
        /// Whether the group has been closed on every path.
        committed: bool,
        /// The threads that have to meet at a barrier besides.
        threads: Option<Threads>,
    },
    /// A wait for the phase of an mbarrier, by its number.
    Phase(usize),
    /// A wait for the copy, which no operation provides.
    Completion,
    /// A proxy fence.
    ProxyFence,
    /// A fence after `mbarrier.init`, after which other blocks may use the mbarrier.
    MbarrierFence,
    /// A fence of `tcgen05`.
    TensorFence {
        /// Whether it belongs after the first access, before the barrier; otherwise it belongs before the second
        /// access, after the barrier.
        before: bool,
        /// The threads that have to meet after it.
        threads: Option<Threads>,
    },
    /// A barrier.
    Barrier(Threads),
    /// An arrival on an mbarrier, and a wait for its phase.
    Arrival,
    /// Two arms of a branch, or two accesses of one operation, which no barrier can order.
    Apart,
}

/// The threads of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Those of each warp.
    Warp,
    /// Those of some whole warps.
    Some(ThreadSet),
    /// All threads of the block.
    Block,
    /// All threads of all blocks of the cluster.
    Cluster,
}
