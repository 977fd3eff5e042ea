//! Threads that execute the same, how far they are, and what they know of what others have done.

use crate::problem::threads::ThreadSet;
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

/// The parts of a clock: of each agent what it has done itself, and its groups of copies; of each mbarrier its phases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub agents: usize,
    pub slots: usize,
}

/// Asynchronous copies, as far as they can be waited for: until `cp.async` is done, bulk copies are, or these have read; until
/// loads from tensor memory or stores to it are done, and until a fence of `tcgen05` is made behind that; until products
/// of `wgmma` are done; until what came before a `tcgen05.commit` is done, which its arrival says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    CpAsync,
    Bulk,
    BulkRead,
    Load,
    Store,
    LoadFenced,
    StoreFenced,
    Product,
    Committed,
}

impl Line {
    pub const ALL: [Line; 9] = [
        Line::CpAsync,
        Line::Bulk,
        Line::BulkRead,
        Line::Load,
        Line::Store,
        Line::LoadFenced,
        Line::StoreFenced,
        Line::Product,
        Line::Committed,
    ];

    /// The copies of an access that are waited for as a whole; `None` where an mbarrier says when they are done.
    pub fn of(queue: Queue, write: bool) -> Option<Line> {
        match (queue, write) {
            (Queue::CpAsync, _) => Some(Line::CpAsync),
            (Queue::Bulk, true) => Some(Line::Bulk),
            (Queue::Bulk, false) => Some(Line::BulkRead),
            (Queue::TmemLoad, _) => Some(Line::Load),
            (Queue::TmemStore, _) => Some(Line::Store),
            (Queue::TmemCopy, _) => None,
            (Queue::Product, _) => Some(Line::Product),
        }
    }

    /// Behind a fence of `tcgen05`.
    pub fn fenced(self) -> Option<Line> {
        match self {
            Line::Load => Some(Line::LoadFenced),
            Line::Store => Some(Line::StoreFenced),
            _ => None,
        }
    }

    /// What its groups are counted in.
    pub fn queue(self) -> Queue {
        match self {
            Line::CpAsync => Queue::CpAsync,
            Line::Bulk | Line::BulkRead => Queue::Bulk,
            Line::Load | Line::LoadFenced => Queue::TmemLoad,
            Line::Store | Line::StoreFenced => Queue::TmemStore,
            Line::Product => Queue::Product,
            Line::Committed => Queue::TmemCopy,
        }
    }
}

impl Parts {
    /// What an agent does itself.
    pub fn own(self, agent: usize) -> usize {
        agent
    }

    /// What an agent does to shared or to other memory, behind fences.
    pub fn fenced(self, agent: usize, shared: bool) -> usize {
        if shared { agent } else { self.agents + agent }
    }

    /// mbarriers that an agent has made, behind fences by which other blocks may use them.
    pub fn made(self, agent: usize) -> usize {
        2 * self.agents + agent
    }

    /// An agent's groups.
    pub fn line(self, agent: usize, line: Line) -> usize {
        self.agents * (1 + line as usize) + agent
    }

    /// Phases of an mbarrier.
    pub fn slot(self, slot: usize) -> usize {
        (1 + Line::ALL.len()) * self.agents + slot
    }

    pub fn len(self) -> usize {
        self.slot(self.slots)
    }
}

/// Of each part, how much is known to have been done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub known: Vec<i64>,
    /// Of each agent, how much of what it did to shared memory is known behind a fence of the async proxy; then to all memory;
    /// then of the mbarriers that it made.
    pub fenced: Vec<i64>,
}

impl Clock {
    pub fn new(parts: Parts) -> Self {
        Clock { known: vec![0; parts.len()], fenced: vec![0; 3 * parts.agents] }
    }

    pub fn join(&mut self, other: &Clock) {
        let most = |own: &mut [i64], other: &[i64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other))
        };
        most(&mut self.known, &other.known);
        most(&mut self.fenced, &other.fenced);
    }

    pub fn raise(&mut self, part: usize, to: i64) {
        self.known[part] = self.known[part].max(to);
    }
}
