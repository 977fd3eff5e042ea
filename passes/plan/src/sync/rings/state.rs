//! The state of a program while it is executed.

use crate::sync::rings::agent::{Blocked, Line};
use crate::sync::rings::machine::Machine;
use crate::sync::rings::trace::Place;

/// Where an agent is.
#[derive(PartialEq, Eq)]
struct At {
    op: Option<usize>,
    place: Place,
    /// The iterations of other loops.
    others: Vec<(usize, i64)>,
    /// How far the operation is done.
    stage: usize,
    waits: Option<(usize, i64)>,
}

/// A state: numbers, each with the counter that it is a value of.
pub(super) struct State {
    at: Vec<At>,
    /// Of each part how much there is, and all that is known of it.
    parts: Vec<(i64, Vec<i64>)>,
    /// Arrivals and bytes of mbarriers, by whom, and who waited.
    slots: Vec<(i64, i64, Option<usize>, Vec<usize>)>,
    /// Who has met the others of the cluster, and how many rounds ago who has arrived there did.
    met: Vec<(bool, Option<i64>)>,
    /// The iteration in which the first one is.
    pub ahead: i64,
}

impl State {
    /// That of an execution, where loops of a count are looked at.
    pub fn of(machine: &Machine<'_>, count: usize) -> Self {
        let mut parts: Vec<(i64, Vec<i64>)> = vec![(0, Vec::new()); machine.parts.len()];
        let (mut all, mut ahead) = (Vec::new(), 0);
        for (number, agent) in machine.agents.iter().enumerate() {
            let at = At::of(machine, number, count);
            ahead = ahead.max(at.place.round);
            all.push(at);
            let own = machine.parts.own(number);
            parts[own].0 = agent.moment;
            parts[own].1.extend(agent.fence);
            for line in Line::ALL {
                let part = &mut parts[machine.parts.line(number, line)];
                part.0 = agent.closed[line.queue() as usize];
                part.1.push(agent.done[line as usize]);
            }
        }
        for agent in &machine.agents {
            agent.seen.iter().zip(&mut parts).for_each(|(seen, part)| part.1.push(*seen));
        }
        let mut slots = Vec::new();
        for (number, slot) in machine.slots.iter().enumerate() {
            parts[machine.parts.slot(number)].0 = slot.complete;
            let waits = slot.waits.iter().map(|wait| wait.agent).collect();
            slots.push((slot.arrived, slot.bytes, slot.alone, waits));
            for wait in &slot.waits {
                parts[machine.parts.own(wait.agent)].1.push(wait.moment);
                parts[machine.parts.slot(number)].1.push(wait.phase);
            }
        }
        let of_slots = machine.slots.iter().flat_map(|slot| [&slot.gathering, &slot.before]);
        let of_cluster = [&machine.cluster.gathering, &machine.cluster.before];
        for clock in machine.agents.iter().map(|agent| &agent.clock).chain(of_slots).chain(of_cluster) {
            clock.known.iter().zip(&mut parts).for_each(|(known, part)| part.1.push(*known));
            for fenced in clock.fenced.chunks(machine.parts.agents) {
                fenced.iter().zip(&mut parts).for_each(|(known, part)| part.1.push(*known));
            }
        }
        let round = machine.cluster.round;
        let met = machine.agents.iter().map(|it| (it.met, it.arrived.map(|arrived| round - arrived))).collect();
        State { at: all, parts, slots, met, ahead }
    }

    /// Is it the state of a period before, but for what a period adds?
    ///
    /// What is known of a part goes up with the part, or stays. What stays has to be below what goes up, so that it is never more
    /// in a later period, and what goes up has to have begun within the loop.
    pub fn is_again(&self, before: &State, begin: &State, period: i64) -> bool {
        let places = self.at.iter().zip(&before.at);
        let moved = |(now, then): (&At, &At)| {
            let added = if then.place.is_inside() { period } else { 0 };
            let place = Place { round: then.place.round + added, ..then.place };
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

impl At {
    fn of(machine: &Machine<'_>, number: usize, count: usize) -> Self {
        let (agent, step) = (&machine.agents[number], machine.step(number));
        let waits = match agent.blocked {
            Some(Blocked::Phase(slot, phase)) => Some((slot, phase - machine.slots[slot].complete)),
            Some(Blocked::Barrier) => Some((usize::MAX, 0)),
            Some(Blocked::Cluster) => Some((usize::MAX, 1)),
            None => None,
        };
        let is_other = |number: usize| machine.program.loops[number].count != Some(count);
        let others = step.iter().flat_map(|step| step.iterations.iter().copied().filter(|it| is_other(it.0))).collect();
        let place = step.map_or(Place::BEFORE, |step| step.place);
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
