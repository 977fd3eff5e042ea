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

use melior::Context;
use tile_passes::embed;

use crate::Args;
use crate::generator::Generator;
use crate::reduction;
use crate::tally::{Outcome, Tally, Verdict, keep};
use ast::Kernel;

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
    let [rows, columns] = ast::EXTENTS;
    let (matrix, result) = (format!("f32[{rows}x{columns}]"), text::result_rows(kernel));
    let launch = format!(
        "tile-run FILE --arg {matrix}=random --arg f32[{result}x{columns}]=zeros --arg {matrix}=ones --arg {matrix}=zeros \
         --arg i64=N0 --arg i64=N1 --arg i32=N2"
    );
    keep(args, number, &outcome.to_string(), &launch, &text::text(kernel).text);
}
