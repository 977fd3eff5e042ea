//! An executed access, and the clock component that says when it is complete.

use std::rc::Rc;

use crate::queue::Queue;
use crate::sync::access::{Access, Completion};
use crate::sync::rings::accesses::AgentAccess;
use crate::sync::rings::agent::{Agent, ClockParts, Knowledge, Line};
use crate::sync::rings::arms::{Arm, Arms};
use crate::sync::rings::trace::{Iterations, TraceStep};
use tile_isa::Space;

/// An access that has been executed.
#[derive(Clone, Debug)]
pub(super) struct Event<'p> {
    pub issued: Rc<AgentAccess<'p>>,
    /// The number of events before it.
    pub at: usize,
    pub iterations: Iterations,
    /// The clock component by which it is known. A clock knows the event if that component is larger than `index`.
    pub part: Option<usize>,
    pub index: i64,
    /// The mbarrier whose phase completes it, if one does. For what a `tcgen05.commit` completes, it is set by the
    /// commit.
    pub slot: Option<usize>,
    /// Its start offset; `None` where unknown.
    pub begin: Option<i64>,
    /// The first byte of its object and the byte after the last; `None` where they depend on more than the iterations.
    pub range: Option<(i64, i64)>,
    /// The arms around it that may not be taken.
    pub arms: Arms,
    /// The agents that have left its arm.
    pub left: Vec<KnownBehind>,
}

/// What an agent knew of an event in an arm when it left the arm.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownBehind {
    pub agent: usize,
    /// Whether it knew that the event is over.
    pub known: bool,
    /// Whether it knew of a proxy fence behind the event.
    pub fenced: bool,
    /// For the agent's own event: whether it had waited for it, and whether it had executed a proxy fence behind it.
    pub waited: bool,
    pub is_fenced_by: bool,
}

