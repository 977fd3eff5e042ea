//! `cargo xtask bench simulator`: the speed at which the simulator executes PTX, and the time to check every recorded
//! copy.

use std::fs;
use std::num::NonZero;
use std::time::Instant;

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

/// Measures everything, printing each result immediately.
pub fn run(toolchain: &Toolchain, runs: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    throughput(toolchain)?;
    seeds(toolchain, runs)?;
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
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut table = Table::new(&["program", "ms"]);
    for (name, shape) in SEEDS {
        let mut translate = toolchain.command(build::tool("tile-translate"));
        let ptx = process::stdout(translate.args(["--tile-to-ptx", &format!("test/Seeds/{name}.mlir")]))?;
        let file = folder.join(name).with_extension("ptx");
        fs::write(&file, ptx).with_context(|| format!("cannot write {}", file.display()))?;
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

/// Every case of test/Conformance, each lowered, executed and compared.
fn recorded(toolchain: &Toolchain) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    println!("Recorded copies, each lowered, executed and compared: goal 120 s on two cores\n");
    let mut command = toolchain.command(build::tool("tile-conformance"));
    let start = Instant::now();
    let said = process::stdout(command.args(conformance::cases()?))?;
    let seconds = start.elapsed().as_secs_f64();
    let mut table = Table::new(&["result", "seconds", "cores"]);
    let last = said.lines().last().unwrap_or("nothing was said");
    table.row(&[last.into(), format!("{seconds:.1}"), cores.to_string()]);
    println!("{table}");
    Ok(())
}
