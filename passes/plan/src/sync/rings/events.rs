//! The accesses of an execution: which of them touch a common byte, and whether the later one knows the earlier.
//!
//! Shared memory exists from the start of its block to its end: copies and other blocks may touch it only in between.
//! Asynchronous accesses of a block's tensor memory and registers have to be complete at its end, too.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::sync::access::Completion;
use crate::sync::finding::{Conflict, Finding, Outside};
use crate::sync::program::{Effect, SyncProgram};
use crate::sync::rings::accesses::AgentAccesses;
use crate::sync::rings::agent::{Agent, ClockParts};
use crate::sync::rings::conflicts::{conflict, may_conflict, within};
use crate::sync::rings::event::{Event, known_by};
use crate::sync::rings::series::{ObjectSeries, Series};
use crate::sync::rings::trace::TraceStep;
use tile_isa::Space;

/// The least number of new events after which those that all agents know are dropped; it is the number of series where these are more.
const SWEEP: usize = 64;

/// The events of some memory, by object, and by whether they write it: reads do not conflict with reads.
type MemoryEvents<'p> = BTreeMap<(usize, bool), ObjectSeries<'p>>;

/// The events of an execution.
#[derive(Clone)]
pub(super) struct Events<'p> {
    accesses: Rc<AgentAccesses<'p>>,
    /// What all agents may reach.
    common: MemoryEvents<'p>,
    /// The registers of each agent, which no other one reaches.
    registers: Vec<MemoryEvents<'p>>,
    /// The number of series.
    series: usize,
    /// The number of events so far, and when the last were dropped.
    count: usize,
    swept: usize,
}

impl<'p> Events<'p> {
    pub fn new(accesses: Rc<AgentAccesses<'p>>) -> Self {
        let registers = vec![BTreeMap::new(); accesses.agents.len()];
        Events { accesses, common: BTreeMap::new(), registers, series: 0, count: 0, swept: 0 }
    }

    /// Records the accesses of a step, which complete with the given phases of mbarriers; returns their conflicts with earlier ones, and those that come before their
    /// block has started.
    pub fn touch(
        &mut self,
        agents: &[Agent],
        agent: usize,
        step: &TraceStep,
        arrivals: &[Option<(usize, i64)>],
        parts: ClockParts,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let issuer = &agents[agent];
        for issued in self.accesses.of(agent, step.op).iter() {
            let access = issued.access;
            let phase = match access.completion {
                Completion::Arrival(number) => arrivals.get(number).copied().flatten(),
                Completion::Phase(_) => arrivals.first().copied().flatten(),
                _ => None,
            };
            let (part, index) = known_by(access, issuer, agent, phase, parts);
            let begin = if access.shift.unknown { None } else { access.shift.at(&step.counters) };
            let range = issued
                .bounds
                .zip(begin)
                .and_then(|((first, last), begin)| Some((first.checked_add(begin)?, last.checked_add(begin)?)));
            let event = Event {
                issued: Rc::clone(issued),
                at: self.count,
                iterations: step.iterations.clone(),
                part,
                index,
                slot: phase.map(|(slot, _)| slot),
                begin,
                range,
                arms: Rc::clone(&step.arms),
                left: Vec::new(),
            };
            findings.extend(early(agents, &event, parts));
            let conflicts = self.conflicts(agents, &event, parts);
            findings.extend(conflicts.into_iter().map(|conflict| Finding::Conflict(Box::new(conflict))));
            let memory = if access.space == Space::Local { &mut self.registers[agent] } else { &mut self.common };
            let is_new = memory.entry((issued.object, access.write)).or_default().add(event);
            self.series += usize::from(is_new);
            self.count += 1;
        }
        if self.count - self.swept > SWEEP.max(self.series) {
            self.swept = self.count;
            let common = agents.iter().skip(1).fold(agents[0].knows.clone(), |mut common, agent| {
                common.meet(&agent.knows);
                common
            });
            self.all_memory_mut().for_each(|all| all.sweep(agents, &common, parts));
            self.series = self.all_memory().map(|all| all.list().len()).sum();
        }
        findings
    }

