//! Whole programs, compared with an oracle that shares no code with the compiler.

mod compile;
mod execute;
mod features;
mod judge;
mod report;

use std::time::{Duration, Instant};

use tile_oracle::draw;
use tile_oracle::shrink::shrink;
use tile_oracle::text::Text;

use crate::Args;
use crate::generator::Generator;
use compile::Compiler;
use judge::{Verdict, judge};
use report::Report;

use crate::tally::Outcome;

/// The time limit for shrinking a failing program.
const SHRINKING: Duration = Duration::from_secs(60);

/// The generator.
pub struct Programs {
    compiler: Compiler,
}

impl Generator for Programs {
    type Verdict = Verdict;
    type Report = Report;

    fn new(_: &Args) -> Self {
        Programs { compiler: Compiler::new() }
    }

    fn text(args: &Args, number: u64) -> String {
        Text::of(&draw::program(args.seed, number)).text
    }

    fn judge(&mut self, args: &Args, number: u64) -> Verdict {
        let compiler = &self.compiler;
        let program = draw::program(args.seed, number);
        let verdict = judge(compiler, &program, number);
        if let Outcome::Finding(kind, _) = &verdict.outcome {
            let end = Instant::now() + SHRINKING;
            let small = shrink(&program, &mut |smaller| {
                let again = || judge(compiler, smaller, number).outcome;
                Instant::now() < end && matches!(again(), Outcome::Finding(same, _) if same == *kind)
            });
            report::finding(args, number, &small, &judge(compiler, &small, number).outcome);
        }
        if let Some(twin) = verdict.twin.as_ref().filter(|twin| twin.noticed.is_none()) {
            report::unnoticed(args, number, &program, twin);
        }
        verdict
    }

    fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Verdict {
        let program = draw::program(args.seed, number);
        let outcome = Outcome::Finding(kind.to_owned(), what.to_owned());
        report::finding(args, number, &program, &outcome);
        let (copies, features) = (Vec::new(), features::of(&program));
        Verdict { number, outcome, copies, features, twin: None, fewer_barriers: None }
    }

    fn number(verdict: &Verdict) -> u64 {
        verdict.number
    }
}
