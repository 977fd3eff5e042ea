//! Programs whose threads wait for phases of mbarriers in loops and in arms of their own: these are executed.
//!
//! ```text
//!   producer:  wait empty[s] ──▶ copy to stage s, arrives on full[s]       s = i mod 3, phase i / 3
//!                   ▲                        │ phase over
//!                   └── arrive empty[s] ◀── read stage s ◀── wait full[s]  :consumers
//! ```
//!
//! Nothing that a run decides but the number of iterations changes what such a program does, also by conditions whether there is
//! an iteration so many ahead, so one order of execution stands for
//! all, if it meets three rules: who arrives in a phase knows that the one before is over; a phase is over only once all know
//! who wait for the one before; and nothing is left waiting. Who knows of what is followed by clocks, and two accesses that meet
//! are in order if the second knows of the first.
//!
//! Blocks of a cluster that reach shared memory of each other are executed, too, each with threads, tiles and mbarriers of its own.
//!
//! A loop of which only the run knows how often it goes round is executed as often as it takes until the state repeats, but for
//! what each iteration adds; then that often and all times before, and one period more. Where two such numbers are not known, as
//! of a loop in a loop, all pairs of them are.

mod agent;
mod barriers;
mod conflicts;
mod decided;
mod event;
mod events;
mod footprints;
mod machine;
mod open;
mod phases;
mod runs;
mod settle;
mod slots;
mod state;
mod trace;

use crate::sync::finding::Finding;
use crate::sync::program::{Effect, Op, Program};
use decided::{Times, Unfollowed};
use footprints::Footprints;
use runs::Runs;

/// Does a program do anything to mbarriers that only an execution can follow, or do several blocks execute it?
pub(super) fn has(program: &Program) -> bool {
    let mbarriers = |op: &Op| op.effects.iter().any(|effect| matches!(effect, Effect::Mbarrier(_)));
    program.cluster.is_some() || program.ringed && program.ops.iter().any(mbarriers)
}

/// The first so many of what is wrong with a program, by executing it.
pub(super) fn check(program: &Program, most: usize) -> Vec<Finding> {
    match all(program, most) {
        Ok(found) => found,
        Err(Unfollowed { op, why }) => vec![Finding::Unfollowed { op, why }],
    }
}

fn all(program: &Program, most: usize) -> Result<Vec<Finding>, Unfollowed> {
    let open = open::open(program)?;
    let footprints = Footprints::default();
    let mut runs = Runs::new(program, &footprints, &open, most);
    // What is wrong within a few iterations is found before it is asked whether more of them are alike.
    let few: Vec<(usize, i64)> = open.iter().map(|open| (open.count, open.period + open.lead + 1)).collect();
    let found = runs.all(&Times::up_to(&few))?;
    if !found.is_empty() || open.is_empty() {
        return Ok(found);
    }
    let enough = settle::enough(program, &footprints, &open, &few)?;
    let more = Times::up_to(&enough).into_iter().filter(|times| !times.is_within(&few));
    runs.all(&more.collect::<Vec<_>>())
}
