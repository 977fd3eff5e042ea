//! The verdict on a kernel: what the passes say, against its execution under all schedules.

use melior::Context;
use ptx_sim::{Arg, Call, LaunchConfig, Module, Schedule};
use tile_passes::{Options, compile, embed};

use super::ast::{Kernel, Source};
use super::text::{ENTRY, results, text};
use crate::judging::{CHECK, INSERT, Ready, RunFailure, alike, expect_needed, finding, understood};
use crate::schedules;
use crate::tally::{Outcome, Verdict, reason};

/// Tables of the report.
const ALARMS: &str = "refused by the check, but running clean under all schedules";
const REFUSED: &str = "refused by the check, and faulty when it runs";
const NOT_RUN: &str = "refused by the check, and not compiled";
const NOT_COMPILED: &str = "accepted, but not compiled";
const ACCEPTED: &str = "accepted, and running clean under all schedules";

const FEATURES: &str = "accepted kernels that contain";

/// Parts of a kernel's text that are counted among the accepted ones, where nothing is proved by refusing.
const COUNTED: [&str; 27] = [
    "affine.load",
    "affine.store",
    "arith.select",
    "cf.cond_br",
    "gpu.barrier",
    "gpu.shuffle",
    "iter_args",
    "llvm.addrspacecast",
    "llvm.atomicrmw",
    "llvm.inttoptr",
    "llvm.load",
    "llvm.ptrtoint",
    "llvm.store",
    "memref.atomic_rmw",
    "memref.subview",
    "nvvm.bar.warp.sync",
    "nvvm.barrier",
    "nvvm.cp.async",
    "nvvm.elect.sync",
    "scf.execute_region",
    "scf.for",
    "scf.if",
    "scf.index_switch",
    "scf.while",
    "tile.copy",
    "tile.fill",
    "vector.",
];

/// The value of elements of arguments.
const INITIAL: i32 = 1;

/// Judges a kernel.
pub fn judge(context: &Context, kernel: &Kernel, number: u64) -> Verdict {
    let mut counted = Vec::new();
    let outcome = outcome(context, kernel, &mut |table: &str, row: String| counted.push((table.to_owned(), row)));
    Verdict { number, outcome, counted }
}

fn outcome(context: &Context, kernel: &Kernel, count: &mut dyn FnMut(&str, String)) -> Outcome {
    let text = text(kernel);
    let mut module = match embed::parse(context, &text) {
        Ok(module) => module,
        Err(error) => return finding("not valid", error.to_string()),
    };
    let mode = if kernel.insert { "with --tile-insert-sync" } else { "with --tile-check-sync" };
    if kernel.insert {
        if let Err(error) = embed::run(&mut module, INSERT) {
            return Outcome::Refused(vec![format!("{mode}: {}", reason(&error))]);
        }
        if let Err(error) = embed::run(&mut module, CHECK) {
            return finding("inserted, but refused by the check", error.to_string());
        }
        if let Err(needless) = expect_needed(context, &module.as_operation().to_string()) {
            return needless;
        }
    } else if let Err(error) = embed::run(&mut module, CHECK) {
        let reason = reason(&error);
        let ptx =
            embed::parse(context, &text).and_then(|mut module| compile(&mut module, &Options::new().as_written()));
        let table = match ptx.map(|ptx| executed(kernel, &ptx.text)) {
            Ok(Ok(())) => ALARMS,
            Ok(Err(_)) => REFUSED,
            Err(_) => NOT_RUN,
        };
        count(table, reason.clone());
        return Outcome::Refused(vec![format!("{mode}: {reason}")]);
    }
    match compile(&mut module, &Options::new().as_written()) {
        Err(error) => {
            count(NOT_COMPILED, reason(&error));
            Outcome::Refused(vec!["accepted, but not compiled".to_owned()])
        }
        Ok(ptx) => match executed(kernel, &ptx.text) {
            Ok(()) => {
                count(ACCEPTED, mode.to_owned());
                let parts = COUNTED.iter().filter(|part| text.contains(**part));
                parts.for_each(|part| count(FEATURES, (*part).to_owned()));
                Outcome::Right
            }
            Err(wrong) => wrong.finding(if kernel.insert { "inserted" } else { "" }),
        },
    }
}

/// Schedules that elect other lanes, for a kernel that elects some.
const ELECTING: std::ops::Range<u64> = 2..12;

/// Runs a kernel under all schedules, which have to leave the same memory, unless they elect different lanes.
fn executed(kernel: &Kernel, ptx: &str) -> Result<(), RunFailure> {
    let module = understood(ptx)?;
    let elects = ptx.contains("elect.sync");
    let all = schedules::ALL.into_iter().chain(ELECTING.filter(|_| elects).map(Schedule::Random));
    alike(all, !elects, |schedule| launched(kernel, &module, schedule))
}

/// What a kernel leaves in its arguments.
fn launched(kernel: &Kernel, module: &Module, schedule: Schedule) -> Result<Vec<Vec<u8>>, RunFailure> {
    let elements = kernel.elements() * kernel.blocks;
    let arguments = kernel.memories.iter().filter(|source| **source == Source::Argument).count();
    let mut buffers: Vec<Vec<i32>> = vec![vec![INITIAL; elements as usize]; arguments];
    buffers.push(vec![0; results(kernel) as usize]);
    buffers.push((0..kernel.threads).map(|at| (at * 7 % kernel.threads) as i32).collect());
    let mut call = Call::new();
    let bytes = |values: &Vec<i32>| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let placed: Vec<_> = buffers.iter().map(|values| call.buffer(&bytes(values))).collect::<Result<_, _>>()?;
    call.indices([kernel.number]);
    call.number(Arg::U8(u8::from(kernel.flag)));
    let config = LaunchConfig { schedule, ..LaunchConfig::new(kernel.blocks as u32, kernel.threads as u32) };
    Ready { call, compared: placed, config }.run(module, ENTRY)
}

/// The command that runs a kernel, after its name.
pub fn launch(kernel: &Kernel) -> String {
    let elements = kernel.elements() * kernel.blocks;
    let count = results(kernel);
    let arguments = kernel.memories.iter().filter(|source| **source == Source::Argument);
    let arguments: String = arguments.map(|_| format!(" --arg i32[{elements}]=ones")).collect();
    let [grid, table] = [kernel.blocks, kernel.threads];
    let (number, flag) = (kernel.number, u8::from(kernel.flag));
    let pass = if kernel.insert { "insert" } else { "check" };
    format!(
        "tile-opt --tile-{pass}-sync FILE\n\
         tile-run FILE --schedule=all --grid {grid}{arguments} --arg i32[{count}]=zeros --arg i32[{table}]=iota \
         --arg i64={number} --arg i8={flag}\n\
         (Element i of the table is 7 * i modulo {table} when tile-programs runs it.)"
    )
}
