//! An executed access: the block that owns its memory, and the clock component that says when it is complete.

use std::rc::Rc;

use crate::sync::program::{Access, Act, Completion, Effect, Program};
use crate::sync::rings::agent::{Agent, Line, Parts};
use crate::sync::rings::trace::Iterations;
use crate::touch::Queue;
use crate::touch::footprint::Footprint;
use tile_isa::Space;

/// An access that has been executed.
#[derive(Clone, Debug)]
pub(super) struct Event<'p> {
    pub op: usize,
    pub number: usize,
    pub agent: usize,
    pub access: &'p Access,
    /// Whether it initializes an mbarrier that other blocks may use.
    pub makes: bool,
    /// Whether it is a write through the generic proxy to memory that is also accessed through the async proxy.
    pub is_generic: bool,
    /// The rank of the block that owns the memory; `None` where unknown. Memory that blocks share is checked block by
    /// block.
    pub owner: Option<usize>,
    pub iterations: Iterations,
    /// The clock component by which it is known. A clock knows the event if that component is larger than `index`.
    pub part: Option<usize>,
    pub index: i64,
    /// The mbarrier whose phase completes it, if one does. For what a `tcgen05.commit` completes, it is set by the
    /// commit.
    pub slot: Option<usize>,
    /// Its start offset; `None` where unknown.
    pub begin: Option<i64>,
    pub bytes: Option<Rc<Footprint>>,
    /// A bit for each of the first 64 agents for which `is_over` has returned true.
    pub over: u64,
}

impl Event<'_> {
    /// Whether an agent knows the event, fences included, so that nothing that the agent does from now on conflicts
    /// with it.
    pub fn is_over(&mut self, agent: usize, it: &Agent, parts: Parts) -> bool {
        // Clocks never decrease, so a true result stays true.
        let bit = 1u64.checked_shl(agent as u32).unwrap_or(0);
        if self.over & bit != 0 {
            return true;
        }
        let is_over = self.part.is_some_and(|part| self.is_known(part, it, parts));
        self.over |= if is_over { bit } else { 0 };
        is_over
    }

    /// The clock component by which an access of tensor memory is known to be complete and followed by a `tcgen05`
    /// fence, which a commit implies.
    pub fn fenced_part(&self, parts: Parts) -> Option<usize> {
        match self.access.completion {
            Completion::Group(queue) => {
                Line::of(queue, self.access.write).and_then(Line::fenced).map(|line| parts.line(self.agent, line))
            }
            _ => self.part,
        }
    }

    fn is_known(&self, part: usize, it: &Agent, parts: Parts) -> bool {
        let (shared, clock) = (self.access.space == Space::Shared, &it.clock);
        let is_past = |known: &[i64], part: usize| known[part] > self.index;
        is_past(&clock.known, part)
            && (!self.is_generic || is_past(&clock.fenced, parts.fenced(self.agent, shared)))
            && (!self.makes || is_past(&clock.fenced, parts.made(self.agent)))
            && (self.access.space != Space::Tmem || self.fenced_part(parts).is_some_and(|part| is_past(&it.seen, part)))
    }
}

/// Whether an access of an operation initializes an mbarrier that other blocks may use.
pub(super) fn makes(program: &Program, rank: usize, op: usize, access: &Access) -> bool {
    let init = |effect: &Effect| matches!(effect, Effect::Mbarrier(of) if of.object == access.object && matches!(of.act, Act::Init { .. }));
    let inits = || program.op(rank, op).effects.iter().any(init);
    program.cluster.is_some() && access.write && !access.atomic && inits()
}

/// The clock component by which an access is known to be complete, and its index there.
pub(super) fn known_by(
    access: &Access,
    own: &Agent,
    agent: usize,
    phase: Option<(usize, i64)>,
    parts: Parts,
) -> (Option<usize>, i64) {
    match access.completion {
        Completion::Now => (Some(parts.own(agent)), own.moment),
        Completion::Group(queue) => {
            (Line::of(queue, access.write).map(|line| parts.line(agent, line)), own.closed[queue as usize])
        }
        Completion::Arrival | Completion::Phase(_) => {
            phase.map_or((None, 0), |(slot, phase)| (Some(parts.slot(slot)), phase))
        }
        Completion::Commit => (Some(parts.line(agent, Line::Committed)), own.closed[Queue::TmemCopy as usize]),
        Completion::Never => (None, 0),
    }
}
