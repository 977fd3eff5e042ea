//! Accesses while a program is executed: which of them meet, and whether the later one knows of the earlier.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::problem::scope::Space;
use crate::sync::finding::Finding;
use crate::sync::program::{Completion, Effect, Program};
use crate::sync::rings::agent::Agent;
use crate::sync::rings::clock::Parts;
use crate::sync::rings::conflicts::conflict;
use crate::sync::rings::event::{Event, known_by};
use crate::sync::rings::lifetime;
use crate::sync::rings::tensor;
use crate::sync::rings::trace::Step;
use crate::touch::footprint::Footprint;

/// How often events are left out that all know of.
const SWEEP: usize = 64;

/// All of a run.
#[derive(Default)]
pub(super) struct Events {
    by_object: BTreeMap<usize, Vec<Event>>,
    /// What an agent's threads touch in an access.
    bytes: HashMap<(usize, usize, usize), Option<Rc<Footprint>>>,
    added: usize,
    /// Which objects may be written.
    written: HashMap<usize, bool>,
}

impl Events {
    /// The accesses of a step, and what of them is in conflict with earlier ones.
    pub fn touch(
        &mut self,
        program: &Program,
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
            let written = self.written.entry(object).or_insert_with(|| program.is_written(object));
            // What is but read has to be there all the same, where it is of another block.
            if !*written && owner == Some(rank) {
                continue;
            }
            let threads = agents[agent].threads;
            let restricted = || access.bytes.as_ref().map(|bytes| Rc::new(bytes.of_threads(&threads)));
            let bytes = self.bytes.entry((step.op, number, agent)).or_insert_with(restricted).clone();
            if bytes.as_ref().is_some_and(|bytes| bytes.segments().is_empty()) {
                continue;
            }
            let begin = if access.shift.unknown { None } else { access.shift.at(&step.iterations) };
            let (part, index) = known_by(access, &agents[agent], agent, phase, parts);
            let iterations = step.iterations.clone();
            let by_phase = matches!(access.completion, Completion::Arrival | Completion::Phase(_));
            let slot = phase.map(|(slot, _)| slot).filter(|_| by_phase);
            let (op, write) = (step.op, access.write);
            let event = Event { op, number, agent, write, owner, iterations, part, index, slot, begin, bytes };
            found.extend(lifetime::early(program, agents, &event, parts));
            for (&other, earlier) in &self.by_object {
                let Some(one) = program.related(object, other) else { continue };
                for first in earlier {
                    let same = first.owner.zip(owner).map(|(a, b)| a == b);
                    let conflict = match same {
                        Some(false) => None,
                        _ => conflict(program, agents, parts, (first, &event), one && same.is_some()),
                    };
                    found.extend(conflict.map(|it| Finding::Conflict(Box::new(it))));
                }
            }
            self.by_object.entry(object).or_default().push(event);
            self.added += 1;
        }
        if self.added > SWEEP {
            self.added = 0;
            self.sweep(program, agents, parts);
        }
        found
    }

    /// Leaves out what all know of.
    fn sweep(&mut self, program: &Program, agents: &[Agent], parts: Parts) {
        for events in self.by_object.values_mut() {
            events.retain(|event| {
                let access = event.access(program, agents);
                let Some(part) = event.part else { return true };
                let makes = program.cluster.is_some() && event.makes(program, agents);
                let fenced = |agent: &Agent| {
                    !access.write
                        || access.through_async_proxy
                        || agent.clock.fenced[parts.fenced(event.agent, access.space == Space::Shared)] > event.index
                };
                let made = |agent: &Agent| !makes || agent.clock.fenced[parts.made(event.agent)] > event.index;
                let seen = |agent: &Agent| {
                    let part = tensor::fenced_part(event, access, parts);
                    access.space != Space::Tmem || part.is_some_and(|part| agent.seen[part] > event.index)
                };
                let all = |agent: &Agent| fenced(agent) && made(agent) && seen(agent);
                !agents.iter().all(|agent| agent.clock.known[part] > event.index && all(agent))
            });
        }
    }

    /// From here on an mbarrier says when what an agent has issued and not committed is done.
    pub fn commit(&mut self, program: &Program, agents: &[Agent], agent: usize, slot: usize) {
        let open = |event: &&mut Event| {
            let access = event.access(program, agents);
            event.agent == agent && event.slot.is_none() && access.completion == Completion::Commit
        };
        for event in self.by_object.values_mut().flatten().filter(open) {
            event.slot = Some(slot);
        }
    }

    /// Accesses that may be in flight when the block ends that their memory is of.
    pub fn open(&self, program: &Program, agents: &[Agent]) -> Vec<Finding> {
        let late = self.by_object.values().flatten().filter_map(|event| lifetime::late(program, agents, event));
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
