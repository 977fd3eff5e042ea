//! Random kernels for `--tile-check-sync` and `--tile-insert-sync`, executed under all schedules.
//!
//! No accepted kernel may have a race, a deadlock, a barrier that only some threads reach, or any other fault. What
//! `--tile-insert-sync` leaves has to be accepted, too. All schedules have to leave the same memory.

mod accesses;
mod ast;
mod draw;
mod expressions;
mod judge;
mod reduce;
mod statements;
mod text;

use std::time::{Duration, Instant};

use melior::Context;
use tile_passes::embed;

use crate::Args;
use crate::generator::Generator;
use crate::tally::{Outcome, Tally, Verdict, keep};
use ast::Kernel;

/// The time limit for reducing a kernel.
const REDUCING: Duration = Duration::from_secs(20);

/// The generator.
pub struct Order {
    context: Context,
}

impl Generator for Order {
    type Verdict = Verdict;
    type Report = Tally;

    fn new(_: &Args) -> Self {
        Order { context: embed::context() }
    }

    fn text(args: &Args, number: u64) -> String {
        text::text(&draw::kernel(args.seed, number))
    }

    fn judge(&mut self, args: &Args, number: u64) -> Verdict {
        let kernel = draw::kernel(args.seed, number);
        let verdict = judge::judge(&self.context, &kernel, number);
        if let Outcome::Finding(kind, _) = &verdict.outcome {
            let end = Instant::now() + REDUCING;
            let same = |outcome: &Outcome| matches!(outcome, Outcome::Finding(same, _) if same == kind);
            let small = reduce::reduce(&kernel, &mut |smaller| {
                Instant::now() < end && same(&judge::judge(&self.context, smaller, number).outcome)
            });
            finding(args, number, &small, &judge::judge(&self.context, &small, number).outcome);
        }
        verdict
    }

    fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Verdict {
        let outcome = Outcome::Finding(kind.to_owned(), what.to_owned());
        finding(args, number, &draw::kernel(args.seed, number), &outcome);
        Verdict { number, outcome, counted: Vec::new() }
    }

    fn number(verdict: &Verdict) -> u64 {
        verdict.number
    }
}

/// Saves a kernel with which something is wrong.
fn finding(args: &Args, number: u64, kernel: &Kernel, outcome: &Outcome) {
    let what = match outcome {
        Outcome::Finding(kind, what) => format!("{kind}: {what}"),
        other => format!("{other:?} in the end"),
    };
    keep(args, number, &what, &judge::launch(kernel), &text::text(kernel));
}
