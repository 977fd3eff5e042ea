//! What has to come between two accesses, one after the other, and what does it.
//!
//! ```text
//!   cp.async to s  ──▶  commit  ──▶  wait  ──▶  barrier  ──▶  another thread reads s
//!   write of s  ──▶  barrier  ──▶  fence  ──▶  a bulk copy of another thread reads s
//! ```

use std::collections::BTreeMap;

use crate::problem::threads::ThreadSet;
use crate::sync::cuts::BARRIER;
use crate::sync::cuts::points::{Point, Points};
use crate::sync::program::{Effect, Op};
use crate::touch::Queue;

/// What has to be done between two accesses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Threads close the group of a copy.
    Commit(Queue, ThreadSet),
    /// Threads wait for the group of a copy, or until it has read.
    Wait {
        /// Which groups.
        queue: Queue,
        /// Who has issued the copy.
        by: ThreadSet,
        /// Is it enough that it has read?
        reads: bool,
    },
    /// A phase, by its number, is waited for: this is found, never put.
    Phase(usize),
    /// Threads make a proxy fence.
    Fence {
        /// Is the access one of shared memory?
        shared: bool,
        /// Who has to.
        by: ThreadSet,
    },
    /// Threads wait for each other.
    Barrier {
        /// Who.
        of: ThreadSet,
        /// Only those of each warp?
        narrow: bool,
    },
}

/// What may be put at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Put {
    Commit(Queue),
    Wait(Queue, i64),
    Fence { shared: bool },
    WarpBarrier,
    Barrier,
}

impl Put {
    /// As an effect.
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

impl Step {
    /// May it be put, or has it to be there?
    pub fn is_put(&self, waits: bool) -> bool {
        !matches!(self, Step::Phase(_)) && (waits || !matches!(self, Step::Wait { .. }))
    }

    /// Does an operation do it, if so many groups have been closed on all ways to it?
    pub fn is_done(&self, op: &Op, closed: i64) -> bool {
        let here = |by: &ThreadSet| by.is_subset(&op.active);
        let is_it = |effect: &Effect| match (self, effect) {
            (Step::Commit(queue, by), Effect::Commit(of)) => queue == of && here(by),
            (Step::Wait { queue, by, reads }, Effect::Wait { queue: of, pending, reads: only }) => {
                queue == of && here(by) && *pending < closed && (*reads || !only)
            }
            (Step::Phase(phase), Effect::PhaseWait(phases)) => phases.contains(phase),
            (Step::Fence { shared, by }, Effect::ProxyFence { shared: only }) => here(by) && (*shared || !only),
            (Step::Barrier { of, .. }, Effect::Barrier) => here(of),
            (Step::Barrier { of, narrow }, Effect::WarpBarrier) => *narrow && here(of),
            _ => false,
        };
        op.exact && op.effects.iter().any(is_it)
    }

    /// What does it at a place.
    fn puts(&self, point: &Point, closed: i64) -> Vec<Put> {
        let Some(active) = point.active.filter(|active| !active.is_empty()) else { return Vec::new() };
        match self {
            Step::Commit(queue, by) if by.is_subset(&active) => vec![Put::Commit(*queue)],
            Step::Wait { queue, by, .. } if by.is_subset(&active) && closed > 0 => vec![Put::Wait(*queue, closed - 1)],
            Step::Fence { shared, by } if by.is_subset(&active) => {
                let all = [true, false].into_iter().filter(|only| *shared || !only);
                all.map(|shared| Put::Fence { shared }).collect()
            }
            Step::Barrier { of, narrow } if point.whole && of.is_subset(&active) => {
                let all = [Put::WarpBarrier, Put::Barrier].into_iter();
                all.filter(|it| *narrow || *it == Put::Barrier).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What may be put, and where.
#[derive(Debug, Default)]
pub(super) struct Sites {
    numbers: BTreeMap<(usize, Put), usize>,
    /// The place of each, by its number, and what is put there.
    pub list: Vec<(usize, Put)>,
    /// What each costs.
    pub weights: Vec<u64>,
}

impl Sites {
    /// What does a step at a place, each by its number.
    pub fn of(&mut self, points: &Points, place: usize, step: &Step, closed: i64) -> Vec<usize> {
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
