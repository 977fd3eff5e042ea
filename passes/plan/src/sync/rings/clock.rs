//! What threads know of what others have done.

use crate::touch::Queue;

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
