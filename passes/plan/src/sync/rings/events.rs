//! Accesses while a program is executed: which of them meet, and whether the later one knows of the earlier.

use std::collections::HashMap;
use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::sync::finding::{Conflict, Example, Finding, Needs, Threads};
use crate::sync::program::{Access, Completion, Program};
use crate::sync::rings::agent::Agent;
use crate::sync::rings::clock::{Line, Parts};
use crate::sync::rings::trace::{Iterations, Step};
use crate::sync::shift::{Apart, Shift};
use crate::touch::Queue;
use crate::touch::footprint::Footprint;

/// How often events are left out that all know of.
const SWEEP: usize = 64;

/// An access that has been made.
#[derive(Clone, Debug)]
struct Event {
    op: usize,
    number: usize,
    agent: usize,
    iterations: Iterations,
    round: i64,
    /// The part of a clock by which it is known, and how much of that: more than this number.
    part: Option<usize>,
    index: i64,
    /// Where it begins; `None` where that is not known.
    begin: Option<i64>,
    bytes: Option<Rc<Footprint>>,
}

/// All of a run.
#[derive(Default)]
pub(super) struct Events {
    by_object: HashMap<usize, Vec<Event>>,
    /// What an agent's threads touch in an access.
    bytes: HashMap<(usize, usize, usize), Option<Rc<Footprint>>>,
    added: usize,
}

