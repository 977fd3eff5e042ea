//! Random kernels whose loops request stages, compared with the same kernels without stages.
//!
//! ```text
//!   draw ──▶ without stages ──▶ tile-insert-sync ──▶ simulator ──▶ all memory
//!     │                                                                ║ compared
//!     └────▶ with stages ─────▶ tile-pipeline ─────▶ simulator ──▶ all memory, under each schedule
//! ```

mod body;
mod bounds;
mod draw;
mod judge;
mod kernel;

use melior::Context;
use tile_passes::embed;

use crate::Args;
use crate::generator::Generator;
use crate::tally::{Outcome, Tally, Verdict, keep};

/// The generator.
pub struct Pipelines {
    context: Context,
}

impl Generator for Pipelines {
    type Verdict = Verdict;
    type Report = Tally;

    fn new(_: &Args) -> Self {
        Pipelines { context: embed::context() }
    }

    fn text(args: &Args, number: u64) -> String {
        draw::kernel(args.seed, number, false).text()
    }

    fn judge(&mut self, args: &Args, number: u64) -> Verdict {
        let verdict = judge::judge(&self.context, args.seed, number);
        if let Outcome::Finding(kind, what) = &verdict.outcome {
            finding(args, number, kind, what);
        }
        verdict
    }

    fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Verdict {
        finding(args, number, kind, what);
        Verdict { number, outcome: Outcome::Finding(kind.to_owned(), what.to_owned()), counted: Vec::new() }
    }

    fn number(verdict: &Verdict) -> u64 {
        verdict.number
    }
}

/// Saves a kernel with which something is wrong.
fn finding(args: &Args, number: u64, kind: &str, what: &str) {
    let kernel = draw::kernel(args.seed, number, false);
    keep(args, number, &format!("{kind}: {what}"), &kernel.launch(), &kernel.text());
}
