//! `cargo xtask bench lowering`: how long the compiler takes, and what that time is spent on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::measure::{self, median};
use super::modules::{self, COPIES_PER_FUNCTION};
use super::timing::{self, Timing};
use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace::{self, Profile};

/// The seed's first demonstration program; the reference implementation (TVM TIRx 0.27) takes 975 ms from it to
/// machine-readable kernels, and 10.5 ms for a copy's dispatch.
const SEED: &str = "test/Seeds/gmem_smem.mlir";
/// Copies in the smallest and the largest module.
const SIZES: [u32; 3] = [100, 1_000, 10_000];

/// Measures all, printing as it goes.
pub fn run(toolchain: &Toolchain, runs: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    whole_process(toolchain, runs)?;
    growing_modules(toolchain)?;
    one_plan(toolchain)
}

/// From a file to PTX, beside a run of the same program that only starts.
fn whole_process(toolchain: &Toolchain, runs: u32) -> Result<()> {
    let tool = build::tool("tile-translate");
    let work = milliseconds(toolchain.command(&tool).args(["--tile-to-ptx", SEED]), runs)?;
    let floor = milliseconds(toolchain.command(&tool).arg("--version"), runs)?;

    println!("File to PTX: {SEED}, median of {runs} runs\n");
    let mut table = Table::new(&["process", "ms", "goal", "reference"]);
    table.row(&["tile-translate --tile-to-ptx".into(), format!("{work:.1}"), "60".into(), "975".into()]);
    table.row(&["tile-translate --version".into(), format!("{floor:.1}")]);
    println!("{table}");
    let share = 100.0 * floor / work;
    println!("Limited by: loading and starting libMLIR and libLLVM takes {share:.0} % of it.\n");
    Ok(())
}

/// The median wall time of a command, after one run to warm the page cache.
fn milliseconds(command: &mut Command, runs: u32) -> Result<f64> {
    measure::once(command)?;
    let samples =
        (0..runs).map(|_| Ok(measure::once(command)?.wall.as_secs_f64() * 1e3)).collect::<Result<Vec<_>>>()?;
    median(&samples).context("no runs")
}

/// What lowering one module took.
struct Growth {
    copies: u32,
    /// Microseconds of the passes for each copy.
    each: f64,
    timing: Timing,
    /// Bytes.
    peak: u64,
}

/// `--lower-tile-copy` alone, in modules of growing size.
fn growing_modules(toolchain: &Toolchain) -> Result<()> {
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    println!("Copies in one module: passes of tile-opt --lower-tile-copy, one thread\n");
    let growths = SIZES.iter().map(|&copies| growth(toolchain, &folder, copies)).collect::<Result<Vec<_>>>()?;

    let mut table = Table::new(&["copies", "passes ms", "µs a copy", "parse ms", "print ms", "peak MB"]);
    for Growth { copies, each, timing, peak } in &growths {
        let ms = |seconds: f64| format!("{:.1}", seconds * 1e3);
        let megabytes = format!("{:.0}", *peak as f64 / 1e6);
        table.row(&[
            copies.to_string(),
            ms(timing.passes),
            format!("{each:.1}"),
            ms(timing.parser),
            ms(timing.output),
            megabytes,
        ]);
    }
    println!("{table}");
    let (Some(first), Some(last)) = (growths.first(), growths.last()) else { return Ok(()) };
    println!(
        "Goals: at most 100 µs a copy, 300 MB; a copy among {} costs at most 1.3 times one among {}.",
        last.copies, first.copies
    );
    println!(
        "Growth: {:.2} times. Limited by: the passes take {:.0} % of parsing, passes and printing.\n",
        last.each / first.each,
        share(&last.timing)
    );
    Ok(())
}

fn share(timing: &Timing) -> f64 {
    100.0 * timing.passes / (timing.passes + timing.parser + timing.output)
}

fn growth(toolchain: &Toolchain, folder: &Path, copies: u32) -> Result<Growth> {
    let file: PathBuf = folder.join(format!("copies-{copies}.mlir"));
    fs::write(&file, modules::module(copies / COPIES_PER_FUNCTION))
        .with_context(|| format!("cannot write {}", file.display()))?;
    let mut command = toolchain.command(build::tool("tile-opt"));
    command.arg(&file).args(["--lower-tile-copy", "--mlir-timing", "--mlir-output-format=json"]);
    command.arg("--mlir-disable-threading");
    // MLIR states times to 0.1 ms: the small module needs more runs.
    let runs = (10_000 / copies).clamp(3, 31);
    let mut timings = Vec::new();
    let mut peak = 0;
    for _ in 0..runs {
        let sample = measure::once(&mut command)?;
        timings.push(timing::parse(&sample.stderr)?);
        peak = peak.max(sample.peak);
    }
    timings.sort_by(|a, b| a.passes.total_cmp(&b.passes));
    let timing = timings.swap_remove(timings.len() / 2);
    Ok(Growth { copies, each: timing.passes * 1e6 / f64::from(copies), timing, peak })
}

/// The planner's own benchmark: one decision, without MLIR.
fn one_plan(toolchain: &Toolchain) -> Result<()> {
    println!("One plan: goal 20 µs, reference 10 500 µs\n");
    let mut bench = toolchain.cargo();
    bench.args(["run", "--quiet", "--release", "--package", "tile-plan", "--example", "plan_bench"]);
    process::run(&mut bench)
}
