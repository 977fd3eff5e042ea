//! What stops the execution of a program.

use thiserror::Error;

/// An operation at which an execution stops, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unfollowed {
    pub op: usize,
    pub cause: UnfollowedCause,
}

/// The values by which an mbarrier or a parity may be named.
const FOLLOWED: &str = "expected a constant, a remainder or a quotient of the variable of a loop around, what such a loop carries, or behind a loop \
                        its results, or its upper bound where that is known not to be negative";

/// Why an execution stops at an operation. The text is a predicate of that operation.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum UnfollowedCause {
    /// An mbarrier in an arm of a branch that is neither decided nor executed arm by arm.
    #[error(
        "uses an mbarrier under a condition that is decided only at run time, and phases of mbarriers in loops are not followed \
             there: expected a condition on the thread id, or on whether a loop has a given number of iterations"
    )]
    Condition,
    /// More branches outside of loops than arms are executed of, one by one.
    #[error(
        "uses an mbarrier under a condition that is decided only at run time, after {most} others: expected at most {most} such \
             conditions outside of loops"
    )]
    Conditions {
        /// The most that are executed arm by arm.
        most: usize,
    },
    /// Threads that are not known execute an operation that others wait for.
    #[error("is reached by an unknown set of threads, and phases of mbarriers in loops are not followed there")]
    Threads,
    /// The execution takes too many steps.
    #[error("is executed too often to be followed")]
    Steps,
    /// An address that depends on a run-time value.
    #[error("is not followed: which mbarrier it names is not known; {FOLLOWED}")]
    UnknownMbarrier,
    /// A parity that depends on a run-time value.
    #[error("is not followed: which parity of an mbarrier it waits for is not known; {FOLLOWED}")]
    UnknownParity,
    /// A peer that depends on a run-time value.
    #[error("is not followed: it names an mbarrier of an unknown block")]
    UnknownBlock,
    /// A second initialization.
    #[error("is not followed: it initializes an mbarrier that has been initialized before")]
    InitializedAgain,
    /// Two arrivals at the barrier of the cluster without a wait between them.
    #[error("arrives at the barrier of the cluster again: expected nvvm.cluster.wait before it")]
    ClusterArrivesAgain,
    /// A wait for the barrier of the cluster without an arrival.
    #[error("waits for the barrier of the cluster: expected nvvm.cluster.arrive before it")]
    ClusterNotArrived,
    /// More run-time trip counts than are varied.
    #[error(
        "is in one of several loops with different run-time trip counts, and phases of mbarriers are followed for at most {most} \
             such trip counts"
    )]
    TripCounts {
        /// The most that are varied.
        most: usize,
    },
    /// A trip count of its own each time that a loop is entered, elsewhere than directly in a loop of iterations that are alike.
    #[error(
        "is in a loop whose trip count may change each time it is entered, and phases of mbarriers are followed there only in a \
             loop with a run-time trip count whose iterations are alike"
    )]
    LoopAround,
    /// A trip count that changes in a way that is not followed.
    #[error(
        "is in a loop whose trip count may change each time it is entered, or equals that of a loop around it, and phases of \
             mbarriers are not followed in such loops"
    )]
    TripCount,
    /// A loop of changing trip count leaves mbarriers in different states.
    #[error(
        "is not followed: what its loop leaves behind depends on its trip count, which may change each time it is entered"
    )]
    StateBehindLoop,
    /// The iterations of a loop never leave the same state.
    #[error("is not followed: the synchronization in its loop does not repeat within the executed iterations")]
    NeverRepeats,
    /// An mbarrier's address or parity grows with the iteration.
    #[error("is not followed: the mbarrier or parity that it names does not repeat")]
    MbarrierNeverRepeats,
    /// Rings whose common period is long.
    #[error("is not followed: rings repeat after {got} iterations, expected at most {most}")]
    Period {
        /// The period, in iterations.
        got: i64,
        /// The longest that is followed.
        most: i64,
    },
}

impl UnfollowedCause {
    /// The cause, at an operation.
    pub(super) fn at(self, op: usize) -> Unfollowed {
        Unfollowed { op, cause: self }
    }
}
