//! `cargo xtask bench lowering`: the compiler's time, and what it is spent on.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::measure::{self, median};
use super::modules::{self, COPIES_PER_FUNCTION, ModuleKind};
use super::timing::{self, Timing};
use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace::{self, Profile};

/// The first demonstration program. The reference implementation (TVM TIRx 0.27) takes 975 ms to translate it to
/// machine-readable kernels, and 10.5 ms for a copy's dispatch.
const SEED: &str = "test/Seeds/gmem_smem.mlir";
/// Whole kernels: how the tiles of a matrix product are copied and multiplied, the file, and the chip if it is not the file's.
const KERNELS: [(&str, &str, Option<&str>); 4] = [
    ("product by cp.async, mma.sync", "docs/examples/gemm.mlir", None),
    ("product by tensor maps, mma.sync", "docs/examples/gemm.mlir", Some("sm_90")),
    ("product by tensor maps, wgmma", "docs/examples/gemm.mlir", Some("sm_90a")),
    ("attention", "docs/examples/attention.mlir", None),
];
/// Copies in a module, smallest first.
const SIZES: [u32; 3] = [100, 1_000, 10_000];
/// The separate passes that `--lower-tile-copy` combines.
const STAGES: [&str; 3] = ["--tile-align-layouts", "--tile-vectorize-copy", "--tile-expand-copy"];

/// Measures everything, printing each result immediately.
pub fn run(toolchain: &Toolchain, runs: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    whole_process(toolchain, runs)?;
    whole_kernels(toolchain, runs)?;
    [ModuleKind::Mixed, ModuleKind::RunTime].into_iter().try_for_each(|kind| growing_modules(toolchain, kind))?;
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

/// Times the translation of whole kernels to PTX, next to the time of the passes and what the slowest of them takes.
fn whole_kernels(toolchain: &Toolchain, runs: u32) -> Result<()> {
    println!("Kernels to PTX, median of {runs} runs; passes of tile-opt --tile-build, one thread, fastest of them\n");
    let mut table = Table::new(&["kernel", "ms", "passes ms", "slowest pass", "ms"]);
    for (name, file, chip) in KERNELS {
        let mut translate = toolchain.command(build::tool("tile-translate"));
        translate.args(["--tile-to-ptx", file]).args(chip.map(|chip| format!("--chip={chip}")));
        let whole = milliseconds(&mut translate, runs)?;
        let mut passes = toolchain.command(build::tool("tile-opt"));
        passes.arg(file).arg(chip.map_or("--tile-build".to_owned(), |chip| format!("--tile-build=chip={chip}")));
        let timing = fastest(timed(&mut passes), runs)?.0;
        // Pipelines inside of modules, named after these in quotes, are not ours.
        let ours = timing.passes.iter().filter(|(name, _)| !name.starts_with('\''));
        let slowest = ours.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let (pass, seconds) = slowest.context("no passes")?;
        let ms = |seconds: f64| format!("{:.1}", seconds * 1e3);
        table.row(&[name.into(), format!("{whole:.1}"), ms(timing.pipeline()), pass.clone(), ms(*seconds)]);
    }
    println!("{table}");
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
fn growing_modules(toolchain: &Toolchain, kind: ModuleKind) -> Result<()> {
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

fn growth(toolchain: &Toolchain, kind: ModuleKind, copies: u32) -> Result<Growth> {
    let mut command = opt(toolchain, kind, copies, &["--lower-tile-copy"])?;
    // MLIR reports times with a resolution of 0.1 ms, so the small module needs more runs.
    let runs = (10_000 / copies).clamp(5, 31);
    let (timing, peak) = fastest(&mut command, runs)?;
    Ok(Growth { copies, timing, peak })
}

/// The times of the fastest of several runs of a command with timing, and the peak memory of all.
fn fastest(command: &mut Command, runs: u32) -> Result<(Timing, u64)> {
    let samples = (0..runs).map(|_| measure::once(command)).collect::<Result<Vec<_>>>()?;
    let timings = samples.iter().map(|sample| timing::parse(&sample.stderr)).collect::<Result<Vec<_>>>()?;
    let fastest = timings.into_iter().min_by(|a, b| a.pipeline().total_cmp(&b.pipeline()));
    Ok((fastest.context("no runs")?, samples.iter().map(|sample| sample.peak).max().unwrap_or(0)))
}

/// The command, to print the times of its passes.
fn timed(command: &mut Command) -> &mut Command {
    command.args(["--mlir-timing", "--mlir-output-format=json", "--mlir-disable-threading"])
}

/// A command that runs tile-opt with timing on a module of `copies` copies, which it writes first.
fn opt(toolchain: &Toolchain, kind: ModuleKind, copies: u32, passes: &[&str]) -> Result<Command> {
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let file = folder.join(format!("copies-{}-{copies}.mlir", kind.name()));
    fs::write(&file, modules::module(kind, copies / COPIES_PER_FUNCTION))
        .with_context(|| format!("cannot write {}", file.display()))?;
    let mut command = toolchain.command(build::tool("tile-opt"));
    timed(command.arg(file).args(passes));
    Ok(command)
}

/// The share of each stage when they run as separate passes: `TileAlignLayouts 40 %, …`.
fn stages(toolchain: &Toolchain, kind: ModuleKind) -> Result<String> {
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
