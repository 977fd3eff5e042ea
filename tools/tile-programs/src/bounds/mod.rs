//! Random kernels for `--tile-check-bounds` and `--tile-insert-bounds-traps`, executed with many arguments.
//!
//! No accepted kernel may leave a buffer, each number that an error or a note states has to be right, and a kernel with
//! traps has to stop exactly if the kernel leaves a buffer. Where regions begin is computed by an interpreter that shares no
//! code with the compiler.

mod ast;
mod draw;
mod execute;
mod expressions;
mod interpret;
mod judge;
mod reduce;
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
pub struct Bounds {
    context: Context,
}

impl Generator for Bounds {
    type Verdict = Verdict;
    type Report = Tally;

    fn new(_: &Args) -> Self {
        Bounds { context: embed::context() }
    }

    fn text(args: &Args, number: u64) -> String {
        text::text(&draw::kernel(args.seed, number)).text
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
    let [rows, columns] = ast::EXTENTS;
    let (matrix, result) = (format!("f32[{rows}x{columns}]"), text::result_rows(kernel));
    let launch = format!(
        "tile-run FILE --arg {matrix}=random --arg f32[{result}x{columns}]=zeros --arg {matrix}=ones --arg {matrix}=zeros \
         --arg i64=N0 --arg i64=N1 --arg i32=N2"
    );
    keep(args, number, &what, &launch, &text::text(kernel).text);
}
