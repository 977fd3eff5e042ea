//! `cargo xtask bench simulator`: the speed at which the simulator executes PTX, and the time to check every recorded
//! copy.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::measure::{self, median};
use crate::build;
use crate::conformance;
use crate::process;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace::{self, Profile};

/// Programs of test/Seeds with the type and extents of both buffers, as tile-run takes them.
const SEEDS: [(&str, &str); 4] =
    [("gmem_smem", "f32[32x32]"), ("reg", "f32[32x8]"), ("ldstmatrix", "f16[16x16]"), ("fallback", "f32[4x6]")];

/// A product by `wgmma`, of tiles of 64x64, and the sides of the matrices.
const PRODUCT: &str = "docs/examples/gemm.mlir";
const TILE: u32 = 64;
const SIDES: [u32; 4] = [128, 256, 512, 1024];

/// Measures everything, printing each result immediately.
pub fn run(toolchain: &Toolchain, runs: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    throughput(toolchain)?;
    seeds(toolchain, runs)?;
    threads(toolchain, runs)?;
    recorded(toolchain)
}

/// The simulator's own benchmark.
fn throughput(toolchain: &Toolchain) -> Result<()> {
    println!("Kernels in the simulator, one core, fastest of several runs: goal 20 M lane instructions a second\n");
    process::run(toolchain.cargo().args(["bench", "--quiet", "--package", "ptx-sim", "--bench", "throughput"]))?;
    println!();
    Ok(())
}

/// The demonstration programs, as tile-run executes them.
fn seeds(toolchain: &Toolchain, runs: u32) -> Result<()> {
    println!("Programs of test/Seeds under every checker, whole process of tile-run, median of {runs} runs\n");
    let mut table = Table::new(&["program", "ms"]);
    for (name, shape) in SEEDS {
        let file = translated(toolchain, &format!("test/Seeds/{name}.mlir"), None)?;
        let mut simulate = toolchain.command(build::tool("tile-run"));
        simulate.arg(&file).args(["--arg", &format!("{shape}=random"), "--arg", &format!("{shape}=poison")]);
        simulate.args(["--expect-equal", "0,1"]);
        let one = |_| Ok(measure::once(&mut simulate)?.wall.as_secs_f64() * 1e3);
        let samples = (0..runs).map(one).collect::<Result<Vec<_>>>()?;
        table.row(&[name.into(), format!("{:.1}", median(&samples).context("no runs")?)]);
    }
    println!("{table}");
    Ok(())
}

/// The time of a simulation against the number of CUDA threads, each of which computes 32 elements of a tile.
fn threads(toolchain: &Toolchain, runs: u32) -> Result<()> {
    println!(
        "{PRODUCT} under every checker, whole process of tile-run, median of {runs} runs: goal 4 s for 1024x1024x1024\n"
    );
    let mut table = Table::new(&["product", "CUDA threads", "seconds", "of a processor", "us a thread"]);
    let file = translated(toolchain, PRODUCT, Some("--chip=sm_90a"))?;
    for side in SIDES {
        let (blocks, square) = (side / TILE, format!("f16[{side}x{side}]"));
        let mut simulate = toolchain.command(build::tool("tile-run"));
        simulate.arg(&file).args(["--grid", &format!("{blocks},{blocks}")]);
        let (random, extent) = (format!("{square}=normal(0,1)"), format!("u64={side}"));
        let buffers =
            [(random.clone(), 2), (random, 2), (format!("f32[{side}]=ones"), 1), (format!("{square}=poison"), 2)];
        for (buffer, extents) in buffers {
            simulate.args(["--arg", &buffer]);
            for _ in 0..extents {
                simulate.args(["--arg", &extent]);
            }
        }
        let samples = (0..runs).map(|_| measure::once(&mut simulate)).collect::<Result<Vec<_>>>()?;
        let middle = |time: fn(&measure::Sample) -> Duration| {
            let seconds: Vec<f64> = samples.iter().map(|sample| time(sample).as_secs_f64()).collect();
            median(&seconds).context("no runs")
        };
        let (wall, processor) = (middle(|sample| sample.wall)?, middle(|sample| sample.processor)?);
        let threads = blocks * blocks * 2 * TILE;
        let times =
            [format!("{wall:.2}"), format!("{processor:.2}"), format!("{:.0}", processor * 1e6 / f64::from(threads))];
        let [wall, processor, each] = times;
        let cells = [format!("{side}x{side}x{side}"), threads.to_string(), wall, processor, each];
        table.row(&cells);
    }
    println!("{table}");
    Ok(())
}

/// The PTX of a file, in a file of the benchmark's folder.
fn translated(toolchain: &Toolchain, source: &str, chip: Option<&str>) -> Result<PathBuf> {
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut translate = toolchain.command(build::tool("tile-translate"));
    let ptx = process::stdout(translate.args(["--tile-to-ptx", source]).args(chip))?;
    let file = folder.join(Path::new(source).file_stem().unwrap_or_default()).with_extension("ptx");
    fs::write(&file, ptx).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

/// Every case of test/Conformance, each lowered, executed and compared.
fn recorded(toolchain: &Toolchain) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    println!("Recorded copies, each lowered, executed and compared: goal 120 s on two cores\n");
    let mut command = toolchain.command(build::tool("tile-conformance"));
    let start = Instant::now();
    let report = process::stdout(command.args(conformance::cases()?))?;
    let seconds = start.elapsed().as_secs_f64();
    let mut table = Table::new(&["result", "seconds", "cores"]);
    let last = report.lines().last().unwrap_or("nothing was said");
    table.row(&[last.into(), format!("{seconds:.1}"), cores.to_string()]);
    println!("{table}");
    Ok(())
}
