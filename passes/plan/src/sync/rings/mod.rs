//! The check of programs whose threads wait for mbarrier phases in loops, or in separate arms: it executes them.
//!
//! ```text
//!   producer:  wait empty[s] ──▶ copy to stage s, arrives on full[s]       s = i mod 3, phase i / 3
//!                   ▲                        │ phase over
//!                   └── arrive empty[s] ◀── read stage s ◀── wait full[s]  :consumers
//! ```
//!
//! What such a program does depends on no run-time value but trip counts, including conditions on whether a given
//! number of iterations is left. One order of execution therefore stands for all, if the program keeps three rules: a
//! thread that arrives in a phase knows that the previous phase is complete; a phase completes only after all threads
//! that waited for the previous one are known to have done so; and no thread is left waiting. Vector clocks record
//! which agent (set of threads that execute the same) knows what. Two accesses that touch a common byte are ordered if
//! the second agent's clock covers the first access.
//!
//! Blocks of a cluster that access each other's shared memory are executed, too, each with its own threads, tiles and
//! mbarriers.
//!
//! Of a branch whose condition is not known, all arms are followed, one after the other ([`arms`]); or each in an execution of its
//! own, where phases of mbarriers depend on it.
//!
//! A loop with a run-time trip count is executed until the state repeats, apart from what each iteration adds. The
//! program is then executed with that trip count and all smaller ones, and with one period more. With two such trip
//! counts, as in nested loops, it is executed with all pairs of them.

mod accesses;
mod agent;
mod arms;
mod barriers;
mod branches;
mod conflicts;
mod counted;
mod decided;
mod entries;
mod event;
mod events;
mod later;
mod machine;
mod open;
mod phases;
mod runs;
mod series;
mod settle;
mod slots;
mod state;
#[cfg(test)]
mod tests;
mod trace;
mod unordered;

use std::rc::Rc;

use crate::sync::finding::Finding;
use crate::sync::footprints::Footprints;
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::unfollowed::Unfollowed;
use accesses::AgentAccesses;
use counted::ByCount;
use decided::TripCounts;
use runs::Runs;

/// Whether a program has to be executed: it uses mbarriers in a way that only an execution can follow, or several
/// blocks execute it together.
pub(super) fn has(program: &SyncProgram) -> bool {
    let mbarriers = |op: &Op| op.effects.iter().any(|effect| matches!(effect, Effect::Mbarrier(_)));
    program.cluster.is_some() || program.ringed && program.ops.iter().any(mbarriers)
}

/// The first findings in a program, at most `most`, found by executing it. Programs with equal accesses can share
/// `footprints`.
pub(super) fn check(program: &SyncProgram, footprints: &Rc<Footprints>, most: usize) -> Vec<Finding> {
    match ByCount::of(program) {
        Some(by_count) => by_count.findings_of_origin(executed(&by_count.program, footprints, most)),
        None => executed(program, footprints, most),
    }
}

fn executed(program: &SyncProgram, footprints: &Rc<Footprints>, most: usize) -> Vec<Finding> {
    match all(program, footprints, most) {
        Ok(found) => found,
        Err(Unfollowed { op, cause }) => vec![Finding::Unfollowed { op, cause }],
    }
}

fn all(program: &SyncProgram, footprints: &Rc<Footprints>, most: usize) -> Result<Vec<Finding>, Unfollowed> {
    let agents = trace::agents(program);
    let open = open::open(program, &agents)?;
    let choices = arms::choices(program);
    let accesses = Rc::new(AgentAccesses::new(program, &agents, footprints));
    let mut runs = Runs::new(&accesses, &open, most);
    // Errors within a few iterations are reported before checking that further iterations repeat.
    let few: Vec<(usize, i64)> =
        open.iter().map(|open| (open.count, open.few())).chain(choices.iter().copied()).collect();
    let found = runs.all(&TripCounts::up_to(&few))?;
    if !found.is_empty() || open.is_empty() {
        return Ok(found);
    }
    let enough = settle::enough(&accesses, &open, &few)?;
    let more = TripCounts::up_to(&enough).into_iter().filter(|times| !times.is_within(&few));
    let found = runs.all(&more.collect::<Vec<_>>())?;
    let Some((inner, outer)) = open::entered_again(program, &open)?.filter(|_| found.is_empty()) else {
        return Ok(found);
    };
    let enough = enough.iter().find(|(count, _)| *count == inner.count).map_or(0, |(_, trips)| *trips);
    for times in TripCounts::up_to(&choices) {
        let found = entries::check(&accesses, (inner, outer), enough, &times, most)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}
