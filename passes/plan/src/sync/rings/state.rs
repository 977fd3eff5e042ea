//! Snapshots of an execution, compared to find out whether its state repeats.

use crate::sync::rings::agent::{Blocked, Clock, ClockParts, Knowledge, Line};
use crate::sync::rings::machine::Execution;
use crate::sync::rings::slots::Waiting;
use crate::sync::rings::trace::LoopPosition;

/// The position of an agent.
#[derive(PartialEq, Eq)]
struct At {
    op: Option<usize>,
    place: LoopPosition,
    /// The iterations of loops of other counts.
    others: Vec<(usize, i64)>,
    /// The progress within the operation.
    stage: usize,
    waits: Option<(usize, i64)>,
}

/// A snapshot: numbers, grouped by the counter whose values they are.
pub(super) struct StateSnapshot {
    at: Vec<At>,
    /// For each clock component, its current value, and all values of it that clocks, fences and waits hold.
    parts: Vec<(i64, Vec<i64>)>,
    /// For each mbarrier, the arrivals and bytes of the current phase, the agent that alone contributed to it, and the
    /// agents that waited.
    slots: Vec<(i64, i64, Option<usize>, Vec<usize>)>,
    /// For each agent, whether it has waited at the barrier of the cluster, and how many rounds ago it arrived there.
    met: Vec<(bool, Option<i64>)>,
    /// The iteration of the agent furthest ahead.
    pub ahead: i64,
    /// For each mbarrier, the parity of its current phase.
    pub parities: Vec<i64>,
}

impl StateSnapshot {
    /// A snapshot of an execution, for loops of a count.
    pub fn of(machine: &Execution<'_>, count: usize) -> Self {
        let mut parts: Vec<(i64, Vec<i64>)> = vec![(0, Vec::new()); machine.parts.len()];
        let (mut all, mut ahead) = (Vec::new(), 0);
        for (number, agent) in machine.agents.iter().enumerate() {
            let at = At::of(machine, number, count);
            ahead = ahead.max(at.place.round);
            all.push(at);
            parts[machine.parts.own(number)].0 = agent.moment;
            for line in Line::ALL {
                parts[machine.parts.line(number, line)].0 = agent.closed[line.queue() as usize];
            }
        }
        for (number, agent) in machine.agents.iter().enumerate() {
            for line in Line::ALL {
                let part = &mut parts[machine.parts.line(number, line)];
                let queue = line.queue() as usize;
                part.1.extend(agent.uncertain[queue].iter().chain(&agent.mixed[queue]));
                // Only whether the open group is the one matters.
                part.1.extend(Some(agent.issued[queue]).filter(|_| agent.is_begun()[queue]));
                part.1.extend(agent.branches.iter().filter(|arm| arm.is_begun[queue]).map(|arm| arm.closed[queue]));
                part.1.extend(agent.branches.iter().map(|branch| branch.closed[line.queue() as usize]));
            }
            let at_edges =
                agent.branches.iter().flat_map(|branch| std::iter::once(&branch.before).chain(&branch.behind));
            for knowledge in std::iter::once(&agent.knows).chain(at_edges) {
                add(knowledge, (number, machine.parts), &mut parts);
            }
        }
        let common = machine.common();
        let mut slots = Vec::new();
        for (number, slot) in machine.slots.iter().enumerate() {
            parts[machine.parts.slot(number)].0 = slot.complete;
            // All agents know what the others had waited for, so no phase overtakes them.
            let is_open = |wait: &&Waiting| common.known[machine.parts.own(wait.agent)] <= wait.moment;
            let waits: Vec<Waiting> = slot.waits.iter().filter(is_open).copied().collect();
            slots.push((slot.arrived, slot.bytes, slot.alone, waits.iter().map(|wait| wait.agent).collect()));
            for wait in &waits {
                parts[machine.parts.own(wait.agent)].1.push(wait.moment);
                parts[machine.parts.slot(number)].1.push(wait.phase);
            }
        }
        let of_slots = machine.slots.iter().flat_map(|slot| [&slot.gathering, &slot.before]);
        let of_cluster = [&machine.cluster.gathering, &machine.cluster.before];
        // Whoever learns from these knows what all know anyway.
        let learnt = of_slots.chain(of_cluster).map(|clock| {
            let mut clock = clock.clone();
            clock.join(&common);
            clock
        });
        learnt.for_each(|clock| add_clock(&clock, machine.parts, &mut parts));
        let parities = machine.slots.iter().map(|slot| slot.complete % 2).collect();
        let round = machine.cluster.round;
        let met =
            machine.agents.iter().map(|agent| (agent.met, agent.arrived.map(|arrived| round - arrived))).collect();
        StateSnapshot { at: all, parts, slots, met, ahead, parities }
    }