    /// The conflicts of an event with earlier ones, in the order of their objects and of their execution, and with itself.
    fn conflicts(&self, agents: &[Agent], event: &Event<'p>, parts: ClockParts) -> Vec<Conflict> {
        let (program, footprints) = (self.accesses.program, &*self.accesses.footprints);
        let shared = (program, footprints);
        let may = |series: &&Series<'p>| {
            let last = series.last().filter(|last| !last.is_apart(event));
            last.is_some_and(|last| may_conflict(shared, agents, parts, (last, event)))
        };
        let object = event.issued.object;
        let overlapping = program.may_alias.iter().filter_map(|&(a, b)| match object {
            _ if object == a => Some(b),
            _ if object == b => Some(a),
            _ => None,
        });
        let is_local = event.issued.access.space == Space::Local;
        let memory = if is_local { &self.registers[event.issued.agent] } else { &self.common };
        let of_object = |object| {
            let reads = memory.get(&(object, false)).filter(|_| event.issued.access.write);
            memory.get(&(object, true)).into_iter().chain(reads).flat_map(ObjectSeries::list)
        };
        let series = std::iter::once(object).chain(overlapping).flat_map(of_object).filter(may);
        let mut open: Vec<&Event<'p>> = series.flat_map(|one| one.open(agents, event.issued.agent, parts)).collect();
        open.sort_unstable_by_key(|first| (first.issued.object, first.at));
        let earlier = open.into_iter().filter_map(|first| conflict(shared, agents, parts, (first, event)));
        earlier.chain(within(shared, agents, event)).collect()
    }

    /// A `tcgen05.commit`: the mbarrier completes what the agent has issued and not committed so far.
    pub fn commit(&mut self, agent: usize, slot: usize) {
        let open = |event: &&mut Event<'_>| {
            event.issued.agent == agent && event.slot.is_none() && event.issued.access.completion == Completion::Commit
        };
        let all = self.all_memory_mut().flat_map(ObjectSeries::list_mut).flat_map(Series::events_mut);
        all.filter(open).for_each(|event| event.slot = Some(slot));
    }

    /// An agent leaves an arm: what it knows of the events there stays known.
    pub fn leave(&mut self, agents: &[Agent], agent: usize, step: &TraceStep, parts: ClockParts) {
        let series =
            self.common.values_mut().chain(self.registers[agent].values_mut()).flat_map(ObjectSeries::list_mut);
        // The events of a series are of one agent, and all in the same arm.
        let here = series.filter(|one| one.last().is_some_and(|last| last.is_left_by(agents, agent, step)));
        here.for_each(|series| series.leave((agent, &agents[agent]), parts));
    }

    /// The events that were not dropped.
    pub fn all(&self) -> impl Iterator<Item = &Event<'p>> {
        self.all_memory().flat_map(ObjectSeries::list).flat_map(Series::events)
    }

    fn all_memory(&self) -> impl Iterator<Item = &ObjectSeries<'p>> {
        std::iter::once(&self.common).chain(&self.registers).flat_map(BTreeMap::values)
    }

    fn all_memory_mut(&mut self) -> impl Iterator<Item = &mut ObjectSeries<'p>> {
        std::iter::once(&mut self.common).chain(&mut self.registers).flat_map(BTreeMap::values_mut)
    }

    /// The findings for accesses that may be in flight when the block that owns their memory ends.
    pub fn open(&self, agents: &[Agent]) -> Vec<Finding> {
        let program = self.accesses.program;
        let late = self.all().filter_map(|event| late(program, agents, event));
        let mut all: Vec<Finding> = late.collect();
        // A wait for what a commit covers is a wait for its arrival, so one finding is enough.
        let is_commit = |finding: &Finding| match finding {
            Finding::NeverWaited { op, .. } => program.ops[*op].effects.contains(&Effect::TensorCommit),
            _ => false,
        };
        if all.iter().any(|finding| matches!(finding, Finding::NeverWaited { .. }) && !is_commit(finding)) {
            all.retain(|finding| !is_commit(finding));
        }
        all.sort_by_key(|finding| match finding {
            Finding::NeverWaited { op, .. } => (*op, (0, 0)),
            Finding::Outside(outside) => (outside.at.0, (1 + outside.by.0, outside.by.1)),
            _ => (0, (0, 0)),
        });
        let mut findings: Vec<Finding> = Vec::new();
        // For each operation, one block that is too late is enough.
        let alike = |a: &Finding, b: &Finding| match (a, b) {
            (Finding::Outside(a), Finding::Outside(b)) => a.at.0 == b.at.0,
            (a, b) => a == b,
        };
        for finding in all {
            if !findings.iter().any(|other| alike(other, &finding)) {
                findings.push(finding);
            }
        }
        findings
    }
}

/// The finding for an access whose threads do not know that the block that owns its memory has started.
fn early(agents: &[Agent], event: &Event, parts: ClockParts) -> Option<Finding> {
    let issuer = &agents[event.issued.agent];
    let access = event.issued.access;
    let heard =
        |other: usize| Some(agents[other].rank) == event.issued.owner && issuer.knows.clock.known[parts.own(other)] > 0;
    let begun = event.issued.owner == Some(issuer.rank) || issuer.met || (0..agents.len()).any(heard);
    (access.space == Space::Shared && !begun).then(|| outside(agents, event, false))
}

/// The finding for an access that may come after the end of the block that owns its memory, since no thread of that
/// block knows the access.
fn late(program: &SyncProgram, agents: &[Agent], event: &Event) -> Option<Finding> {
    let issuer = &agents[event.issued.agent];
    let access = event.issued.access;
    let heard = |agent: &Agent| event.part.is_some_and(|part| agent.knows.clock.known[part] > event.index);
    let knows = |rank: usize| agents.iter().any(|agent| agent.rank == rank && heard(agent));
    if access.space == Space::Global || event.issued.owner == Some(issuer.rank) && access.completion == Completion::Now
    {
        return None;
    }
    let queue = match access.completion {
        Completion::Group(queue) => Some(queue),
        _ => None,
    };
    match event.issued.owner {
        Some(rank) if rank == issuer.rank => {
            let left = event.left_by(event.issued.agent).is_some_and(|left| left.waited);
            let waited = queue.map(|queue| left || issuer.done(queue, access.write) > event.index);
            let committed =
                queue.is_some_and(|queue| queue.is_of_tensor() || issuer.closed[queue as usize] > event.index);
            let over = waited.unwrap_or_else(|| knows(rank));
            (!over).then_some(Finding::NeverWaited { op: event.issued.op, queue, committed })
        }
        Some(rank) => (!knows(rank)).then(|| outside(agents, event, true)),
        None => {
            let all = (0..program.ranks()).filter(|&rank| rank != issuer.rank).all(knows);
            (!all).then(|| outside(agents, event, true))
        }
    }
}

fn outside(agents: &[Agent], event: &Event, ended: bool) -> Finding {
    let issuer = &agents[event.issued.agent];
    let issuers = event.issued.bytes.as_ref().and_then(|bytes| bytes.segments().first()?.threads.iter().next());
    let thread = issuers.or_else(|| issuer.threads.iter().next()).unwrap_or(0);
    Finding::Outside(Box::new(Outside {
        at: (event.issued.op, event.issued.number),
        by: (issuer.rank, thread),
        owner: event.issued.owner,
        ended,
    }))
}
