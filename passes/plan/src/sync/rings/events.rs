//! Accesses while a program is executed: which of them meet, and whether the later one knows of the earlier.

use std::collections::HashMap;
use std::rc::Rc;

use crate::sync::finding::Finding;
use crate::sync::program::{Completion, Program};
use crate::sync::rings::agent::Agent;
use crate::sync::rings::clock::Parts;
use crate::sync::rings::conflicts::conflict;
use crate::sync::rings::event::{Event, known_by, line};
use crate::sync::rings::trace::Step;
use crate::touch::footprint::Footprint;

/// How often events are left out that all know of.
const SWEEP: usize = 64;

/// All of a run.
#[derive(Default)]
pub(super) struct Events {
    by_object: HashMap<usize, Vec<Event>>,
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
        for (number, access) in program.ops[step.op].accesses.iter().enumerate() {
            let written = self.written.entry(access.object).or_insert_with(|| program.is_written(access.object));
            if !*written {
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
            let event =
                Event { op: step.op, number, agent, iterations: step.iterations.clone(), part, index, begin, bytes };
            for (&object, earlier) in &self.by_object {
                let Some(one) = program.related(access.object, object) else { continue };
                for first in earlier {
                    found.extend(
                        conflict(program, agents, parts, (first, &event), one)
                            .map(|it| Finding::Conflict(Box::new(it))),
                    );
                }
            }
            self.by_object.entry(access.object).or_default().push(event);
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
                let access = &program.ops[event.op].accesses[event.number];
                let Some(part) = event.part else { return true };
                let fenced = |agent: &Agent| {
                    !access.write
                        || access.through_async_proxy
                        || agent.clock.fenced[parts.fenced(event.agent, access.shared)] > event.index
                };
                !agents.iter().all(|agent| agent.clock.known[part] > event.index && fenced(agent))
            });
        }
    }

    /// Copies to and from shared memory that are in flight at the end.
    pub fn open(&self, program: &Program, agents: &[Agent]) -> Vec<Finding> {
        let mut found: Vec<Finding> = Vec::new();
        for event in self.by_object.values().flatten() {
            let access = &program.ops[event.op].accesses[event.number];
            let over = match access.completion {
                Completion::Now => true,
                Completion::Group(queue) => agents[event.agent].done[line(queue, access.write) as usize] > event.index,
                _ => event.part.is_some_and(|part| agents.iter().any(|agent| agent.clock.known[part] > event.index)),
            };
            let (queue, committed) = match access.completion {
                Completion::Group(queue) => (Some(queue), agents[event.agent].closed[queue as usize] > event.index),
                _ => (None, false),
            };
            let finding = Finding::NeverWaited { op: event.op, queue, committed };
            if access.shared && !over && !found.contains(&finding) {
                found.push(finding);
            }
        }
        found.sort_by_key(|finding| if let Finding::NeverWaited { op, .. } = finding { *op } else { 0 });
        found
    }
}