/// Which threads of two events are not known to be in order.
#[derive(Clone, Copy)]
struct Unordered {
    others: bool,
    own: bool,
    /// Is it but a fence that is missing?
    only_fence: bool,
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
            let threads = agents[agent].threads;
            let restricted = || access.bytes.as_ref().map(|bytes| Rc::new(bytes.of_threads(&threads)));
            let bytes = self.bytes.entry((step.op, number, agent)).or_insert_with(restricted).clone();
            if bytes.as_ref().is_some_and(|bytes| bytes.segments().is_empty()) {
                continue;
            }
            let begin = if access.shift.unknown { None } else { access.shift.at(&step.iterations) };
            let (part, index) = known_by(access, &agents[agent], agent, phase, parts);
            let event = Event {
                op: step.op,
                number,
                agent,
                iterations: step.iterations.clone(),
                round: step.round,
                part,
                index,
                begin,
                bytes,
            };
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

fn line(queue: Queue, write: bool) -> Line {
    match (queue, write) {
        (Queue::CpAsync, _) => Line::CpAsync,
        (Queue::Bulk, true) => Line::Bulk,
        (Queue::Bulk, false) => Line::BulkRead,
    }
}

/// The part of a clock by which an access is known to be done, and its number there.
fn known_by(
    access: &Access,
    own: &Agent,
    agent: usize,
    phase: Option<(usize, i64)>,
    parts: Parts,
) -> (Option<usize>, i64) {
    match access.completion {
        Completion::Now => (Some(parts.own(agent)), own.moment),
        Completion::Group(queue) => (Some(parts.line(agent, line(queue, access.write))), own.closed[queue as usize]),
        Completion::Arrival | Completion::Phase(_) => {
            phase.map_or((None, 0), |(slot, phase)| (Some(parts.slot(slot)), phase))
        }
        Completion::Never => (None, 0),
    }
}

/// Whether two events conflict.
fn conflict(
    program: &Program,
    agents: &[Agent],
    parts: Parts,
    (first, second): (&Event, &Event),
    one: bool,
) -> Option<Conflict> {
    let a = &program.ops[first.op].accesses[first.number];
    let b = &program.ops[second.op].accesses[second.number];
    if !a.conflicts(b) || apart(a, b, (first, second), agents) {
        return None;
    }
    let unordered = unordered(agents, (first, a), (second, b), parts)?;
    let alike = a.shift.fixed == b.shift.fixed;
    let known = first.bytes.as_ref().zip(second.bytes.as_ref()).filter(|_| one && alike);
    let example = match known.zip(first.begin.zip(second.begin)) {
        None => None,
        Some(((from, to), (begin, next))) => {
            let exact = meet(from, to, next.saturating_sub(begin), unordered, first.agent == second.agent);
            Some(exact.or_else(|| later(program, (first, a), (second, b), unordered))?)
        }
    };
    let needs = needs(program, agents, (first, a), second, unordered, parts);
    // Threads that nothing holds back may be ahead of others: what comes first in the text is said to be first.
    let ahead = matches!(needs, Needs::Barrier(_)) && is_ahead(first, second);
    let (first, second, example) =
        if ahead { (second, first, example.map(|it| turned(it, first, second))) } else { (first, second, example) };
    let common = first.iterations.last().zip(second.iterations.last()).filter(|(a, b)| a.0 == b.0 && a.1 < b.1);
    Some(Conflict {
        first: (first.op, first.number),
        second: (second.op, second.number),
        carried: common.map(|(a, _)| a.0),
        later: common.map(|(a, b)| b.1 - a.1),
        example,
        needs,
    })
}

/// Would one thread execute the second before the first?
fn is_ahead(first: &Event, second: &Event) -> bool {
    let pairs = first.iterations.iter().zip(second.iterations.iter()).take_while(|(a, b)| a.0 == b.0);
    let differs = pairs.map(|(a, b)| a.1.cmp(&b.1)).find(|it| it.is_ne());
    differs.unwrap_or(first.op.cmp(&second.op)).is_gt()
}

/// An example from the side of the second.
fn turned(example: Example, first: &Event, second: &Event) -> Example {
    let moved = first.begin.zip(second.begin).map_or(0, |(first, second)| first.saturating_sub(second));
    Example { first: example.second, second: example.first, byte: example.byte.saturating_add(moved) }
}

/// Are two accesses of one operation never both made, or by one warp as a whole?
fn apart(a: &Access, b: &Access, (first, second): (&Event, &Event), agents: &[Agent]) -> bool {
    if first.op != second.op || first.iterations != second.iterations {
        return false;
    }
    let warps = [first, second].map(|event| agents[event.agent].threads.warps());
    let whole = first.number == second.number && a.by_warps && warps[0] == warps[1];
    let ways = a.way.zip(b.way).filter(|(a, b)| a != b);
    whole || ways.is_some_and(|(way, _)| way.together(warps[0].trailing_zeros() as usize) & u64::from(warps[1]) != 0)
}

fn unordered(
    agents: &[Agent],
    (first, a): (&Event, &Access),
    (second, b): (&Event, &Access),
    parts: Parts,
) -> Option<Unordered> {
    let proxy = a.write && !a.through_async_proxy && b.through_async_proxy;
    let knows = &agents[second.agent];
    let clock = &knows.clock;
    let is_known = first.part.is_some_and(|part| clock.known[part] > first.index);
    let fenced = !proxy || clock.fenced[parts.fenced(first.agent, a.shared)] > first.index;
    let mut found = Unordered { others: !(is_known && fenced), own: false, only_fence: is_known };
    if first.agent == second.agent {
        let done = match a.completion {
            Completion::Now => true,
            Completion::Group(queue) => knows.done[line(queue, a.write) as usize] > first.index,
            _ => is_known,
        };
        let fence = !proxy || knows.fence[usize::from(!a.shared)] > first.index || fenced;
        found.own = !(done && fence);
        found.only_fence &= done;
    }
    (found.others || found.own).then_some(found)
}

/// Threads that touch a byte without order.
fn meet(from: &Footprint, to: &Footprint, delta: i64, unordered: Unordered, same: bool) -> Option<Example> {
    from.meeting(to, delta).find_map(|(byte, a, b)| {
        let pair = |a: &ThreadSet, b: &ThreadSet| {
            let second = b.iter().next()?;
            let first = a.iter().find(|&first| first != second).map(|first| (first, second));
            first.or_else(|| Some((a.iter().next()?, b.iter().find(|&it| Some(it) != a.iter().next())?)))
        };
        let found = match () {
            () if !same => Some((a.threads.iter().next()?, b.threads.iter().next()?)),
            () if unordered.own && !a.threads.intersect(&b.threads).is_empty() => {
                a.threads.intersect(&b.threads).iter().next().map(|thread| (thread, thread))
            }
            () if unordered.others => pair(&a.threads, &b.threads),
            () => None,
        };
        found.map(|(first, second)| Example { first, second, byte })
    })
}

/// Whether accesses that move on without end may meet in iterations that are not executed.
fn later(
    program: &Program,
    (first, a): (&Event, &Access),
    (second, b): (&Event, &Access),
    unordered: Unordered,
) -> Option<Example> {
    let rate = |shift: &Shift| -> Vec<(i64, i64)> {
        let open = shift.loops.iter().filter(|(number, _)| program.loops[**number].trips.is_none());
        open.map(|(_, it)| (it.gain(), it.period())).filter(|it| it.0 != 0).collect()
    };
    let (one, other) = (rate(&a.shift), rate(&b.shift));
    let period = one.iter().chain(&other).map(|it| it.1).max()?;
    let near = one == other && first.round.abs_diff(second.round) < period.unsigned_abs().max(8);
    if near {
        return None;
    }
    let (from, to) = (first.bytes.as_ref()?, second.bytes.as_ref()?);
    let same = first.agent == second.agent;
    match Shift::distances(&a.shift, &b.shift, &program.loops, |_| Apart::Any, from.span(to)) {
        Some(distances) => distances.into_iter().find_map(|(distance, _)| meet(from, to, distance, unordered, same)),
        None => meet(from, from, 0, Unordered { others: true, own: true, ..unordered }, same),
    }
}

/// The narrowest order that would do.
fn needs(
    program: &Program,
    agents: &[Agent],
    (first, a): (&Event, &Access),
    second: &Event,
    found: Unordered,
    parts: Parts,
) -> Needs {
    let (from, to) = (program.ops[first.op].active, program.ops[second.op].active);
    let warps = [first, second].map(|event| agents[event.agent].threads.warps());
    let threads = match () {
        // A barrier where all come, if the one who was first does, too.
        () if from != to => Some(Threads::Block).filter(|_| to == program.block),
        () if warps[0] == warps[1] => Some(Threads::Warp),
        () if from.warps() == program.block.warps() => Some(Threads::Block),
        () => Some(Threads::Some(from)),
    };
    let maker = &agents[first.agent];
    match a.completion {
        // Who is behind may wait for its groups where the other one has.
        Completion::Group(queue)
            if [maker, &agents[second.agent]]
                .iter()
                .all(|it| it.done[line(queue, a.write) as usize] <= first.index) =>
        {
            let behind = maker.closed[queue as usize] - first.index;
            Needs::Group {
                queue,
                pending: (behind - 1).max(0),
                committed: behind > 0,
                threads: threads.filter(|_| found.others),
            }
        }
        Completion::Arrival | Completion::Phase(_) => Needs::Phase(first.part.map_or(0, |part| part - parts.slot(0))),
        Completion::Never => Needs::Completion,
        _ if first.op == second.op && first.iterations == second.iterations => Needs::Apart,
        _ if found.only_fence => Needs::ProxyFence,
        _ => threads.map_or(Needs::Arrival, Needs::Barrier),
    }
}
