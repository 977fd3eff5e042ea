//! The verdict on a kernel: what it leaves in memory, and what `ptxas` has to say of its products.

use std::io::Write;
use std::process::{Command, Stdio};

use melior::Context;
use ptx_sim::{Call, LaunchConfig, Schedule};
use tile_passes::{Error, Options, Ptx, compile, embed};

use super::draw;
use super::kernel::{ENTRY, Kernel, ROWS, STEP, THREADS};
use crate::judging::{Ready, RunFailure, finding, understood};
use crate::schedules;
use crate::tally::{Outcome, Verdict, reason};
use crate::writing::Element;

/// All of `tile-build`; tensor maps are made by a host.
const BUILD: &str = "tile-build{maps=false}";
/// The variable that names the `ptxas` to ask.
const PTXAS: &str = "TILE_PTXAS";
/// What `ptxas` says where it serialises products, or waits for them itself.
const SERIALISED: std::ops::RangeInclusive<u32> = 7510..=7520;

/// Judges a kernel.
pub fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
    let kernel = draw::kernel(seed, number);
    let outcome = outcome(context, &kernel).unwrap_or_else(|outcome| outcome);
    Verdict { number, outcome, counted: Vec::new() }
}

fn outcome(context: &Context, kernel: &Kernel) -> Result<Outcome, Outcome> {
    let mut module = embed::parse(context, &kernel.text()).map_err(|error| finding("not valid", error))?;
    let ptx = compile(&mut module, &Options::new().passes(BUILD)).map_err(|error| match error {
        Error::Malformed { .. } => finding("not valid", error),
        _ => Outcome::Refused(vec![reason(&error)]),
    })?;
    let expected = kernel.expected();
    for schedule in schedules::ALL {
        let left = executed(kernel, &ptx, schedule).map_err(|wrong| wrong.finding(""))?;
        for (result, (left, expected)) in left.iter().zip(expected).enumerate() {
            let differs = |at: &usize| left[*at] != expected * f32::from(kernel.column(*at as i64 % kernel.columns));
            if let Some(at) = (0..left.len()).find(differs) {
                let what = format!(
                    "schedule {schedule}: element {at} of result {result} is {}, expected a multiple of {expected}",
                    left[at]
                );
                return Err(finding("other memory", what));
            }
        }
    }
    match said_by_ptxas(&ptx.text) {
        Some(messages) => Err(finding("ptxas serialises products", messages)),
        None => Ok(Outcome::Right),
    }
}

/// The results of a run.
fn executed(kernel: &Kernel, ptx: &Ptx, schedule: Schedule) -> Result<Vec<Vec<f32>>, RunFailure> {
    let (rows, columns, depth) = (ROWS, kernel.columns, kernel.depth());
    let left: Vec<u8> = (0..rows * depth).flat_map(|_| Element::F16.bytes(1)).collect();
    let right: Vec<u8> = (0..depth * columns).flat_map(|at| Element::F16.bytes(kernel.column(at % columns))).collect();
    let mut call = Call::new();
    call.buffer(&left)?;
    call.buffer(&right)?;
    let zeros = vec![0; (rows * columns) as usize * size_of::<f32>()];
    let compared = vec![call.buffer(&zeros)?, call.buffer(&zeros)?];
    call.indices([kernel.trips * STEP, kernel.period]);
    let dynamic_shared = ptx.kernels.first().map_or(0, |kernel| kernel.dynamic_shared as u32);
    let config = LaunchConfig { schedule, dynamic_shared, ..LaunchConfig::new(1, THREADS) };
    let results = Ready { call, compared, config }.run(&understood(&ptx.text)?, ENTRY)?;
    let numbers = |bytes: &Vec<u8>| bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    Ok(results.iter().map(numbers).collect())
}

/// The messages of `ptxas` that say that it serialises products, if the environment names one.
fn said_by_ptxas(ptx: &str) -> Option<String> {
    let program = std::env::var_os(PTXAS)?;
    let mut command = Command::new(program);
    command
        .args(["-arch=sm_90a", "-v", "-o", "/dev/null", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null());
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(ptx.as_bytes()).ok()?;
    let stderr = child.wait_with_output().ok()?.stderr;
    let is_serialised = |line: &&str| {
        let number = line.split_once("(C").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
        number.is_some_and(|number: u32| SERIALISED.contains(&number))
    };
    let text = String::from_utf8_lossy(&stderr).into_owned();
    let lines: Vec<&str> = text.lines().filter(is_serialised).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
