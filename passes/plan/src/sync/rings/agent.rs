//! Agents: sets of threads that execute the same steps, with their progress and their vector clocks.

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;

/// A set of threads that execute the same steps.
#[derive(Clone)]
pub(super) struct Agent {
    /// The rank of their block.
    pub rank: usize,
    pub threads: ThreadSet,
    pub knows: Knowledge,
    /// The next step, and its progress there: first the accesses, then one effect after the other.
    pub at: usize,
    pub stage: usize,
    /// The number of executed operations, plus one.
    pub moment: i64,
    /// The groups that it has closed; for tensor memory, the number of its waits.
    pub closed: [i64; Queue::COUNT],
    pub blocked: Option<Blocked>,
    /// The round of the barrier of the cluster at which it has arrived without having waited yet.
    pub arrived: Option<i64>,
    /// Whether it has waited at the barrier of the cluster, so that it knows that all blocks have started.
    pub met: bool,
    /// The branches around it whose arms it may all take, outer to inner.
    pub branches: Vec<OpenBranch>,
    /// The groups of each queue that it may not have closed, since it may not have taken the arm.
    pub uncertain: [Vec<i64>; Queue::COUNT],
    /// Of these, the groups that hold what was issued before the arm.
    pub mixed: [Vec<i64>; Queue::COUNT],
    /// The group of each queue in which it last issued something; -1 before.
    pub issued: [i64; Queue::COUNT],
}

/// A branch that an agent is in.
#[derive(Clone)]
pub(super) struct OpenBranch {
    /// What the agent knew before it.
    pub before: Knowledge,
    /// The least that it knows behind the arms that it has left.
    pub behind: Option<Knowledge>,
    /// The groups that it had closed when it entered the arm that it is in.
    pub closed: [i64; Queue::COUNT],
    /// Whether it had then issued something in the group of each queue that it closes next.
    pub is_begun: [bool; Queue::COUNT],
}

/// What an agent knows, as far as it never knows less when it goes on.
#[derive(Clone)]
pub(super) struct Knowledge {
    pub clock: Clock,
    /// The moments of its last fences: for shared memory, for other memory, and for mbarriers that it has initialized.
    pub fence: [i64; 3],
    /// The groups of `cp.async` that it had waited for at its last fence.
    pub fenced_groups: i64,
    /// The groups of each line that it has waited for.
    pub done: [i64; Line::ALL.len()],
    /// Its clock at its last `tcgen05.fence::after_thread_sync`.
    pub seen: Vec<i64>,
}

impl Knowledge {
    /// What an agent knows at the begin of the kernel: nothing.
    pub fn none(parts: ClockParts) -> Self {
        let (fence, done) = ([0; 3], [0; Line::ALL.len()]);
        Knowledge { clock: Clock::new(parts), fence, fenced_groups: 0, done, seen: vec![0; parts.len()] }
    }

    /// Keeps what is also known in the other.
    pub fn meet(&mut self, other: &Knowledge) {
        self.clock.meet(&other.clock);
        least(&mut self.fence, &other.fence);
        least(&mut self.done, &other.done);
        least(&mut self.seen, &other.seen);
        self.fenced_groups = self.fenced_groups.min(other.fenced_groups);
    }

    /// Adds components of more mbarriers.
    pub fn resize(&mut self, parts: ClockParts) {
        self.clock.resize(parts);
        self.seen.resize(parts.len(), 0);
    }
}

impl Agent {
    /// An agent at the begin of the kernel.
    pub fn new(rank: usize, threads: ThreadSet, parts: ClockParts) -> Self {
        Agent {
            rank,
            threads,
            knows: Knowledge::none(parts),
            at: 0,
            stage: 0,
            moment: 1,
            closed: [0; Queue::COUNT],
            blocked: None,
            arrived: None,
            met: false,
            branches: Vec::new(),
            uncertain: Default::default(),
            mixed: Default::default(),
            issued: [-1; Queue::COUNT],
        }
    }

