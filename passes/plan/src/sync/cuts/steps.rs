//! The steps that have to come between two accesses, in order, and the operations that perform them.
//!
//! ```text
//!   cp.async to s  ──▶  commit  ──▶  wait  ──▶  barrier  ──▶  another thread reads s
//!   write of s  ──▶  barrier  ──▶  fence  ──▶  a bulk copy of another thread reads s
//! ```

use std::collections::BTreeMap;

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;
use crate::sync::cuts::BARRIER;
use crate::sync::cuts::points::{Point, Points};
use crate::sync::program::{Effect, Op};

/// A step that has to come between two accesses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OrderStep {
    /// Threads close the group of a copy.
    Commit(Queue, ThreadSet),
    /// Threads wait for the group of a copy, or until the copy has read its source.
    Wait {
        /// The queue of the group.
        queue: Queue,
        /// The threads that have issued the copy.
        by: ThreadSet,
        /// Whether it is enough that the copy has read its source.
        reads: bool,
    },
    /// A phase, by its number, is waited for. Such waits are never inserted, only found.
    Phase(usize),
    /// Threads execute a proxy fence.
    Fence {
        /// Whether the access is to shared memory.
        shared: bool,
        /// The threads.
        by: ThreadSet,
    },
    /// Threads meet at a barrier.
    Barrier {
        /// The threads.
        threads: ThreadSet,
        /// Whether a barrier of each warp is enough.
        narrow: bool,
    },
}

/// An operation that may be inserted at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Put {
    Commit(Queue),
    Wait(Queue, i64),
    Fence { shared: bool },
    WarpBarrier,
    Barrier,
}

impl Put {
    /// The effect of the operation.
    pub fn effect(self) -> Effect {
        match self {
            Put::Commit(queue) => Effect::Commit(queue),
            Put::Wait(queue, pending) => Effect::Wait { queue, pending, reads: false },
            Put::Fence { shared } => Effect::ProxyFence { shared },
            Put::WarpBarrier => Effect::WarpBarrier,
            Put::Barrier => Effect::Barrier,
        }
    }
}

impl OrderStep {
    /// Whether it may be inserted; otherwise it has to exist. `waits`: whether waits may be inserted.
    pub fn is_put(&self, waits: bool) -> bool {
        !matches!(self, OrderStep::Phase(_)) && (waits || !matches!(self, OrderStep::Wait { .. }))
    }

    /// Whether an operation performs the step, if at least `closed` groups have been closed on every path to it.
    pub fn is_done(&self, op: &Op, closed: i64) -> bool {
        let here = |by: &ThreadSet| by.is_subset(&op.active);
        let is_it = |effect: &Effect| match (self, effect) {
            (OrderStep::Commit(queue, by), Effect::Commit(committed)) => queue == committed && here(by),
            (OrderStep::Wait { queue, by, reads }, Effect::Wait { queue: waited, pending, reads: only }) => {
                queue == waited && here(by) && *pending < closed && (*reads || !only)
            }
            (OrderStep::Phase(phase), Effect::PhaseWait(phases)) => phases.contains(phase),
            (OrderStep::Fence { shared, by }, Effect::ProxyFence { shared: only }) => here(by) && (*shared || !only),
            (OrderStep::Barrier { threads, .. }, Effect::Barrier) => here(threads),
            (OrderStep::Barrier { threads, narrow }, Effect::WarpBarrier) => *narrow && here(threads),
            _ => false,
        };
        op.exact && op.effects.iter().any(is_it)
    }

    /// The operations that perform the step if inserted at a point.
    fn puts(&self, point: &Point, closed: i64) -> Vec<Put> {
        let Some(reached) = point.active.filter(|reached| !reached.threads.is_empty()) else { return Vec::new() };
        let active = reached.threads;
        let all = match self {
            OrderStep::Commit(queue, by) if by.is_subset(&active) => vec![Put::Commit(*queue)],
            OrderStep::Wait { queue, by, .. } if by.is_subset(&active) && closed > 0 => {
                vec![Put::Wait(*queue, closed - 1)]
            }
            OrderStep::Fence { shared, by } if by.is_subset(&active) => {
                let all = [true, false].into_iter().filter(|only| *shared || !only);
                all.map(|shared| Put::Fence { shared }).collect()
            }
            OrderStep::Barrier { threads, narrow } if point.whole && threads.is_subset(&active) => {
                let all = [Put::WarpBarrier, Put::Barrier].into_iter();
                all.filter(|put| *narrow || *put == Put::Barrier).collect()
            }
            _ => Vec::new(),
        };
        all.into_iter().filter(|put| put.effect().needs() <= reached.together).collect()
    }
}

/// The sites: pairs of a point and an operation that may be inserted there.
#[derive(Debug, Default)]
pub(super) struct Sites {
    numbers: BTreeMap<(usize, Put), usize>,
    /// The point and the operation of each site, by its number.
    pub list: Vec<(usize, Put)>,
    /// The cost of each site.
    pub weights: Vec<u64>,
}

impl Sites {
    /// The numbers of the sites at a point that perform a step.
    pub fn of(&mut self, points: &Points, place: usize, step: &OrderStep, closed: i64) -> Vec<usize> {
        let point = &points.points[place];
        step.puts(point, closed).into_iter().map(|put| self.number(point.weight, place, put)).collect()
    }

    fn number(&mut self, weight: u64, place: usize, put: Put) -> usize {
        let next = self.list.len();
        let number = *self.numbers.entry((place, put)).or_insert(next);
        if number == next {
            self.list.push((place, put));
            self.weights.push(weight * if put == Put::Barrier { BARRIER } else { 1 });
        }
        number
    }
}
