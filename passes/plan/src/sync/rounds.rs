//! Which threads go round a loop, and which threads execute an operation together.

use crate::problem::threads::ThreadSet;

/// Which threads go round a loop, and which of them do so equally often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounds {
    /// All threads that reach the loop, equally often.
    #[default]
    Together,
    /// Exactly these threads, equally often; the others skip the loop.
    By(ThreadSet),
    /// Unknown, but the threads of each warp go round equally often.
    ByWarps,
    /// Unknown.
    Unknown,
}

/// The largest groups of threads that are known to execute an operation together: all of a group, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Together {
    /// Single threads.
    Threads,
    /// The threads of each warp.
    Warps,
    /// All threads that execute it.
    #[default]
    Block,
}

impl Rounds {
    /// Which threads go round equally often.
    pub fn together(self) -> Together {
        match self {
            Rounds::Together | Rounds::By(_) => Together::Block,
            Rounds::ByWarps => Together::Warps,
            Rounds::Unknown => Together::Threads,
        }
    }

    /// The threads that go round, or may, among those that reach the loop.
    pub fn entering(self, reached: ThreadSet) -> ThreadSet {
        match self {
            Rounds::By(set) => reached.intersect(&set),
            Rounds::Together | Rounds::ByWarps | Rounds::Unknown => reached,
        }
    }
}
