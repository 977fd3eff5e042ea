//! Loops that are entered again and again, each time with a trip count of its own: the tiles of a stream-K product. A block may
//! have the end of one tile, whole ones, and the begin of another.
//!
//! Executions in which all entries have one trip count are not enough. Two more are:
//!
//! ```text
//!   trip counts  0 1 2 3 … enough … 1 0    at the begin of each iteration of the loop around, the state is that of the one before
//!   trip counts  0 0 1 0 2 0 3 … 1 1 2 …   each of the first few behind each other
//! ```
//!
//! If the state is the same whatever the trip count was, then so is what each entry does. An access is then known at least as well in the
//! entry after the next as in the next one, if that has the same trip count, so conflicts show between two entries in a row. How the last
//! iterations of one and the first of the next meet repeats with the trip count, as it does at the end of the kernel.

use std::rc::Rc;

use crate::sync::finding::Finding;
use crate::sync::rings::accesses::AgentAccesses;
use crate::sync::rings::decided::TripCounts;
use crate::sync::rings::machine::Execution;
use crate::sync::rings::open::Open;
use crate::sync::rings::settle::behind;
use crate::sync::rings::state::StateSnapshot;
use crate::sync::rings::trace::{Names, Traces};
use crate::sync::unfollowed::{Unfollowed, UnfollowedCause};

/// Executes a program with trip counts of the loops `inner` that differ from entry to entry, in the loop `outer`: up to `enough`, of
/// which a few behind each other. Returns the findings, at most `most`.
pub(super) fn check(
    accesses: &Rc<AgentAccesses<'_>>,
    (inner, outer): (&Open, &Open),
    enough: i64,
    times: &TripCounts,
    most: usize,
) -> Result<Vec<Finding>, Unfollowed> {
    let Some(around) = inner.within else { return Ok(Vec::new()) };
    let execution = |trips: Vec<i64>| {
        let times = times.with(outer.count, trips.len() as i64).in_turn(inner.count, around, trips);
        let mut names = Names::new();
        let traces = Traces::new(accesses.executed(), &times, Some(outer.count), &mut names)?;
        Ok(Execution::new(Rc::clone(accesses), traces, names.len()))
    };
    let all = (0..=enough).chain((0..enough).rev());
    let findings = repeats(execution(all.collect())?, outer.count)?;
    if !findings.is_empty() {
        return Ok(findings);
    }
    let pairs = (0..=inner.few()).flat_map(|first| (first..=inner.few()).flat_map(move |second| [first, second]));
    Ok(execution(pairs.collect())?.run(most))
}

/// Executes a program, and returns its findings.
///
/// # Errors
/// At the begin of an iteration, the state is not that of the one before.
fn repeats(mut machine: Execution<'_>, count: usize) -> Result<Vec<Finding>, Unfollowed> {
    let steps = |agent: usize| machine.traces.steps[agent].iter().filter(|step| step.place.is_inside());
    let iterating: Vec<usize> = (0..machine.agents.len()).filter(|&agent| steps(agent).next().is_some()).collect();
    let op = steps(iterating.first().copied().unwrap_or(0)).next().map_or(0, |step| step.op);
    let mut states: Vec<StateSnapshot> = Vec::new();
    while let Some(agent) = machine.next().filter(|_| machine.is_right()) {
        let round = behind(&machine, &iterating).map(|place| place.round);
        if round == Some(states.len() as i64) {
            let now = StateSnapshot::of(&machine, count).without_what_comes_next(&machine);
            // What comes before the loop is behind after its first iteration.
            if let [first, _, .., before] = &states[..]
                && !(now.is_again(before, first, 1) && now.parities == before.parities)
            {
                return Err(UnfollowedCause::StateBehindLoop.at(op));
            }
            states.push(now);
        }
        machine.advance(agent);
    }
    Ok(machine.run(usize::MAX))
}
