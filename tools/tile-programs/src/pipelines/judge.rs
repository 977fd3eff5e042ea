//! The verdict on a kernel: what it leaves in memory with stages, against what it leaves without; and whether each
//! operation that orders it is needed.

use std::ops::Range;

use melior::Context;
use ptx_sim::{Arg, Call, LaunchConfig, Schedule};
use tile_oracle::Rng;
use tile_passes::{Error, Ptx};

use super::draw::{self, Form};
use super::kernel::{ENTRY, Kernel, RESULTS, Sharing, TILES};
use crate::judging::{CHECK, INSERT, Ready, RunFailure, compiled, expect_needed, finding, passed, understood};
use crate::removal::{self, orders};
use crate::schedules;
use crate::tally::{Outcome, Verdict, reason};

const PIPELINE: &str = "builtin.module(tile-pipeline)";
const PLANNED: &str = "builtin.module(tile-pipeline,tile-plan-memory,tile-insert-sync)";
/// The end of the error for static shared memory that exceeds what a block may have.
const TOO_MUCH: &str = "static shared memory";

/// Tables of the report.
const FEATURES: &str = "pipelined kernels that contain";

/// Parts of a kernel's text that are counted among those that were pipelined.
const COUNTED: [&str; 15] = [
    "%s1",
    "%chosen",
    "arith.minsi",
    "iter_args",
    "llvm.load",
    "masked",
    "memref.load %scratch",
    "scf.if %q",
    "scf.if %v",
    "scope(warp)",
    "swizzle",
    "tile.noalias",
    "tile.producer",
    "to !results\n",
    "variant = \"bulk\"",
];

/// Judges a kernel.
pub fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
    let outcome = Pair::of(context, seed, number, false).and_then(|pair| {
        pair.same(context, &pair.ring).map_err(|wrong| wrong.finding(""))?;
        Ok(Outcome::Right)
    });
    let outcome = outcome.unwrap_or_else(|outcome| outcome);
    let mut counted = Vec::new();
    if outcome == Outcome::Right {
        let text = draw::kernel(seed, number, Form::default()).text();
        let parts = COUNTED.iter().filter(|part| text.contains(**part));
        counted.extend(parts.map(|part| (FEATURES.to_owned(), part.trim_end().to_owned())));
    }
    Verdict { number, outcome, counted }
}

/// Removes each operation that orders a kernel in turn.
pub fn removed(context: &Context, seed: u64, number: u64) -> Verdict {
    let pair = Pair::of(context, seed, number, true)
        .and_then(|pair| pair.same(context, &pair.ring).map(|()| pair).map_err(|wrong| wrong.finding("")));
    match pair {
        Ok(pair) => {
            let all = ordering(&pair.ring);
            let (same, ordered) = (|text: &str| pair.same(context, text), |text: &str| pair.check_order(context, text));
            removal::judge(number, &pair.ring, &all, same, ordered, |_, _| None)
        }
        Err(outcome) => Verdict { number, outcome, counted: Vec::new() },
    }
}

/// The lines of each operation that orders a pipelined kernel.
fn ordering(text: &str) -> Vec<Range<usize>> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let one = |at: usize| {
        let line = lines[at];
        if line.contains("scf.while") {
            let end = (at..lines.len()).find(|&end| lines[end] == "}" && lines[end - 1] == "scf.yield")?;
            return Some(at..end + 1);
        }
        // After a loop, the groups that are left are empty.
        let is_empty = line.contains("wait.group 0") && at > 0 && lines[at - 1].starts_with('}');
        ((orders(line) || line.contains("nvvm.mbarrier.init")) && !is_empty).then_some(at..at + 1)
    };
    (0..lines.len()).filter_map(one).collect()
}

/// A pipelined kernel, and what the same kernel leaves without stages.
struct Pair {
    kernel: Kernel,
    /// The pipelined kernel, as text.
    ring: String,
    arguments: Arguments,
    expected: Vec<Vec<u8>>,
}

impl Pair {
    /// Pipelines a kernel, and runs it without stages.
    fn of(context: &Context, seed: u64, number: u64, lasting: bool) -> Result<Pair, Outcome> {
        let [kernel, plain] = [false, true].map(|plain| draw::kernel(seed, number, Form { plain, lasting }));
        let refused = |stage: &str, error: &Error| Outcome::Refused(vec![format!("{stage}: {}", reason(error))]);
        let ordered = passed(context, &plain.text(), INSERT).map_err(|error| refused("tile-insert-sync", &error))?;
        expect_needed(context, &ordered)?;
        let ptx = compiled(context, &ordered).map_err(|error| refused("without stages, not compiled", &error))?;
        let arguments = Arguments::draw(&plain, seed, number);
        let expected = arguments.run(&plain, &ptx, Schedule::Fair).map_err(|wrong| wrong.finding("without stages"))?;
        let ring = pipelined(context, &kernel.text(), number)?;
        passed(context, &ring, CHECK).map_err(|error| finding("pipelined, but refused by the check", error))?;
        Ok(Pair { kernel, ring, arguments, expected })
    }

