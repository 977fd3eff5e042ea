//! The number of iterations after which the state of a program repeats, apart from what each iteration adds.
//!
//! Each run-time trip count in turn is set to a large value, while the others take all values that are to be executed.
//! If the state in a loop repeats after a period, then an execution with one period more of iterations is the same with
//! that period inserted, and shows nothing new. The state has to repeat each time that such a loop is entered, and for
//! every remainder of the trip count modulo the period, since earlier executions of the loop leave different states
//! behind.
//!
//! ```text
//!   state    a b c d e f d e f d …      from d to d without a finding: the iterations up to d, those that differ
//!   round    0 1 2 3 4 5 6 7 8 9        at the end, and one period together cover all remainders
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::sync::rings::accesses::AgentAccesses;
use crate::sync::rings::decided::TripCounts;
use crate::sync::rings::machine::Execution;
use crate::sync::rings::open::{Open, period};
use crate::sync::rings::state::StateSnapshot;
use crate::sync::rings::trace::{LoopPosition, Names, Traces};
use crate::sync::unfollowed::{Unfollowed, UnfollowedCause};

/// The numbers of periods within which a state has to repeat, tried in this order.
const MAX_PERIODS: [i64; 3] = [2, 6, 24];

/// The largest trip counts that have to be executed, by count, since larger ones show nothing new; at least `least`.
pub(super) fn enough(
    accesses: &Rc<AgentAccesses<'_>>,
    open: &[Open],
    least: &[(usize, i64)],
) -> Result<Vec<(usize, i64)>, Unfollowed> {
    let mut most = least.to_vec();
    let mut seen: BTreeSet<(usize, TripCounts)> = BTreeSet::new();
    loop {
        let before = most.clone();
        for (at, one) in open.iter().enumerate() {
            let others: Vec<(usize, i64)> = most.iter().copied().filter(|(count, _)| *count != one.count).collect();
            // A smaller trip count of a loop around executes a prefix of the same.
            let is_most = |times: &TripCounts| {
                let around = others.iter().filter(|(count, _)| one.around.contains(count));
                around.into_iter().all(|(count, most)| times.of(Some(*count)) == Some(*most))
            };
            for times in TripCounts::up_to(&others).into_iter().filter(is_most) {
                if seen.insert((at, times.clone())) {
                    most[at].1 = most[at].1.max(of_one(accesses, one, &times)?);
                }
            }
        }
        if most == before {
            return Ok(most);
        }
    }
}

/// The same for loops of one count, with the other trip counts given by `times`.
fn of_one(accesses: &Rc<AgentAccesses<'_>>, open: &Open, times: &TripCounts) -> Result<i64, Unfollowed> {
    let period = period(accesses.program, open.count, times)?;
    let (open, mut most) = (Open { period, ..open.clone() }, 0);
    for more in 0..open.period {
        let (found, laps) = settled(accesses, &open, times, more)?;
        most = most.max(found);
        if laps <= 1 {
            break;
        }
    }
    Ok(most)
}

/// The same for trip counts that exceed a multiple of the period by `more`, apart from the lead; also the number of
/// times that such a loop is entered.
fn settled(
    accesses: &Rc<AgentAccesses<'_>>,
    open: &Open,
    times: &TripCounts,
    more: i64,
) -> Result<(i64, i64), Unfollowed> {
    let mut op = 0;
    for periods in MAX_PERIODS {
        let trips = open.period.saturating_mul(periods).saturating_add(open.settles + open.lead).saturating_add(more);
        let mut names = Names::new();
        let traces = Traces::new(accesses.executed(), &times.with(open.count, trips), Some(open.count), &mut names)?;
        let mut machine = Execution::new(Rc::clone(accesses), traces, names.len());
        let inside = machine.traces.steps.iter().flatten().filter(|step| step.place.is_inside());
        let laps = inside.clone().map(|step| step.place.lap + 1).max().unwrap_or(0);
        op = inside.map(|step| step.op).next().unwrap_or(0);
        if let Some(enough) = repeats(&mut machine, open, laps) {
            return Ok((enough, laps));
        }
    }
    Err(UnfollowedCause::NeverRepeats.at(op))
}

/// The largest trip count that has to be executed, where the state repeats each time that a loop is entered; `None`
/// where it does not.
fn repeats(machine: &mut Execution<'_>, open: &Open, laps: i64) -> Option<i64> {
    if laps == 0 {
        return Some(0);
    }
    let goes = |agent: &usize| machine.traces.steps[*agent].iter().any(|step| step.place.is_inside());
    let going: Vec<usize> = (0..machine.agents.len()).filter(goes).collect();
    let mut states: BTreeMap<i64, Vec<StateSnapshot>> = BTreeMap::new();
    let mut by_lap: BTreeMap<i64, i64> = BTreeMap::new();
    while let Some(agent) = machine.next() {
        if let Some(LoopPosition { lap, round }) =
            behind(machine, &going).filter(|place| !by_lap.contains_key(&place.lap))
        {
            let states = states.entry(lap).or_default();
            if round == states.len() as i64 {
                let now = StateSnapshot::of(machine, open.count);
                let before = round.checked_sub(open.period).filter(|&before| before >= open.settles);
                let then = before.and_then(|before| states.get(usize::try_from(before).ok()?));
                if let Some(then) = then.filter(|then| now.is_again(then, &states[0], open.period)) {
                    // If there are findings, the trip count has to be large enough to reach them.
                    let seen = if machine.is_right() { then.ahead } else { now.ahead };
                    by_lap.insert(lap, seen + open.lead + open.period + 1);
                }
                states.push(now);
            }
            if by_lap.len() as i64 == laps {
                return by_lap.values().copied().max();
            }
        }
        machine.advance(agent);
    }
    None
}

/// The position of the agent furthest behind, if all agents that iterate are in the same loop.
pub(super) fn behind(machine: &Execution<'_>, going: &[usize]) -> Option<LoopPosition> {
    let mut places = going.iter().map(|&agent| machine.step(agent).map(|step| step.place));
    let first = places.next()?.filter(|first| first.is_inside())?;
    places.try_fold(first, |least, place| {
        let together = place.filter(|place| place.is_inside() && place.lap == first.lap);
        together.map(|place| least.min(place))
    })
}
