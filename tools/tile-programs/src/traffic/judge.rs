//! The verdict on a kernel: its counted traffic against that of its execution.

use melior::Context;
use melior::ir::Module;
use ptx_sim::{Call, Checks, LaunchConfig, Report};
use tile_passes::{Options, compile, embed, inspect};
use tile_plan::traffic::Traffic;

use super::draw::{self, ENTRY, Kernel};
use crate::judging::{RunFailure, finding, understood};
use crate::tally::{Outcome, Verdict, reason};

/// The passes that choose layouts, and make the IR state what plans rely on.
const STATES: &str = "builtin.module(tile-choose-layouts,tile-report-memory)";

const COUNTED: &str = "kernels that cost what is counted";
const MERGED: &str = "kernels that issue fewer requests than planned";

/// Judges kernel `number` of a seed.
pub fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
    let mut counted = Vec::new();
    let outcome = outcome(context, &draw::kernel(seed, number), &mut |table, row| counted.push((table, row)));
    Verdict { number, outcome: outcome.unwrap_or_else(|outcome| outcome), counted }
}

/// The kernel with its layouts, and the traffic that is counted.
fn planned<'c>(context: &'c Context, kernel: &Kernel) -> Result<(Module<'c>, Traffic), Outcome> {
    let mut module = embed::parse(context, &kernel.text()).map_err(|error| finding("not valid", error))?;
    let (stated, _) = embed::hearing(context, || embed::run(&mut module, STATES));
    stated.map_err(|error| finding("not reported", error))?;
    let mut sum = Traffic::default();
    for (_, copy) in inspect::traffic(module.as_operation()) {
        sum += copy.ok_or_else(|| Outcome::Refused(vec!["not counted".to_owned()]))?;
    }
    Ok((module, sum))
}

fn outcome(context: &Context, kernel: &Kernel, count: &mut dyn FnMut(String, String)) -> Result<Outcome, Outcome> {
    let (mut module, traffic) = planned(context, kernel)?;
    for plain in kernel.with_plain_layouts() {
        let (_, other) = planned(context, &plain)?;
        if other.wavefronts < traffic.wavefronts {
            let got = format!("got {} wavefronts, {} with {:?}", traffic.wavefronts, other.wavefronts, plain.shared);
            return Err(finding("layout not the least", got));
        }
    }
    let refused = |error| Outcome::Refused(vec![reason(&error)]);
    let ptx = compile(&mut module, &Options::new().as_written()).map_err(refused)?;
    let report = executed(kernel, &ptx.text).map_err(|wrong| wrong.finding("counted"))?;
    let got = report.total;
    let executed = [got.sectors, got.wavefronts, got.ideal_wavefronts].map(|count| i64::try_from(count).unwrap_or(-1));
    let counted = [traffic.sectors, traffic.wavefronts, traffic.ideal_wavefronts];
    let what = format!("sectors, wavefronts, ideal wavefronts: executed {executed:?}, counted {counted:?}");
    match requests(&report) {
        all if all == traffic.requests && executed == counted => {
            let conflicts = if traffic.conflicts() > 0 { "with conflicts" } else { "without conflicts" };
            count(COUNTED.to_owned(), conflicts.to_owned());
            Ok(Outcome::Right)
        }
        // Of three elements LLVM may load four, so that the fewest wavefronts are more.
        all if all < traffic.requests && executed[0] <= counted[0] && executed[1] <= counted[1] => {
            count(MERGED.to_owned(), "by LLVM".to_owned());
            Ok(Outcome::Right)
        }
        all => Err(finding("other traffic", format!("{what}; {all} requests, counted {}", traffic.requests))),
    }
}

/// Requests of warps: an instruction that accesses both memories counts twice.
fn requests(report: &Report) -> i64 {
    let weight = |opcode: &str| match opcode.split('.').next() {
        Some("cp") if opcode.contains(".shared") => 2,
        Some("ld" | "st" | "ldmatrix" | "stmatrix") if !opcode.contains(".param") => 1,
        _ => 0,
    };
    let all = report.instructions.iter().map(|op| weight(&op.opcode) * i64::try_from(op.counts.warps).unwrap_or(0));
    all.sum()
}

fn executed(kernel: &Kernel, ptx: &str) -> Result<Report, RunFailure> {
    let mut call = Call::new();
    for [rows, columns] in [kernel.whole, kernel.size] {
        call.buffer(&vec![0; (rows * columns * kernel.bytes()) as usize])?;
    }
    let config = LaunchConfig { checks: Checks::ALL, ..LaunchConfig::new(1, kernel.threads as u32) };
    call.launch(&understood(ptx)?, ENTRY, &config).map_err(|error| RunFailure::new("not launched", error))
}