impl Event<'_> {
    /// Whether it is known to touch no byte of another event: a quick test, which most pairs of events pass.
    pub fn is_apart(&self, other: &Event<'_>) -> bool {
        let both = self.range.zip(other.range).filter(|_| self.issued.object == other.issued.object);
        both.is_some_and(|((begin, end), (next, last))| end <= next || last <= begin)
    }

    /// Whether an agent knows the event, fences included, so that nothing that the agent does from now on conflicts
    /// with it.
    pub fn is_over(&self, (number, agent): (usize, &Agent), parts: ClockParts) -> bool {
        let issued = &self.issued;
        if issued.access.space != Space::Tmem
            && !issued.makes
            && self.left_by(number).is_some_and(|left| left.known && (!issued.is_generic || left.fenced))
        {
            return true;
        }
        self.is_known(&agent.knows, parts)
    }

    /// Whether clocks say so, whatever was known when an arm was left.
    pub fn is_known(&self, knows: &Knowledge, parts: ClockParts) -> bool {
        let (issued, clock) = (&self.issued, &knows.clock);
        let Some(part) = self.part else { return false };
        let is_past = |known: &[i64], part: usize| known[part] > self.index;
        is_past(&clock.known, part)
            && (!issued.is_generic || self.proxy_part(parts).is_some_and(|part| is_past(&clock.fenced, part)))
            && (!issued.makes || is_past(&clock.fenced, parts.made(issued.agent)))
            && (issued.access.space != Space::Tmem
                || self.fenced_part(parts).is_some_and(|part| is_past(&knows.seen, part)))
    }

    /// Whether this and another event are in different arms of one execution of a branch, so that there is only one of them.
    pub fn excludes(&self, other: &Event<'_>, agents: &[Agent]) -> bool {
        let differ = self.arms.iter().zip(other.arms.iter()).find(|(first, second)| first != second);
        differ.is_some_and(|(first, second)| {
            first.branch == second.branch
                && self.iterations.get(..first.depth) == other.iterations.get(..second.depth)
                && first.is_common(&agents[self.issued.agent], &agents[other.issued.agent])
        })
    }

    /// Whether it is in the arm that an agent leaves with a step.
    pub fn is_left_by(&self, agents: &[Agent], agent: usize, step: &TraceStep) -> bool {
        let depth = step.iterations.len();
        let is_inside =
            self.arms.starts_with(&step.arms) && self.iterations.get(..depth) == Some(step.iterations.as_slice());
        let is_common = |arm: &Arm| arm.is_common(&agents[agent], &agents[self.issued.agent]);
        is_inside && (self.issued.agent == agent || step.arms.last().is_some_and(is_common))
    }

    /// What an agent knew of it when it left its arm.
    pub fn left_by(&self, agent: usize) -> Option<&KnownBehind> {
        self.left.iter().find(|left| left.agent == agent)
    }

    /// What an agent knows of it, which leaves its arm.
    pub fn leave(&mut self, (number, agent): (usize, &Agent), parts: ClockParts) {
        let is_past = |known: &[i64], part: Option<usize>| part.is_some_and(|part| known[part] > self.index);
        let before = self.left_by(number).copied();
        let is_own = self.issued.agent == number;
        let waited = match self.issued.access.completion {
            Completion::Now => true,
            Completion::Group(queue) => agent.done(queue, self.issued.access.write) > self.index,
            _ => false,
        };
        let now = KnownBehind {
            agent: number,
            known: is_past(&agent.knows.clock.known, self.part),
            fenced: is_past(&agent.knows.clock.fenced, self.proxy_part(parts)),
            waited: is_own && waited,
            is_fenced_by: is_own && self.is_fenced_by(agent),
        };
        // At the end of an arm around its own, it was known already.
        let all = before.map_or(now, |before| KnownBehind {
            agent: number,
            known: before.known || now.known,
            fenced: before.fenced || now.fenced,
            waited: before.waited || now.waited,
            is_fenced_by: before.is_fenced_by || now.is_fenced_by,
        });
        self.left.retain(|left| left.agent != number);
        self.left.push(all);
    }

    /// The component of [`Clock::fenced`](crate::sync::rings::agent::Clock::fenced) by which a write through the generic proxy is
    /// known to be complete and followed by a proxy fence. It counts what the event's index counts.
    pub fn proxy_part(&self, parts: ClockParts) -> Option<usize> {
        let issued = &self.issued;
        match issued.access.completion {
            Completion::Now => Some(parts.fenced(issued.agent, issued.access.space == Space::Shared)),
            Completion::Group(Queue::CpAsync) => Some(parts.fenced_groups(issued.agent)),
            Completion::Arrival(_) | Completion::Phase(_) => self.slot.map(|slot| parts.fenced_slot(slot)),
            // No other writes through the generic proxy are asynchronous.
            Completion::Group(_) | Completion::Commit | Completion::Never => None,
        }
    }

    /// Whether the agent that made the event has executed a proxy fence after its completion.
    pub fn is_fenced_by(&self, issuer: &Agent) -> bool {
        match self.issued.access.completion {
            Completion::Now => issuer.knows.fence[usize::from(self.issued.access.space != Space::Shared)] > self.index,
            Completion::Group(Queue::CpAsync) => issuer.knows.fenced_groups > self.index,
            _ => false,
        }
    }

    /// The clock component by which an access of tensor memory is known to be complete and followed by a `tcgen05`
    /// fence, which a commit implies.
    pub fn fenced_part(&self, parts: ClockParts) -> Option<usize> {
        match self.issued.access.completion {
            Completion::Group(queue) => {
                let line = Line::of(queue, self.issued.access.write).and_then(Line::fenced);
                line.map(|line| parts.line(self.issued.agent, line))
            }
            _ => self.part,
        }
    }
}

/// The clock component by which an access is known to be complete, and its index there.
pub(super) fn known_by(
    access: &Access,
    issuer: &Agent,
    agent: usize,
    phase: Option<(usize, i64)>,
    parts: ClockParts,
) -> (Option<usize>, i64) {
    match access.completion {
        Completion::Now => (Some(parts.own(agent)), issuer.moment),
        Completion::Group(queue) => {
            (Line::of(queue, access.write).map(|line| parts.line(agent, line)), issuer.closed[queue as usize])
        }
        Completion::Arrival(_) | Completion::Phase(_) => {
            phase.map_or((None, 0), |(slot, phase)| (Some(parts.slot(slot)), phase))
        }
        Completion::Commit => (Some(parts.line(agent, Line::Committed)), issuer.closed[Queue::TmemCopy as usize]),
        Completion::Never => (None, 0),
    }
}
