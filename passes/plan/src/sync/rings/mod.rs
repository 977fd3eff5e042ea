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
//! A loop of which only the run knows how often it goes round is executed as often as it takes until the state repeats, but for
//! what each iteration adds; then that often and all times before, and one period more.

mod agent;
mod clock;
mod conditions;
mod decided;
mod events;
mod machine;
mod settle;
mod slots;
mod trace;

use crate::sync::finding::Finding;
use crate::sync::program::{Effect, Program};
use decided::Unfollowed;
use machine::Machine;
use trace::Traces;

/// Does a program do anything to mbarriers that only an execution can follow?
pub(super) fn has(program: &Program) -> bool {
    program.ringed && program.ops.iter().any(|op| op.effects.iter().any(|effect| matches!(effect, Effect::Mbarrier(_))))
}

/// The first so many of what is wrong with a program, by executing it.
pub(super) fn check(program: &Program, most: usize) -> Vec<Finding> {
    match all(program, most) {
        Ok(found) => found,
        Err(Unfollowed { op, why }) => vec![Finding::Unfollowed { op, why }],
    }
}

fn all(program: &Program, most: usize) -> Result<Vec<Finding>, Unfollowed> {
    let Some(counted) = trace::open(program)? else {
        return Ok(Machine::new(program, Traces::new(program, 0)?, most).run());
    };
    // What is wrong within a few iterations is found before it is asked whether more of them are alike.
    let few = 2 * counted.period + 1;
    for trips in 0..few {
        let found = Machine::new(program, Traces::new(program, trips)?, most).run();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let enough = settle::enough(program, &counted)?;
    for trips in few..=enough {
        let found = Machine::new(program, Traces::new(program, trips)?, most).run();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}
