//! Kernels with upstream's copies: converted to tile copies, executed in the simulator, and compared with upstream's own
//! lowering, which `mlir-runner` executes.
//!
//! ```text
//!   draw ──▶ kernel ──▶ convert-copies-to-tile ──▶ PTX ──▶ simulator ──▶ all memory
//!               │                                                           ║ compared
//!               └─────▶ func.func ──▶ mlir-opt ──▶ mlir-runner ────────▶ all memory
//! ```

mod draw;
mod element;
mod judge;
mod kernel;
mod memref;
mod text;
mod transfer;
mod upstream;
mod views;

use std::collections::BTreeMap;

use melior::Context;
use tile_passes::embed;

use crate::Args;
use crate::generator::Generator;
use crate::tally::{self, Outcome, Tally, Verdict};
use judge::Converted;
use kernel::Kernel;
use upstream::Expected;

/// The kernels that upstream executes at once.
const BATCH: usize = 40;

/// The generator.
pub struct Conversions {
    context: Context,
    /// What upstream makes of the next kernels.
    expected: BTreeMap<u64, Result<Expected, String>>,
    /// Whether the last kernel that was executed changes memory.
    written: Option<bool>,
}

impl Conversions {
    /// What upstream makes of a kernel; the next ones of this process are executed with it.
    fn expected(&mut self, args: &Args, number: u64) -> Result<Expected, String> {
        if let Some(expected) = self.expected.remove(&number) {
            return expected;
        }
        let (end, step) = args.worker.map_or((number + 1, 1), |numbers| (numbers.end, numbers.step));
        let next = (number..end).step_by(usize::try_from(step).unwrap_or(1)).take(BATCH);
        let kernels: Vec<(u64, Kernel)> = next
            .map(|number| (number, draw::kernel(args.seed, number)))
            .filter(|(_, kernel)| kernel.inexpressible.is_none())
            .collect();
        let executed = upstream::execute(&kernels.iter().map(|(_, kernel)| kernel).collect::<Vec<_>>());
        self.expected = kernels.iter().map(|(number, _)| *number).zip(executed).collect();
        self.expected.remove(&number).unwrap_or_else(|| Err("it was not executed".to_owned()))
    }

    fn outcome(&mut self, args: &Args, number: u64, kernel: &Kernel) -> Outcome {
        let ptx = match judge::convert(&self.context, kernel) {
            Converted::Ptx(ptx) => ptx,
            Converted::Not(outcome) => return outcome,
        };
        match self.expected(args, number) {
            Ok(expected) => {
                self.written = Some(expected.changes(kernel));
                judge::compare(kernel, &ptx, &expected)
            }
            Err(why) if why.contains(upstream::NOT_LOWERED.0) => {
                Outcome::Refused(vec![upstream::NOT_LOWERED.1.to_owned()])
            }
            Err(why) => Outcome::Finding("upstream does not execute it".to_owned(), why),
        }
    }
}

impl Generator for Conversions {
    type Verdict = Verdict;
    type Report = Tally;

    fn new(_: &Args) -> Self {
        let context = embed::context();
        embed::remarks_as_diagnostics(&context);
        Conversions { context, expected: BTreeMap::new(), written: None }
    }

    fn text(args: &Args, number: u64) -> String {
        text::device(&draw::kernel(args.seed, number))
    }

    fn judge(&mut self, args: &Args, number: u64) -> Verdict {
        let kernel = draw::kernel(args.seed, number);
        let outcome = self.outcome(args, number, &kernel);
        if let Outcome::Finding(kind, what) = &outcome {
            keep(args, number, &kernel, &format!("{kind}: {what}"));
        }
        let taken = if outcome == Outcome::Right { "converted" } else { "not converted" };
        let kinds = kernel.kinds.iter().map(|kind| (format!("copies {taken}"), kind.clone()));
        let written = self.written.take().map(|written| {
            ("elements written by kernels".to_owned(), if written { "some" } else { "none" }.to_owned())
        });
        Verdict { number, outcome, counted: kinds.chain(written).collect() }
    }

    fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Verdict {
        keep(args, number, &draw::kernel(args.seed, number), &format!("{kind}: {what}"));
        Verdict { number, outcome: Outcome::Finding(kind.to_owned(), what.to_owned()), counted: Vec::new() }
    }

    fn number(verdict: &Verdict) -> u64 {
        verdict.number
    }
}

/// Saves a kernel, with the function that upstream executes.
fn keep(args: &Args, number: u64, kernel: &Kernel, what: &str) {
    let host = format!("upstream executes:\n{}", text::host(kernel, "k", true));
    tally::keep(args, number, what, &host, &text::device(kernel));
}
