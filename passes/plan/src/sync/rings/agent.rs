//! Threads that execute the same, and how far they are.

use crate::problem::threads::ThreadSet;
use crate::sync::rings::clock::{Clock, Line};
use crate::touch::Queue;

/// Threads that execute the same.
#[derive(Clone)]
pub(super) struct Agent {
    /// The rank of their block.
    pub rank: usize,
    pub threads: ThreadSet,
    pub clock: Clock,
    /// The next step, and how far it is done: the accesses, then one effect after the other.
    pub at: usize,
    pub stage: usize,
    /// One more than it has executed operations.
    pub moment: i64,
    /// How many of these it has made a fence behind: for shared memory, for all, and for mbarriers that were made.
    pub fence: [i64; 3],
    /// Groups that it has closed; of tensor memory, how often it has waited.
    pub closed: [i64; Queue::COUNT],
    /// Groups of each line that it has waited for.
    pub done: [i64; Line::ALL.len()],
    /// What it knew at its last `tcgen05.fence::after_thread_sync`, as far as others had made a fence before.
    pub seen: Vec<i64>,
    pub blocked: Option<Blocked>,
    /// The round of the barrier of the cluster at which it has arrived and for which it has not waited.
    pub arrived: Option<i64>,
    /// Has it waited at the barrier of the cluster, so that all blocks have begun?
    pub met: bool,
}

impl Agent {
    /// How many groups of a queue are done, as far as an access needs it.
    pub fn done(&self, queue: Queue, write: bool) -> i64 {
        Line::of(queue, write).map_or(0, |line| self.done[line as usize])
    }
}

/// What threads wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    /// Others at a barrier.
    Barrier,
    /// Others of the cluster.
    Cluster,
    /// A phase of an mbarrier.
    Phase(usize, i64),
}

/// The barrier of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// How often all have met.
    pub round: i64,
    /// What those know who have arrived.
    pub gathering: Clock,
    /// What is known behind the last round.
    pub before: Clock,
}
