//! The verdict on a kernel: what it leaves in memory with stages, against what it leaves without.

use melior::Context;
use ptx_sim::{Arg, Checks, LaunchConfig, LaunchError, Memory, Module, Schedule};
use tile_oracle::Rng;
use tile_passes::{Error, Options, Ptx, compile, embed};

use super::draw;
use super::kernel::{ENTRY, Kernel, RESULTS, Sharing, TILES};
use crate::schedules;
use crate::tally::{Outcome, Verdict, reason};

const PLAIN: &str = "builtin.module(tile-insert-sync)";
const CHECK: &str = "builtin.module(tile-check-sync)";
const PIPELINE: &str = "builtin.module(tile-pipeline)";
const PLANNED: &str = "builtin.module(tile-pipeline,tile-plan-memory,tile-insert-sync)";
/// The most steps of warps; kernels have a few loops of eight iterations.
const MAX_STEPS: u64 = 4_000_000;
/// The end of the error for static shared memory that exceeds what a block may have.
const TOO_MUCH: &str = "static shared memory";

/// Tables of the report.
const FEATURES: &str = "pipelined kernels that contain";

/// Parts of a kernel's text that are counted among those that were pipelined.
const COUNTED: [&str; 13] = [
    "%s1",
    "%chosen",
    "iter_args",
    "llvm.load",
    "masked",
    "memref.load %scratch",
    "scf.if %q",
    "scf.if %v",
    "scope(warp)",
    "swizzle",
    "tile.noalias",
    "to !results\n",
    "variant = \"bulk\"",
];

fn finding(kind: impl Into<String>, what: impl Into<String>) -> Outcome {
    Outcome::Finding(kind.into(), what.into())
}

/// Judges a kernel.
pub fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
    let outcome = outcome(context, seed, number).unwrap_or_else(|outcome| outcome);
    let mut counted = Vec::new();
    if outcome == Outcome::Right {
        let text = draw::kernel(seed, number, false).text();
        let parts = COUNTED.iter().filter(|part| text.contains(**part));
        counted.extend(parts.map(|part| (FEATURES.to_owned(), part.trim_end().to_owned())));
    }
    Verdict { number, outcome, counted }
}

fn outcome(context: &Context, seed: u64, number: u64) -> Result<Outcome, Outcome> {
    let [staged, plain] = [false, true].map(|plain| draw::kernel(seed, number, plain));
    let refused = |stage: &str, error: &Error| Outcome::Refused(vec![format!("{stage}: {}", reason(error))]);
    let ordered = passed(context, &plain, PLAIN).map_err(|error| refused("tile-insert-sync", &error))?;
    let ptx = compiled(context, &ordered).map_err(|error| refused("without stages, not compiled", &error))?;
    let fault = |kind: &str, (what, details): (String, String)| finding(format!("{kind}: {what}"), details);
    let arguments = Arguments::draw(&plain, seed, number);
    let expected = run(&plain, &arguments, &ptx, Schedule::Fair).map_err(|wrong| fault("without stages", wrong))?;

    let planned = number % 2 == 1;
    let pass = if planned { PLANNED } else { PIPELINE };
    let mut ring = passed(context, &staged, pass).map_err(|error| match &error {
        Error::Malformed { .. } => finding("not valid", error.to_string()),
        _ => refused("tile-pipeline", &error),
    })?;
    let mut ptx = compiled(context, &ring);
    if ptx.as_ref().is_err_and(|error| error.to_string().contains(TOO_MUCH)) && !planned {
        ring = passed(context, &staged, PLANNED).map_err(|error| refused("tile-plan-memory", &error))?;
        ptx = compiled(context, &ring);
    }
    checked(context, &ring).map_err(|error| finding("pipelined, but refused by the check", error.to_string()))?;
    let ptx = ptx.map_err(|error| finding("pipelined, but not compiled", error.to_string()))?;
    for schedule in schedules::ALL {
        let left = run(&staged, &arguments, &ptx, schedule).map_err(|wrong| fault("with stages", wrong))?;
        if let Some(what) = difference(&staged, &expected, &left) {
            return Err(finding("other memory with stages", format!("schedule {schedule}: {what}")));
        }
    }
    Ok(Outcome::Right)
}

/// The text that a pass makes of a kernel.
fn passed(context: &Context, kernel: &Kernel, pass: &str) -> Result<String, Error> {
    let mut module = embed::parse(context, &kernel.text())?;
    embed::run(&mut module, pass)?;
    Ok(module.as_operation().to_string())
}

fn checked(context: &Context, text: &str) -> Result<(), Error> {
    embed::run(&mut embed::parse(context, text)?, CHECK).map(drop)
}

fn compiled(context: &Context, text: &str) -> Result<Ptx, Error> {
    compile(&mut embed::parse(context, text)?, &Options::new())
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
}

/// What a kernel leaves in its arguments.
fn run(
    kernel: &Kernel,
    arguments: &Arguments,
    ptx: &Ptx,
    schedule: Schedule,
) -> Result<[Vec<u8>; 3], (String, String)> {
    let not_launched = |why: String| ("not launched".to_owned(), why);
    let module = Module::parse(&ptx.text).map_err(|error| ("PTX not understood".to_owned(), error.to_string()))?;
    let mut memory = Memory::new();
    let mut placed = |bytes: &[u8]| memory.alloc_with(bytes).map_err(|error| not_launched(error.to_string()));
    let mut pointers = [placed(&arguments.source)?, placed(&arguments.results)?, placed(&arguments.sums)?];
    if kernel.sharing == Sharing::Launch(true) {
        pointers[0] = pointers[1];
    }
    let mut all = vec![Arg::Ptr(pointers[0])];
    if kernel.source.run_time {
        all.extend(kernel.source.strides().map(|stride| Arg::U64(stride as u64)));
    }
    all.extend([Arg::Ptr(pointers[1]), Arg::Ptr(pointers[2]), Arg::U8(u8::from(kernel.flag))]);
    all.extend(kernel.numbers.iter().map(|number| Arg::U64(*number as u64)));
    let config = LaunchConfig {
        schedule,
        checks: Checks::ALL,
        step_limit: MAX_STEPS,
        dynamic_shared: ptx.kernels.first().map_or(0, |kernel| kernel.dynamic_shared as u32),
        ..LaunchConfig::new(1, kernel.threads as u32)
    };
    ptx_sim::launch(&mut memory, &module, ENTRY, &config, &all).map_err(|error| match error {
        LaunchError::Fault(fault) => (fault.kind.to_string(), format!("schedule {schedule}: {fault}")),
        other => not_launched(other.to_string()),
    })?;
    let read = |pointer, bytes: &Vec<u8>| {
        memory.peek(pointer, bytes.len()).map(<[u8]>::to_vec).map_err(|error| not_launched(error.to_string()))
    };
    let source =
        if kernel.sharing == Sharing::Launch(true) { Vec::new() } else { read(pointers[0], &arguments.source)? };
    Ok([source, read(pointers[1], &arguments.results)?, read(pointers[2], &arguments.sums)?])
}

/// The first element that differs.
fn difference(kernel: &Kernel, expected: &[Vec<u8>; 3], left: &[Vec<u8>; 3]) -> Option<String> {
    let size = kernel.element.bytes(0).len();
    expected.iter().zip(left).enumerate().find_map(|(argument, (expected, left))| {
        let at = expected.iter().zip(left).position(|(a, b)| a != b)? / size;
        let bytes = |of: &[u8]| of[at * size..(at + 1) * size].to_vec();
        Some(format!("element {at} of argument {argument} is {:?}, expected {:?}", bytes(left), bytes(expected)))
    })
}
