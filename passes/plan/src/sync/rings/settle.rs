//! After how many iterations the state of a program repeats, but for what each iteration adds.
//!
//! Loops of one count after the other go round often, and loops of other counts as often as they are executed. Where a state
//! repeats in a loop, a run in which it goes round a period more often is the same run with that period once more. So it has to
//! repeat each time that such a loop is entered, whatever the remainder of how often it went round before.
//!
//! ```text
//!   state    a b c d e f d e f d …      from d to d, and nothing wrong on the way: as often as it takes to come to d, what is
//!   round    0 1 2 3 4 5 6 7 8 9        different at the end, and a period are all remainders
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::sync::program::Program;
use crate::sync::rings::decided::{Times, Unfollowed};
use crate::sync::rings::footprints::Footprints;
use crate::sync::rings::machine::Machine;
use crate::sync::rings::open::Open;
use crate::sync::rings::state::State;
use crate::sync::rings::trace::{Names, Place, Traces};

/// After so many periods a state has to repeat; the least number is tried first.
const MOST: [i64; 3] = [2, 6, 24];

/// How often loops have to go round at most, by their counts, so that more often is no different; not less than `least`.
pub(super) fn enough(
    program: &Program,
    footprints: &Footprints,
    open: &[Open],
    least: &[(usize, i64)],
) -> Result<Vec<(usize, i64)>, Unfollowed> {
    let mut most = least.to_vec();
    let mut seen: BTreeSet<(usize, Times)> = BTreeSet::new();
    loop {
        let before = most.clone();
        for (at, one) in open.iter().enumerate() {
            let others: Vec<(usize, i64)> = most.iter().copied().filter(|(count, _)| *count != one.count).collect();
            // Where a loop around goes round less often, it does the same up to then.
            let is_most = |times: &Times| {
                let around = others.iter().filter(|(count, _)| one.around.contains(count));
                around.into_iter().all(|(count, most)| times.of(Some(*count)) == Some(*most))
            };
            for times in Times::up_to(&others).into_iter().filter(is_most) {
                if seen.insert((at, times.clone())) {
                    most[at].1 = most[at].1.max(of_one((program, footprints), one, &times)?);
                }
            }
        }
        if most == before {
            return Ok(most);
        }
    }
}

/// The same of loops of one count, where others go round so often.
fn of_one(program: (&Program, &Footprints), open: &Open, times: &Times) -> Result<i64, Unfollowed> {
    let mut most = 0;
    for more in 0..open.period {
        let (found, laps) = settled(program, open, times, more)?;
        most = most.max(found);
        if laps <= 1 {
            break;
        }
    }
    Ok(most)
}

/// The same, where they go round so much more often than a multiple of the period; how often such a loop is entered.
fn settled(
    (program, footprints): (&Program, &Footprints),
    open: &Open,
    times: &Times,
    more: i64,
) -> Result<(i64, i64), Unfollowed> {
    let mut op = 0;
    for periods in MOST {
        let trips = open.period.saturating_mul(periods).saturating_add(open.lead).saturating_add(more);
        let mut names = Names::new();
        let traces = Traces::new(program, &times.with(open.count, trips), Some(open.count), &mut names)?;
        let mut machine = Machine::new(program, footprints, traces, names.len());
        let inside = machine.traces.steps.iter().flatten().filter(|step| step.place.is_inside());
        let laps = inside.clone().map(|step| step.place.lap + 1).max().unwrap_or(0);
        op = inside.map(|step| step.op).next().unwrap_or(0);
        if let Some(found) = repeats(&mut machine, open, laps) {
            return Ok((found, laps));
        }
    }
    let why = "is not followed: what is done in its loop does not repeat, as far as it was looked at";
    Err(Unfollowed { op, why: why.to_owned() })
}

/// After how many iterations the state repeats each time that a loop is entered; `None` where it does not.
fn repeats(machine: &mut Machine<'_>, open: &Open, laps: i64) -> Option<i64> {
    if laps == 0 {
        return Some(0);
    }
    let goes = |agent: &usize| machine.traces.steps[*agent].iter().any(|step| step.place.is_inside());
    let going: Vec<usize> = (0..machine.agents.len()).filter(goes).collect();
    let mut states: BTreeMap<i64, Vec<State>> = BTreeMap::new();
    let mut found: BTreeMap<i64, i64> = BTreeMap::new();
    while let Some(agent) = machine.next() {
        if let Some(Place { lap, round }) = behind(machine, &going).filter(|place| !found.contains_key(&place.lap)) {
            let states = states.entry(lap).or_default();
            if round == states.len() as i64 {
                let now = State::of(machine, open.count);
                let then = round.checked_sub(open.period).and_then(|round| states.get(usize::try_from(round).ok()?));
                if let Some(then) = then.filter(|then| now.is_again(then, &states[0], open.period)) {
                    // What is wrong up to now is found in a loop that goes round so often.
                    let seen = if machine.is_right() { then.ahead } else { now.ahead };
                    found.insert(lap, seen + open.lead + open.period + 1);
                }
                states.push(now);
            }
            if found.len() as i64 == laps {
                return found.values().copied().max();
            }
        }
        machine.advance(agent);
    }
    None
}

/// Where the last one is, where all that go round are in one loop.
fn behind(machine: &Machine<'_>, going: &[usize]) -> Option<Place> {
    let places: Option<Vec<Place>> = going.iter().map(|&agent| machine.step(agent).map(|step| step.place)).collect();
    let places = places?;
    let first = places.iter().min().copied()?;
    places.iter().all(|place| place.is_inside() && place.lap == first.lap).then_some(first)
}