    /// The first group of a queue that may be in flight after a wait for all but the last `pending`.
    ///
    /// Groups that it may not have closed count as left in flight in addition. What was issued before the arm that closes one may be in the
    /// next group; what was issued in that arm is in that group, or nowhere:
    ///
    /// ```text
    ///   issue A; if c { issue B; close 2 }; issue C; close 3      all but the last 1:  2, since A is in 3 where the arm was not taken
    ///            if c { issue B; close 2 }; issue C; close 3                           3
    /// ```
    pub fn waited(&self, queue: Queue, pending: i64) -> i64 {
        let is_in = |groups: &[Vec<i64>], group: &i64| groups[queue as usize].binary_search(group).is_ok();
        let mut first = self.closed[queue as usize];
        for _ in 0..pending {
            first = (0..first).rev().find(|group| !is_in(&self.uncertain, group)).unwrap_or(0);
        }
        (0..first).rev().find(|group| !is_in(&self.mixed, group)).map_or(0, |last| last + 1)
    }

    /// Whether something is issued in the group of each queue that the agent closes next.
    pub fn is_begun(&self) -> [bool; Queue::COUNT] {
        std::array::from_fn(|queue| self.issued[queue] == self.closed[queue])
    }

    /// The groups of a queue that the agent knows to be complete, in the sense that an access needs: written, or only
    /// read.
    pub fn done(&self, queue: Queue, write: bool) -> i64 {
        Line::of(queue, write).map_or(0, |line| self.knows.done[line as usize])
    }
}

/// What an agent waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    /// Other agents at a barrier of the block or warp.
    Barrier,
    /// Other agents at the barrier of the cluster.
    Cluster,
    /// A phase of an mbarrier.
    Phase(usize, i64),
}

/// The barrier of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The number of completed rounds.
    pub round: i64,
    /// The joined clocks of the agents that have arrived in the current round.
    pub gathering: Clock,
    /// The joined clocks of the last completed round.
    pub before: Clock,
}

/// The components of a clock: for each agent, its own operations and its groups in each line; for each mbarrier, its
/// phases.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockParts {
    pub agents: usize,
    pub slots: usize,
}

/// What an agent's wait or fence says of its asynchronous operations: that `cp.async` is complete; that bulk copies are
/// complete, or have read their sources; that loads from tensor memory or stores to it are complete, or are followed by
/// a `tcgen05` fence besides; that `wgmma` products are complete; and that what came before a `tcgen05.commit` is
/// complete, as its arrival says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    CpAsync,
    BulkGroups,
    BulkGroupsRead,
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
        Line::BulkGroups,
        Line::BulkGroupsRead,
        Line::Load,
        Line::Store,
        Line::LoadFenced,
        Line::StoreFenced,
        Line::Product,
        Line::Committed,
    ];

    /// The line of an access in a queue; `None` where an mbarrier says when it is complete.
    pub fn of(queue: Queue, write: bool) -> Option<Line> {
        match (queue, write) {
            (Queue::CpAsync, _) => Some(Line::CpAsync),
            (Queue::BulkGroups, true) => Some(Line::BulkGroups),
            (Queue::BulkGroups, false) => Some(Line::BulkGroupsRead),
            (Queue::TmemLoad, _) => Some(Line::Load),
            (Queue::TmemStore, _) => Some(Line::Store),
            (Queue::TmemCopy, _) => None,
            (Queue::Product, _) => Some(Line::Product),
        }
    }

    /// The line of the same operations followed by a `tcgen05` fence.
    pub fn fenced(self) -> Option<Line> {
        match self {
            Line::Load => Some(Line::LoadFenced),
            Line::Store => Some(Line::StoreFenced),
            _ => None,
        }
    }

    /// The queue whose groups it counts.
    pub fn queue(self) -> Queue {
        match self {
            Line::CpAsync => Queue::CpAsync,
            Line::BulkGroups | Line::BulkGroupsRead => Queue::BulkGroups,
            Line::Load | Line::LoadFenced => Queue::TmemLoad,
            Line::Store | Line::StoreFenced => Queue::TmemStore,
            Line::Product => Queue::Product,
            Line::Committed => Queue::TmemCopy,
        }
    }
}

impl ClockParts {
    /// The operations of an agent.
    pub fn own(self, agent: usize) -> usize {
        agent
    }

