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

use melior::Context;
use tile_passes::embed;

use crate::Args;
use crate::generator::Generator;
use crate::reduction;
use crate::tally::{Outcome, Tally, Verdict, keep};
use ast::Kernel;

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
        if let Outcome::Finding(..) = &verdict.outcome {
            let outcome = |kernel: &Kernel| judge::judge(&self.context, kernel, number).outcome;
            let small = reduction::smallest(&kernel, &verdict.outcome, reduce::candidates, outcome);
            finding(args, number, &small, &outcome(&small));
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
    keep(args, number, &outcome.to_string(), &judge::launch(kernel), &text::text(kernel));
}
