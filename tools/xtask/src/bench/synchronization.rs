//! `cargo xtask bench synchronization`: how the time of the synchronization passes grows, and how many barriers they
//! insert.

mod barriers;
mod kernels;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use kernels::KernelShape;

use super::{measure, timing};
use crate::build;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace::{self, Profile};

/// Numbers of operations in a kernel, smallest first.
const SIZES: [u32; 3] = [100, 1_000, 10_000];
/// The most runs of each pass; the fastest is reported.
const RUNS: usize = 5;
/// The time after which a pass is not run again.
const ENOUGH: Duration = Duration::from_secs(10);

/// The passes, each with the kind of kernels that it runs on.
const PASSES: [(&str, KernelShape); 9] = [
    ("--tile-check-sync", KernelShape::Straight),
    ("--tile-check-sync", KernelShape::Loops),
    ("--tile-insert-sync", KernelShape::Bare),
    ("--tile-insert-sync", KernelShape::BareLoops),
    ("--tile-insert-sync", KernelShape::BareBranches),
    ("--tile-insert-sync", KernelShape::BareNested),
    ("--tile-insert-sync=remove-redundant=true", KernelShape::Straight),
    ("--tile-plan-memory", KernelShape::Straight),
    ("--tile-pipeline", KernelShape::Stages),
];

/// Measures everything, printing each result immediately.
pub fn run(toolchain: &Toolchain, kernels: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    println!("Operations of one kernel: milliseconds of the pass, fastest of {RUNS} runs; goal 2000 for the largest\n");
    let mut table = Table::new(&["pass", "kernel", "100", "1000", "10000", "growth"]);
    for (pass, kind) in PASSES {
        let times = SIZES.map(|size| fastest(toolchain, pass, kind, size)).into_iter().collect::<Result<Vec<_>>>()?;
        let [_, middle, last] = times[..] else { continue };
        let mut row = vec![pass.to_owned(), kind.name().to_owned()];
        row.extend(times.iter().map(|seconds| format!("{:.1}", seconds * 1e3)));
        row.push(format!("{:.1}", last / middle));
        table.row(&row);
    }
    println!("{table}");
    println!("Barriers of {kernels} generated kernels\n");
    println!("{}", barriers::table(toolchain, kernels)?);
    Ok(())
}

fn fastest(toolchain: &Toolchain, pass: &str, kind: KernelShape, size: u32) -> Result<f64> {
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let file = folder.join(format!("sync-{}-{size}.mlir", kind.name().replace(' ', "-")));
    fs::write(&file, kind.kernel(size)).with_context(|| format!("cannot write {}", file.display()))?;
    let mut command: Command = toolchain.command(build::tool("tile-opt"));
    command.arg(file).arg(pass).args(["--mlir-timing", "--mlir-output-format=json", "--mlir-disable-threading"]);
    let begin = Instant::now();
    let mut least = f64::INFINITY;
    for run in 0..RUNS {
        if run > 0 && begin.elapsed() > ENOUGH {
            break;
        }
        least = least.min(timing::parse(&measure::once(&mut command)?.stderr)?.pipeline());
    }
    Ok(least)
}
