//! The verdict on a kernel: what the passes say, against its execution under all schedules; and whether each operation
//! that `--tile-insert-sync` inserts is needed.

use melior::Context;
use ptx_sim::{Arg, Call, LaunchConfig, Schedule};
use tile_oracle::Rng;
use tile_passes::Ptx;

use super::draw;
use super::kernel::{ENTRY, Kernel, TILES};
use crate::judging::{CHECK, INSERT, Ready, RunFailure, alike, compiled, expect_needed, finding, passed, understood};
use crate::removal::{self, orders, without_order};
use crate::schedules;
use crate::tally::{Outcome, Verdict, reason};

/// Tables of the report.
const ALARMS: &str = "refused by the check, but running clean under all schedules";
const REFUSED: &str = "refused by the check, and faulty when it runs";
const ACCEPTED: &str = "accepted, and running clean under all schedules";

/// Tiles share storage, with the synchronization that this needs.
const PLANNED: &str = "builtin.module(tile-plan-memory,tile-insert-sync)";

/// Judges kernel `number` of a seed.
pub fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
    let mut counted = Vec::new();
    let outcome = outcome(context, seed, number, &mut |table, row| counted.push((table.to_owned(), row)));
    Verdict { number, outcome: outcome.unwrap_or_else(|outcome| outcome), counted }
}

fn outcome(
    context: &Context,
    seed: u64,
    number: u64,
    count: &mut dyn FnMut(&'static str, String),
) -> Result<Outcome, Outcome> {
    let kernel = draw::kernel(seed, number, false);
    let text = kernel.text();
    let refusal = match passed(context, &text, CHECK) {
        Ok(_) => None,
        Err(tile_passes::Error::Malformed { .. }) => return Err(finding("not valid", text)),
        Err(error) => Some(reason(&error)),
    };
    match (passed(context, &text, INSERT), &refusal) {
        (Ok(ordered), _) => {
            executed(context, &kernel, seed, &ordered).map_err(|wrong| wrong.finding("ordered"))?;
            count(ACCEPTED, "with --tile-insert-sync".to_owned());
        }
        (Err(error), None) => return Err(finding("accepted, but not ordered", error)),
        (Err(_), Some(_)) => {}
    }
    if number.is_multiple_of(3) && (refusal.is_none() || passed(context, &text, INSERT).is_ok()) {
        let planned = passed(context, &text, PLANNED).map_err(|error| finding("ordered, but not planned", error))?;
        executed(context, &kernel, seed, &planned).map_err(|wrong| wrong.finding("planned"))?;
        count(ACCEPTED, "with --tile-plan-memory".to_owned());
    }
    match (executed(context, &kernel, seed, &text), refusal) {
        (Ok(()), None) => {
            count(ACCEPTED, "with --tile-check-sync".to_owned());
            Ok(Outcome::Right)
        }
        (Err(wrong), None) => Err(wrong.finding("accepted")),
        (ran, Some(reason)) => {
            count(if ran.is_ok() { ALARMS } else { REFUSED }, reason.clone());
            Ok(Outcome::Refused(vec![reason]))
        }
    }
}

/// Removes each operation that orders kernel `number`, which has none of its own, in turn.
pub fn removed(context: &Context, seed: u64, number: u64) -> Verdict {
    let kernel = draw::kernel(seed, number, true);
    let ordered = match passed(context, &without_order(&kernel.text()), INSERT) {
        Ok(ordered) => ordered,
        Err(error) => {
            return Verdict { number, outcome: Outcome::Refused(vec![reason(&error)]), counted: Vec::new() };
        }
    };
    if let Err(outcome) = expect_needed(context, &ordered) {
        return Verdict { number, outcome, counted: Vec::new() };
    }
    if let Err(wrong) = executed(context, &kernel, seed, &ordered) {
        return Verdict { number, outcome: wrong.finding("ordered"), counted: Vec::new() };
    }
    let all: Vec<_> = ordered.lines().enumerate().filter(|(_, line)| orders(line)).map(|(at, _)| at..at + 1).collect();
    let runs = |text: &str| executed(context, &kernel, seed, text);
    removal::judge(number, &ordered, &all, runs, |text| still_ordered(context, &kernel, seed, text), unmodelled)
}

/// Why the simulator cannot notice that an operation is missing, if that is so.
fn unmodelled(lines: &[&str], at: usize) -> Option<&'static str> {
    if lines[at].contains("cp.async.wait.group") && lines.get(at + 1).is_some_and(|line| line.contains("gpu.return")) {
        return Some("a cp.async that no thread reads from may be in flight at the end");
    }
    let both = lines[at].contains("proxy_kind<async>}");
    both.then_some("global memory is written through two proxies, which are distinguished in shared memory only")
}

/// Compiles a kernel and runs it with both values of its flag under all schedules, which have to leave the same memory.
fn executed(context: &Context, kernel: &Kernel, seed: u64, text: &str) -> Result<(), RunFailure> {
    let ptx = compiled(context, text).map_err(|error| RunFailure::new("not compiled", error))?;
    let module = understood(&ptx.text)?;
    FLAGS.into_iter().try_for_each(|flag| {
        alike(schedules::ALL, true, |schedule| ready(kernel, &ptx, seed, flag, schedule)?.run(&module, ENTRY))
    })
}

/// Whether the graph of a run orders all accesses, too.
fn still_ordered(context: &Context, kernel: &Kernel, seed: u64, text: &str) -> Result<(), RunFailure> {
    let ptx = compiled(context, text).map_err(|error| RunFailure::new("not compiled", error))?;
    let module = understood(&ptx.text)?;
    let mut flags = FLAGS.into_iter();
    flags.try_for_each(|flag| ready(kernel, &ptx, seed, flag, Schedule::Fair)?.check_order(&module, ENTRY))
}

/// The values of the flag.
const FLAGS: [bool; 2] = [false, true];

fn ready(kernel: &Kernel, ptx: &Ptx, seed: u64, flag: bool, schedule: Schedule) -> Result<Ready, RunFailure> {
    let ([rows, columns], element) = (kernel.shape, kernel.element);
    let mut rng = Rng::new(seed, 0);
    let mut drawn = |count: i64| -> Vec<u8> { (0..count).flat_map(|_| element.bytes(rng.below(200) as u8)).collect() };
    let mut call = Call::new();
    let mut compared = Vec::new();
    for tiles in [1, TILES] {
        let extents: &[i64] = if tiles == 1 { &[rows, columns] } else { &[tiles, rows, columns] };
        let source = drawn(tiles * rows * columns);
        call.buffer(&source)?;
        compared.push(call.buffer(&vec![0; source.len()])?);
        call.indices(extents.iter().copied().filter(|_| kernel.is_open));
    }
    call.indices([kernel.trips]);
    call.number(Arg::U32(u32::from(flag)));
    let dynamic_shared = ptx.kernels.first().map_or(0, |kernel| kernel.dynamic_shared as u32);
    let config = LaunchConfig { schedule, dynamic_shared, ..LaunchConfig::new(1, kernel.threads() as u32) };
    Ok(Ready { call, compared, config })
}