    /// In `Clock::fenced`: the operations of an agent on shared or on other memory.
    pub fn fenced(self, agent: usize, shared: bool) -> usize {
        if shared { agent } else { self.agents + agent }
    }

    /// In `Clock::fenced`: the mbarriers that an agent has initialized, known through the fence that lets other blocks
    /// use them.
    pub fn made(self, agent: usize) -> usize {
        2 * self.agents + agent
    }

    /// In `Clock::fenced`: the groups of `cp.async` of an agent.
    pub fn fenced_groups(self, agent: usize) -> usize {
        3 * self.agents + agent
    }

    /// In `Clock::fenced`: the phases of an mbarrier.
    pub fn fenced_slot(self, slot: usize) -> usize {
        4 * self.agents + slot
    }

    /// The component of `Clock::known` that a component of `Clock::fenced` repeats, as it was at a fence.
    pub fn known_at_fence(self, fenced: usize) -> usize {
        match fenced.checked_sub(self.fenced_slot(0)) {
            Some(slot) => self.slot(slot),
            None if fenced >= self.fenced_groups(0) => self.line(fenced % self.agents, Line::CpAsync),
            None => self.own(fenced % self.agents),
        }
    }

    /// The groups of an agent in a line.
    pub fn line(self, agent: usize, line: Line) -> usize {
        self.agents * (1 + line as usize) + agent
    }

    /// The phases of an mbarrier.
    pub fn slot(self, slot: usize) -> usize {
        (1 + Line::ALL.len()) * self.agents + slot
    }

    pub fn len(self) -> usize {
        self.slot(self.slots)
    }
}

/// A vector clock: how much of each component is known to have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub known: Vec<i64>,
    /// How much is known through a proxy fence: of each agent, first the operations on shared memory, then those on other
    /// memory, then the mbarriers that it has initialized, then its groups of `cp.async`; then the phases of each mbarrier.
    pub fenced: Vec<i64>,
}

impl Clock {
    pub fn new(parts: ClockParts) -> Self {
        Clock { known: vec![0; parts.len()], fenced: vec![0; parts.fenced_slot(parts.slots)] }
    }

    /// Adds components of more mbarriers.
    pub fn resize(&mut self, parts: ClockParts) {
        self.known.resize(parts.len(), 0);
        self.fenced.resize(parts.fenced_slot(parts.slots), 0);
    }

    pub fn join(&mut self, other: &Clock) {
        let most = |times: &mut [i64], other: &[i64]| {
            times.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).max(*other))
        };
        most(&mut self.known, &other.known);
        most(&mut self.fenced, &other.fenced);
    }

    /// Keeps what is also known in the other.
    pub fn meet(&mut self, other: &Clock) {
        least(&mut self.known, &other.known);
        least(&mut self.fenced, &other.fenced);
    }

    pub fn raise(&mut self, part: usize, to: i64) {
        self.known[part] = self.known[part].max(to);
    }
}

fn least(to: &mut [i64], other: &[i64]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to = (*to).min(*other));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent that has closed groups 0 to 3 of bulk copies, one of them perhaps.
    fn closed(perhaps: i64, holds_earlier: bool) -> Agent {
        let queue = Queue::BulkGroups as usize;
        let mut agent = Agent::new(0, ThreadSet::range(0, 1), ClockParts { agents: 1, slots: 0 });
        agent.closed[queue] = 4;
        agent.uncertain[queue].push(perhaps);
        agent.mixed[queue].extend(Some(perhaps).filter(|_| holds_earlier));
        agent
    }

    #[test]
    fn what_an_arm_alone_issued_is_complete_or_was_never_issued() {
        let waited =
            |perhaps, holds_earlier, pending| closed(perhaps, holds_earlier).waited(Queue::BulkGroups, pending);
        assert_eq!([waited(2, true, 1), waited(2, false, 1)], [2, 3]);
        assert_eq!([waited(3, true, 0), waited(3, false, 0)], [3, 4]);
        // One group may stay in flight: 2, where 3 was not closed.
        assert_eq!([waited(3, true, 1), waited(3, false, 1)], [2, 2]);
    }
}
