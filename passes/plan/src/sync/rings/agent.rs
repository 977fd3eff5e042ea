//! Threads that execute the same, and how far they are.

use crate::problem::threads::ThreadSet;
use crate::sync::rings::clock::Clock;

/// Threads that execute the same.
pub(super) struct Agent {
    pub threads: ThreadSet,
    pub clock: Clock,
    /// The next step, and how far it is done: the accesses, then one effect after the other.
    pub at: usize,
    pub stage: usize,
    /// How many operations it has executed.
    pub moment: i64,
    /// How many of these it has made a fence behind: for shared memory, and for all.
    pub fence: [i64; 2],
    /// Groups that it has closed, of `cp.async` and bulk copies.
    pub closed: [i64; 2],
    /// Groups of each line that it has waited for.
    pub done: [i64; 3],
    pub blocked: Option<Blocked>,
}

/// What threads wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    /// Others at a barrier.
    Barrier,
    /// A phase of an mbarrier.
    Phase(usize, i64),
}
