//! After how many iterations the state of a program repeats, but for what each iteration adds.

use crate::sync::program::Program;
use crate::sync::rings::agent::Blocked;
use crate::sync::rings::clock::Line;
use crate::sync::rings::decided::Unfollowed;
use crate::sync::rings::machine::Machine;
use crate::sync::rings::trace::{Open, Traces};

/// The most periods after which a state has to repeat.
const MOST: i64 = 24;

/// How often loops have to go round at most, so that more often is no different.
pub(super) fn enough(program: &Program, open: &Open) -> Result<i64, Unfollowed> {
    let trips = open.period.saturating_mul(MOST).saturating_add(open.lead);
    let mut machine = Machine::new(program, Traces::new(program, trips)?, usize::MAX);
    let mut states: Vec<State> = Vec::new();
    let goes = |agent: &usize| machine.traces.steps[*agent].iter().any(|step| (0..i64::MAX).contains(&step.round));
    let going: Vec<usize> = (0..machine.agents.len()).filter(goes).collect();
    while let Some(agent) = machine.next() {
        let behind = behind(&machine, &going);
        if behind == Some(states.len() as i64 * open.period) {
            states.push(State::of(&machine));
            let [.., first, second] = &states[..] else { continue };
            if second.is_again(first, &states[0], open.period) {
                return Ok(second.ahead + open.lead + open.period + 1);
            }
        }
        machine.advance(agent);
    }
    let op = machine.traces.steps.iter().flatten().find(|step| step.round >= 0).map_or(0, |step| step.op);
    let why = "is not followed: what is done in its loop does not repeat, as far as it was looked at";
    Err(Unfollowed { op, why: why.to_owned() })
}

/// The iteration in which the last one is, where all that go round do.
fn behind(machine: &Machine<'_>, going: &[usize]) -> Option<i64> {
    let rounds = || going.iter().map(|&agent| machine.step(agent).map_or(i64::MAX, |step| step.round));
    rounds().min().filter(|_| rounds().all(|round| (0..i64::MAX).contains(&round)))
}

/// Where an agent is: the operation, the iteration of the open loop, how far it is done, what it waits for.
type Place = (Option<usize>, i64, usize, Option<(usize, i64)>);

/// A state: numbers, each with the counter that it is a value of.
struct State {
    places: Vec<Place>,
    /// Of each part how much there is, and all that is known of it.
    parts: Vec<(i64, Vec<i64>)>,
    /// Arrivals and bytes of mbarriers, and who waited.
    slots: Vec<(i64, i64, Vec<usize>)>,
    /// The iteration in which the first one is.
    ahead: i64,
}

impl State {
    fn of(machine: &Machine<'_>) -> Self {
        let mut parts: Vec<(i64, Vec<i64>)> = vec![(0, Vec::new()); machine.parts.len()];
        let (mut places, mut ahead) = (Vec::new(), 0);
        for (number, agent) in machine.agents.iter().enumerate() {
            let step = machine.step(number);
            let round = step.map_or(-1, |step| step.round);
            ahead = ahead.max(round);
            let waits = match agent.blocked {
                Some(Blocked::Phase(slot, phase)) => Some((slot, phase - machine.slots[slot].complete)),
                Some(Blocked::Barrier) => Some((usize::MAX, 0)),
                None => None,
            };
            places.push((step.map(|step| step.op), round, agent.stage, waits));
            let own = machine.parts.own(number);
            parts[own].0 = agent.moment;
            parts[own].1.extend(agent.fence);
            for line in [Line::CpAsync, Line::Bulk, Line::BulkRead] {
                let part = &mut parts[machine.parts.line(number, line)];
                part.0 = agent.closed[usize::from(line != Line::CpAsync)];
                part.1.push(agent.done[line as usize]);
            }
        }
        let mut slots = Vec::new();
        for (number, slot) in machine.slots.iter().enumerate() {
            parts[machine.parts.slot(number)].0 = slot.complete;
            slots.push((slot.arrived, slot.bytes, slot.waits.iter().map(|wait| wait.agent).collect()));
            for wait in &slot.waits {
                parts[machine.parts.own(wait.agent)].1.push(wait.moment);
                parts[machine.parts.slot(number)].1.push(wait.phase);
            }
        }
        let of_slots = machine.slots.iter().flat_map(|slot| [&slot.gathering, &slot.before]);
        for clock in machine.agents.iter().map(|agent| &agent.clock).chain(of_slots) {
            clock.known.iter().zip(&mut parts).for_each(|(known, part)| part.1.push(*known));
            for fenced in clock.fenced.chunks(machine.parts.agents) {
                fenced.iter().zip(&mut parts).for_each(|(known, part)| part.1.push(*known));
            }
        }
        State { places, parts, slots, ahead }
    }

    /// Is it the state of a period before, but for what a period adds?
    ///
    /// What is known of a part goes up with the part, or stays. What stays has to be below what goes up, so that it is never more
    /// in a later period, and what goes up has to have begun within the loop.
    fn is_again(&self, before: &State, begin: &State, period: i64) -> bool {
        let places = self.places.iter().zip(&before.places);
        let moved = |(now, then): (&Place, &Place)| {
            let inside = (0..i64::MAX).contains(&then.1);
            now.0 == then.0
                && now.2 == then.2
                && now.3 == then.3
                && now.1 == if inside { then.1 + period } else { then.1 }
        };
        let parts = || self.parts.iter().zip(&before.parts).zip(&begin.parts);
        places.into_iter().all(moved)
            && self.slots == before.slots
            && parts().all(|((now, then), first)| part_again(now, then, first.0))
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