    /// The same without what agents do next that have not begun their iteration.
    pub fn without_what_comes_next(mut self, machine: &Execution<'_>) -> Self {
        for (number, (at, agent)) in self.at.iter_mut().zip(&machine.agents).enumerate() {
            let before = agent.at.checked_sub(1).and_then(|before| machine.traces.steps[number].get(before));
            if agent.stage == 0 && before.is_none_or(|before| before.place != at.place) {
                (at.op, at.others) = (None, Vec::new());
            }
        }
        self
    }

    /// Whether this is the state `before`, one period earlier, apart from what a period adds.
    ///
    /// Each value of a component either advances by as much as the component or stays. A value that stays must not
    /// exceed one that advances, so that their order never changes in later periods. Values that advance must have been
    /// reached within the loop, that is, after the state `begin`.
    pub fn is_again(&self, before: &StateSnapshot, begin: &StateSnapshot, period: i64) -> bool {
        let places = self.at.iter().zip(&before.at);
        let moved = |(now, then): (&At, &At)| {
            let added = if then.place.is_inside() { period } else { 0 };
            let place = LoopPosition { round: then.place.round + added, ..then.place };
            now.place == place
                && (now.op, now.stage, now.waits, &now.others) == (then.op, then.stage, then.waits, &then.others)
        };
        let parts = || self.parts.iter().zip(&before.parts).zip(&begin.parts);
        places.into_iter().all(moved)
            && self.slots == before.slots
            && self.met == before.met
            && parts().all(|((now, then), first)| part_again(now, then, first.0))
    }
}

/// Adds the numbers of what an agent knows, or knew at the edge of an arm.
fn add(knowledge: &Knowledge, (agent, numbering): (usize, ClockParts), parts: &mut [(i64, Vec<i64>)]) {
    parts[numbering.own(agent)].1.extend(knowledge.fence);
    Line::ALL.iter().for_each(|&line| parts[numbering.line(agent, line)].1.push(knowledge.done[line as usize]));
    parts[numbering.line(agent, Line::CpAsync)].1.push(knowledge.fenced_groups);
    knowledge.seen.iter().zip(&mut *parts).for_each(|(seen, part)| part.1.push(*seen));
    add_clock(&knowledge.clock, numbering, parts);
}

fn add_clock(clock: &Clock, numbering: ClockParts, parts: &mut [(i64, Vec<i64>)]) {
    clock.known.iter().zip(&mut *parts).for_each(|(known, part)| part.1.push(*known));
    for (part, fenced) in clock.fenced.iter().enumerate() {
        parts[numbering.known_at_fence(part)].1.push(*fenced);
    }
}

impl At {
    fn of(machine: &Execution<'_>, number: usize, count: usize) -> Self {
        let (agent, step) = (&machine.agents[number], machine.step(number));
        let waits = match agent.blocked {
            Some(Blocked::Phase(slot, phase)) => Some((slot, phase - machine.slots[slot].complete)),
            Some(Blocked::Barrier) => Some((usize::MAX, 0)),
            Some(Blocked::Cluster) => Some((usize::MAX, 1)),
            None => None,
        };
        let is_other = |number: usize| machine.program.loops[number].count != Some(count);
        let others = step.iter().flat_map(|step| step.iterations.iter().copied().filter(|at| is_other(at.0))).collect();
        let place = step.map_or(LoopPosition::BEFORE, |step| step.place);
        At { op: step.map(|step| step.op), place, others, stage: agent.stage, waits }
    }
}

fn part_again(now: &(i64, Vec<i64>), then: &(i64, Vec<i64>), first: i64) -> bool {
    let added = now.0 - then.0;
    if now.1.len() != then.1.len() {
        return false;
    }
    let pairs = || now.1.iter().zip(&then.1);
    if added == 0 {
        return pairs().all(|(now, then)| now == then);
    }
    let least = pairs().filter(|(now, then)| *now - *then == added).map(|(_, then)| *then).min().unwrap_or(i64::MAX);
    least >= first && pairs().all(|(now, then)| *now - *then == added || now == then && *now <= least)
}
