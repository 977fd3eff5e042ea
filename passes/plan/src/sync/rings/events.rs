//! The accesses of an execution: which of them touch a common byte, and whether the later one knows the earlier.
//!
//! Shared memory exists from the start of its block to its end: copies and other blocks may touch it only in between.
//! Asynchronous accesses of a block's tensor memory and registers have to be complete at its end, too.

use std::collections::{BTreeMap, HashMap};

use crate::sync::finding::{Finding, Outside};
use crate::sync::program::{Access, Completion, Effect, Program};
use crate::sync::rings::agent::{Agent, Parts};
use crate::sync::rings::conflicts::conflict;
use crate::sync::rings::event::{Event, known_by, makes};
use crate::sync::rings::footprints::Footprints;
use crate::sync::rings::trace::Step;
use tile_isa::Space;

/// The number of new events after which those that all agents know are dropped.
const SWEEP: usize = 64;

/// The events of an execution.
#[derive(Clone)]
pub(super) struct Events<'p> {
    footprints: &'p Footprints,
    by_object: BTreeMap<usize, Vec<Event<'p>>>,
    added: usize,
    objects: HashMap<usize, Object>,
}

/// How an object, or one that may overlap it, is accessed.
#[derive(Clone, Copy)]
struct Object {
    is_written: bool,
    through_async_proxy: bool,
}

impl Object {
    fn of(program: &Program, object: usize) -> Self {
        let is_of = |access: &&Access| program.related(program.object_of(access), object).is_some();
        let mut all = program.of_all_blocks().flat_map(|(_, op)| &op.accesses).filter(is_of);
        Object {
            is_written: program.is_written(object),
            through_async_proxy: all.any(|access| access.through_async_proxy),
        }
    }
}

impl<'p> Events<'p> {
    pub fn new(footprints: &'p Footprints) -> Self {
        Events { footprints, by_object: BTreeMap::new(), added: 0, objects: HashMap::new() }
    }

    /// Records the accesses of a step; returns their conflicts with earlier ones, and those that come before their
    /// block has started.
    pub fn touch(
        &mut self,
        program: &'p Program,
        agents: &[Agent],
        agent: usize,
        step: &Step,
        phase: Option<(usize, i64)>,
        parts: Parts,
    ) -> Vec<Finding> {
        let mut found = Vec::new();
        let rank = agents[agent].rank;
        for (number, access) in program.op(rank, step.op).accesses.iter().enumerate() {
            let (object, owner) = program.object(rank, access.object);
            let of = *self.objects.entry(object).or_insert_with(|| Object::of(program, object));
            // Memory that is only read has no conflicts. In another block it is still subject to the lifetime check.
            if !of.is_written && owner == Some(rank) {
                continue;
            }
            let bytes = self.footprints.of_agent((step.op, number, access), (agent, &agents[agent].threads));
            if bytes.as_ref().is_some_and(|bytes| bytes.segments().is_empty()) {
                continue;
            }
            let begin = if access.shift.unknown { None } else { access.shift.at(&step.iterations) };
            let (part, index) = known_by(access, &agents[agent], agent, phase, parts);
            let iterations = step.iterations.clone();
            let by_phase = matches!(access.completion, Completion::Arrival | Completion::Phase(_));
            let slot = phase.map(|(slot, _)| slot).filter(|_| by_phase);
            let (op, makes) = (step.op, makes(program, rank, step.op, access));
            let is_generic = of.through_async_proxy && access.write && !access.through_async_proxy;
            let event = Event {
                op,
                number,
                agent,
                access,
                makes,
                is_generic,
                owner,
                iterations,
                part,
                index,
                slot,
                begin,
                bytes,
                over: 0,
            };
            found.extend(early(agents, &event, parts));
            for (&other, earlier) in &mut self.by_object {
                let Some(one) = program.related(object, other) else { continue };
                for first in earlier {
                    if first.is_over(agent, &agents[agent], parts) {
                        continue;
                    }
                    let same = first.owner.zip(owner).map(|(a, b)| a == b);
                    let conflict = match same {
                        Some(false) => None,
                        _ => {
                            conflict((program, self.footprints), agents, parts, (first, &event), one && same.is_some())
                        }
                    };
                    found.extend(conflict.map(|it| Finding::Conflict(Box::new(it))));
                }
            }
            self.by_object.entry(object).or_default().push(event);
            self.added += 1;
        }
        if self.added > SWEEP {
            self.added = 0;
            self.sweep(agents, parts);
        }
        found
    }

