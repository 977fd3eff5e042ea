//! `cargo xtask bench lowering`: the compiler's time, and what it is spent on.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::measure::{self, median};
use super::modules::{self, COPIES_PER_FUNCTION, Kind};
use super::timing::{self, Timing};
use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace::{self, Profile};

/// The first demonstration program. The reference implementation (TVM TIRx 0.27) takes 975 ms to translate it to
/// machine-readable kernels, and 10.5 ms for a copy's dispatch.
const SEED: &str = "test/Seeds/gmem_smem.mlir";
/// Copies in a module, smallest first.
const SIZES: [u32; 3] = [100, 1_000, 10_000];
/// The separate passes that `--lower-tile-copy` combines.
const STAGES: [&str; 3] = ["--tile-align-layouts", "--tile-vectorize-copy", "--tile-expand-copy"];

/// Measures everything, printing each result immediately.
pub fn run(toolchain: &Toolchain, runs: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    whole_process(toolchain, runs)?;
    [Kind::Mixed, Kind::RunTime].into_iter().try_for_each(|kind| growing_modules(toolchain, kind))?;
    one_plan(toolchain)
}

/// Times the translation of a file to PTX, next to runs of the same program and of an LLVM tool that only start.
fn whole_process(toolchain: &Toolchain, runs: u32) -> Result<()> {
    let tool = build::tool("tile-translate");
    let work = milliseconds(toolchain.command(&tool).args(["--tile-to-ptx", SEED]), runs)?;
    let floor = milliseconds(toolchain.command(&tool).arg("--version"), runs)?;
    let upstream = milliseconds(toolchain.command(toolchain.llvm_tool("mlir-opt")).arg("--version"), runs)?;

    println!("File to PTX: {SEED}, median of {runs} runs\n");
    let mut table = Table::new(&["process", "ms", "goal", "reference"]);
    table.row(&["tile-translate --tile-to-ptx".into(), format!("{work:.1}"), "60".into(), "975".into()]);
    table.row(&["tile-translate --version".into(), format!("{floor:.1}")]);
    table.row(&["mlir-opt --version".into(), format!("{upstream:.1}")]);
    println!("{table}");
    println!(
        "It takes {:.2} times as long as mlir-opt --version, and {:.0} % of it to start.\n",
        work / upstream,
        100.0 * floor / work
    );
    Ok(())
}

/// The median wall time of a command, after one run to warm the page cache.
fn milliseconds(command: &mut Command, runs: u32) -> Result<f64> {
    measure::once(command)?;
    let samples =
        (0..runs).map(|_| Ok(measure::once(command)?.wall.as_secs_f64() * 1e3)).collect::<Result<Vec<_>>>()?;
    median(&samples).context("no runs")
}

/// `--lower-tile-copy` alone, in modules of growing size.
fn growing_modules(toolchain: &Toolchain, kind: Kind) -> Result<()> {
    println!("{} copies in one module: passes of tile-opt --lower-tile-copy, one thread, fastest run\n", kind.name());
    let growths = SIZES.map(|copies| growth(toolchain, kind, copies)).into_iter().collect::<Result<Vec<_>>>()?;

    let mut table = Table::new(&["copies", "passes ms", "µs a copy", "parse ms", "print ms", "peak MB"]);
    for growth in &growths {
        let Growth { copies, timing, peak } = growth;
        let ms = [timing.pipeline(), timing.parser, timing.output].map(|seconds| format!("{:.1}", seconds * 1e3));
        let [passes, parse, print] = ms;
        let peak = format!("{:.0}", *peak as f64 / 1e6);
        table.row(&[copies.to_string(), passes, format!("{:.1}", growth.each()), parse, print, peak]);
    }
    println!("{table}");
    let [first, .., last] = growths.as_slice() else { return Ok(()) };
    println!(
        "Goals: 100 µs a copy, 300 MB; among {} at most 1.3 times as long as among {}.",
        last.copies, first.copies
    );
    println!("Growth: {:.2} times.", last.each() / first.each());
    println!("Limited by: {}.\n", stages(toolchain, kind)?);
    Ok(())
}

/// The cost of lowering one module.
struct Growth {
    copies: u32,
    /// The times of the fastest run: other work on the machine can only add to them.
    timing: Timing,
    /// The peak memory in bytes.
    peak: u64,
}

impl Growth {
    /// Microseconds of the passes per copy.
    fn each(&self) -> f64 {
        self.timing.pipeline() * 1e6 / f64::from(self.copies)
    }
}

fn growth(toolchain: &Toolchain, kind: Kind, copies: u32) -> Result<Growth> {
    let mut command = opt(toolchain, kind, copies, &["--lower-tile-copy"])?;
    // MLIR reports times with a resolution of 0.1 ms, so the small module needs more runs.
    let runs = (10_000 / copies).clamp(5, 31);
    let mut timings = Vec::new();
    let mut peak = 0;
    for _ in 0..runs {
        let sample = measure::once(&mut command)?;
        timings.push(timing::parse(&sample.stderr)?);
        peak = peak.max(sample.peak);
    }
    let fastest = timings.into_iter().min_by(|a, b| a.pipeline().total_cmp(&b.pipeline()));
    Ok(Growth { copies, timing: fastest.context("no runs")?, peak })
}

/// A command that runs tile-opt with timing on a module of `copies` copies, which it writes first.
fn opt(toolchain: &Toolchain, kind: Kind, copies: u32, passes: &[&str]) -> Result<Command> {
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let file = folder.join(format!("copies-{}-{copies}.mlir", kind.name()));
    fs::write(&file, modules::module(kind, copies / COPIES_PER_FUNCTION))
        .with_context(|| format!("cannot write {}", file.display()))?;
    let mut command = toolchain.command(build::tool("tile-opt"));
    command.arg(file).args(passes).args(["--mlir-timing", "--mlir-output-format=json", "--mlir-disable-threading"]);
    Ok(command)
}

/// The share of each stage when they run as separate passes: `TileAlignLayouts 40 %, …`.
fn stages(toolchain: &Toolchain, kind: Kind) -> Result<String> {
    let mut command = opt(toolchain, kind, SIZES[SIZES.len() / 2], &STAGES)?;
    let timing = timing::parse(&measure::once(&mut command)?.stderr)?;
    let share = |(name, seconds): &(String, f64)| format!("{name} {:.0} %", 100.0 * seconds / timing.pipeline());
    Ok(timing.passes.iter().map(share).collect::<Vec<_>>().join(", "))
}

/// The planner's own benchmark: one decision, without MLIR.
fn one_plan(toolchain: &Toolchain) -> Result<()> {
    println!("One plan: goal 20 µs, reference 10 500 µs\n");
    let mut bench = toolchain.cargo();
    bench.args(["run", "--quiet", "--release", "--package", "tile-plan", "--example", "plan_bench"]);
    process::run(&mut bench)
}
