//! An access while a program is executed, whose memory it is, and by what it is known to be done.

use std::rc::Rc;

use crate::sync::program::{Access, Act, Completion, Effect, Program};
use crate::sync::rings::agent::Agent;
use crate::sync::rings::clock::{Line, Parts};
use crate::sync::rings::trace::Iterations;
use crate::touch::Queue;
use crate::touch::footprint::Footprint;

/// An access that has been made.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub op: usize,
    pub number: usize,
    pub agent: usize,
    pub write: bool,
    /// The rank of the block that the memory is of; `None` where that is not known. Memory that blocks share is looked at block by
    /// block.
    pub owner: Option<usize>,
    pub iterations: Iterations,
    /// The part of a clock by which it is known, and how much of that: more than this number.
    pub part: Option<usize>,
    pub index: i64,
    /// The mbarrier that says so, where the phase of one does: of what a `tcgen05.commit` completes once there is one.
    pub slot: Option<usize>,
    /// Where it begins; `None` where that is not known.
    pub begin: Option<i64>,
    pub bytes: Option<Rc<Footprint>>,
}

impl Event {
    /// The access.
    pub fn access<'p>(&self, program: &'p Program, agents: &[Agent]) -> &'p Access {
        &program.op(agents[self.agent].rank, self.op).accesses[self.number]
    }

    /// Does it make an mbarrier?
    pub fn makes(&self, program: &Program, agents: &[Agent]) -> bool {
        let (op, access) = (program.op(agents[self.agent].rank, self.op), self.access(program, agents));
        let init = |effect: &Effect| matches!(effect, Effect::Mbarrier(of) if of.object == access.object && matches!(of.act, Act::Init { .. }));
        access.write && !access.atomic && op.effects.iter().any(init)
    }
}

/// The part of a clock by which an access is known to be done, and its number there.
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
