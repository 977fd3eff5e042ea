//! Accesses while a program is executed: which of them meet, and whether the later one knows of the earlier.
//!
//! Shared memory is there from when its block begins until it ends: copies to and from it, and other blocks, touch it in between.
//! What is asynchronous in tensor memory and registers of a block is done by then, too.

use std::collections::{BTreeMap, HashMap};

use crate::problem::scope::Space;
use crate::sync::finding::{Finding, Outside};
use crate::sync::program::{Access, Completion, Effect, Program};
use crate::sync::rings::agent::{Agent, Parts};
use crate::sync::rings::conflicts::conflict;
use crate::sync::rings::event::{Event, known_by, makes};
use crate::sync::rings::footprints::Footprints;
use crate::sync::rings::trace::Step;

/// How often events are left out that all know of.
const SWEEP: usize = 64;

/// All of a run.
#[derive(Clone)]
pub(super) struct Events<'p> {
    footprints: &'p Footprints,
    by_object: BTreeMap<usize, Vec<Event<'p>>>,
    added: usize,
    objects: HashMap<usize, Object>,
}

/// What is done to an object, or to one that may be of the same memory.
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

    /// The accesses of a step, and what of them is in conflict with earlier ones.
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
            // What is but read has to be there all the same, where it is of another block.
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

    /// Leaves out what all know of.
    fn sweep(&mut self, agents: &[Agent], parts: Parts) {
        for events in self.by_object.values_mut() {
            events.retain_mut(|event| !(0..agents.len()).all(|agent| event.is_over(agent, &agents[agent], parts)));
        }
    }

    /// From here on an mbarrier says when what an agent has issued and not committed is done.
    pub fn commit(&mut self, agent: usize, slot: usize) {
        let open = |event: &&mut Event<'_>| {
            event.agent == agent && event.slot.is_none() && event.access.completion == Completion::Commit
        };
        for event in self.by_object.values_mut().flatten().filter(open) {
            event.slot = Some(slot);
        }
    }

    /// Accesses that may be in flight when the block ends that their memory is of.
    pub fn open(&self, program: &Program, agents: &[Agent]) -> Vec<Finding> {
        let late = self.by_object.values().flatten().filter_map(|event| late(program, agents, event));
        let mut all: Vec<Finding> = late.collect();
        // Who waits for what a commit is behind waits for its arrival.
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
        // Of blocks that are too late, one is enough.
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

/// Whether an access may come before the block has begun that its memory is of, as far as its threads know.
fn early(agents: &[Agent], event: &Event, parts: Parts) -> Option<Finding> {
    let own = &agents[event.agent];
    let access = event.access;
    let heard = |it: usize| Some(agents[it].rank) == event.owner && own.clock.known[parts.own(it)] > 0;
    let begun = event.owner == Some(own.rank) || own.met || (0..agents.len()).any(heard);
    (access.space == Space::Shared && !begun).then(|| outside(agents, event, false))
}

/// Whether an access may come after the block has ended that its memory is of: none of its threads knows of it.
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
    let makers = event.bytes.as_ref().and_then(|bytes| bytes.segments().first()?.threads.iter().next());
    let thread = makers.or_else(|| own.threads.iter().next()).unwrap_or(0);
    Finding::Outside(Box::new(Outside {
        at: (event.op, event.number),
        by: (own.rank, thread),
        owner: event.owner,
        ended,
    }))
}