    /// Drops events that all agents know.
    fn sweep(&mut self, agents: &[Agent], parts: Parts) {
        for events in self.by_object.values_mut() {
            events.retain_mut(|event| !(0..agents.len()).all(|agent| event.is_over(agent, &agents[agent], parts)));
        }
    }

    /// A `tcgen05.commit`: the mbarrier completes what the agent has issued and not committed so far.
    pub fn commit(&mut self, agent: usize, slot: usize) {
        let open = |event: &&mut Event<'_>| {
            event.agent == agent && event.slot.is_none() && event.access.completion == Completion::Commit
        };
        for event in self.by_object.values_mut().flatten().filter(open) {
            event.slot = Some(slot);
        }
    }

    /// The findings for accesses that may be in flight when the block that owns their memory ends.
    pub fn open(&self, program: &Program, agents: &[Agent]) -> Vec<Finding> {
        let late = self.by_object.values().flatten().filter_map(|event| late(program, agents, event));
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
            Finding::Outside(of) => (of.at.0, (1 + of.by.0, of.by.1)),
            _ => (0, (0, 0)),
        });
        let mut found: Vec<Finding> = Vec::new();
        // For each operation, one block that is too late is enough.
        let alike = |a: &Finding, b: &Finding| match (a, b) {
            (Finding::Outside(a), Finding::Outside(b)) => a.at.0 == b.at.0,
            (a, b) => a == b,
        };
        for finding in all {
            if !found.iter().any(|other| alike(other, &finding)) {
                found.push(finding);
            }
        }
        found
    }
}

/// The finding for an access whose threads do not know that the block that owns its memory has started.
fn early(agents: &[Agent], event: &Event, parts: Parts) -> Option<Finding> {
    let own = &agents[event.agent];
    let access = event.access;
    let heard = |it: usize| Some(agents[it].rank) == event.owner && own.clock.known[parts.own(it)] > 0;
    let begun = event.owner == Some(own.rank) || own.met || (0..agents.len()).any(heard);
    (access.space == Space::Shared && !begun).then(|| outside(agents, event, false))
}

/// The finding for an access that may come after the end of the block that owns its memory, since no thread of that
/// block knows the access.
fn late(program: &Program, agents: &[Agent], event: &Event) -> Option<Finding> {
    let own = &agents[event.agent];
    let access = event.access;
    let heard = |it: &Agent| event.part.is_some_and(|part| it.clock.known[part] > event.index);
    let knows = |rank: usize| agents.iter().any(|it| it.rank == rank && heard(it));
    if access.space == Space::Global || event.owner == Some(own.rank) && access.completion == Completion::Now {
        return None;
    }
    let queue = match access.completion {
        Completion::Group(queue) => Some(queue),
        _ => None,
    };
    match event.owner {
        Some(rank) if rank == own.rank => {
            let waited = queue.map(|queue| own.done(queue, access.write) > event.index);
            let committed = queue.is_some_and(|queue| queue.is_of_tensor() || own.closed[queue as usize] > event.index);
            let over = waited.unwrap_or_else(|| knows(rank));
            (!over).then_some(Finding::NeverWaited { op: event.op, queue, committed })
        }
        Some(rank) => (!knows(rank)).then(|| outside(agents, event, true)),
        None => {
            let all = (0..program.ranks()).filter(|&rank| rank != own.rank).all(knows);
            (!all).then(|| outside(agents, event, true))
        }
    }
}

fn outside(agents: &[Agent], event: &Event, ended: bool) -> Finding {
    let own = &agents[event.agent];
    let issuers = event.bytes.as_ref().and_then(|bytes| bytes.segments().first()?.threads.iter().next());
    let thread = issuers.or_else(|| own.threads.iter().next()).unwrap_or(0);
    Finding::Outside(Box::new(Outside {
        at: (event.op, event.number),
        by: (own.rank, thread),
        owner: event.owner,
        ended,
    }))
}