    /// Compares what a version of the pipelined kernel leaves under each schedule.
    fn same(&self, context: &Context, text: &str) -> Result<(), RunFailure> {
        let ptx = compiled(context, text).map_err(|error| RunFailure::new("pipelined, but not compiled", error))?;
        schedules::ALL.into_iter().try_for_each(|schedule| {
            let left = self.arguments.run(&self.kernel, &ptx, schedule).map_err(|wrong| {
                let kind = format!("with stages: {}", wrong.kind);
                RunFailure { kind, ..wrong }
            })?;
            match difference(&self.kernel, &self.expected, &left) {
                Some(what) => Err(RunFailure::new("other memory with stages", format!("schedule {schedule}: {what}"))),
                None => Ok(()),
            }
        })
    }

    /// Whether the graph of a run orders all accesses of a version of the pipelined kernel, too.
    fn check_order(&self, context: &Context, text: &str) -> Result<(), RunFailure> {
        let ptx = compiled(context, text).map_err(|error| RunFailure::new("not compiled", error))?;
        self.arguments.ready(&self.kernel, &ptx, Schedule::Fair)?.check_order(&understood(&ptx.text)?, ENTRY)
    }
}

/// The pipelined kernel; the rings of every other one share storage, and those that are too large otherwise.
fn pipelined(context: &Context, text: &str, number: u64) -> Result<String, Outcome> {
    let refused = |stage: &str, error: &Error| match error {
        Error::Malformed { .. } => finding("not valid", error),
        _ => Outcome::Refused(vec![format!("{stage}: {}", reason(error))]),
    };
    if number.is_multiple_of(2) {
        let ring = passed(context, text, PIPELINE).map_err(|error| refused("tile-pipeline", &error))?;
        let ptx = compiled(context, &ring);
        if !ptx.is_err_and(|error| error.to_string().contains(TOO_MUCH)) {
            return Ok(ring);
        }
        return passed(context, text, PLANNED).map_err(|error| refused("tile-plan-memory", &error));
    }
    passed(context, text, PLANNED).map_err(|error| refused("tile-pipeline", &error))
}

/// What a launch passes: the bytes of the memories, and the numbers.
struct Arguments {
    source: Vec<u8>,
    results: Vec<u8>,
    sums: Vec<u8>,
}

impl Arguments {
    fn draw(kernel: &Kernel, seed: u64, number: u64) -> Self {
        let [rows, columns] = kernel.shape;
        let mut rng = Rng::new(seed.wrapping_add(1), number);
        let mut elements = |count: i64| (0..count).flat_map(|_| kernel.element.bytes(rng.below(200) as u8)).collect();
        let results = elements(RESULTS * rows * columns);
        Arguments { source: elements(kernel.source.elements()), results, sums: elements(TILES * 128) }
    }

    /// What a kernel leaves in its arguments.
    fn run(&self, kernel: &Kernel, ptx: &Ptx, schedule: Schedule) -> Result<Vec<Vec<u8>>, RunFailure> {
        self.ready(kernel, ptx, schedule)?.run(&understood(&ptx.text)?, ENTRY)
    }

    /// A launch of a kernel.
    fn ready(&self, kernel: &Kernel, ptx: &Ptx, schedule: Schedule) -> Result<Ready, RunFailure> {
        let mut call = Call::new();
        let strides = kernel.source.strides().into_iter().filter(|_| kernel.source.run_time);
        let mut left = Vec::new();
        let results = match kernel.sharing {
            Sharing::Launch(true) => {
                let results = call.buffer(&self.results)?;
                call.indices(strides);
                call.number(Arg::Ptr(results.start));
                results
            }
            _ => {
                left.push(call.buffer(&self.source)?);
                call.indices(strides);
                call.buffer(&self.results)?
            }
        };
        left.extend([results, call.buffer(&self.sums)?]);
        call.number(Arg::U8(u8::from(kernel.flag)));
        call.indices(kernel.numbers.iter().copied());
        let made = ptx.kernels.first();
        let dynamic_shared = made.map_or(0, |made| made.dynamic_shared as u32);
        // A producer makes the block larger.
        let threads = made.and_then(|made| made.required_threads).map_or(kernel.threads as u32, |[width, ..]| width);
        let config = LaunchConfig { schedule, dynamic_shared, ..LaunchConfig::new(1, threads) };
        Ok(Ready { call, compared: left, config })
    }
}

/// The first element that differs.
fn difference(kernel: &Kernel, expected: &[Vec<u8>], left: &[Vec<u8>]) -> Option<String> {
    let size = kernel.element.bytes(0).len();
    expected.iter().zip(left).enumerate().find_map(|(argument, (expected, left))| {
        let at = expected.iter().zip(left).position(|(a, b)| a != b)? / size;
        let bytes = |contents: &[u8]| contents[at * size..(at + 1) * size].to_vec();
        Some(format!("element {at} of memory {argument} is {:?}, expected {:?}", bytes(left), bytes(expected)))
    })
}
