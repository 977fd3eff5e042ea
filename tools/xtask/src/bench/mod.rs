//! `cargo xtask bench`: figures of the compiler itself, next to its goals and the reference implementation's figures, and of kernels.

mod examples;
mod lowering;
mod measure;
mod modules;
mod simulator;
mod synchronization;
mod timing;

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::Result;

use crate::setup::Toolchain;
use crate::workspace::Profile;
use crate::{build, process};

/// What to measure.
#[derive(clap::Subcommand)]
pub enum What {
    /// Time and memory of lowering: from file to PTX, a copy in modules of growing size, one plan.
    Lowering {
        /// Runs of the whole process, after a warm-up; the median is reported.
        #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
    },
    /// Synchronization passes: how their time grows with the kernel, and how many barriers they insert.
    Synchronization {
        /// The number of generated kernels whose barriers are counted.
        #[arg(long, default_value_t = 100)]
        kernels: u32,
    },
    /// The speed of the simulator, and the time of the conformance run.
    Simulator {
        /// Runs of each demonstration program; the median is reported.
        #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
    },
    /// Scans on a Vulkan device, next to copies and the three-kernel strategy: 2^16 to 2^26 elements, as far as the
    /// device can address them, and with silent tiles.
    Vulkan {
        /// Timed rounds; the median is reported.
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
        /// The number of elements in the table with silent tiles.
        #[arg(long, default_value = "2^20")]
        faults: String,
    },
    /// The example kernels over rows on a GPU, beside the driver's copy, torch and Triton, which Python needs.
    Examples {
        /// Only collects in this folder what a machine with the GPU needs.
        #[arg(long)]
        prepare: Option<PathBuf>,
        /// Also writes the table, with the card and the date, to this file.
        #[arg(long, conflicts_with = "prepare")]
        record: Option<PathBuf>,
    },
}

/// Measures and prints.
pub fn run(toolchain: &Toolchain, what: &What) -> Result<()> {
    match what {
        What::Lowering { runs } => lowering::run(toolchain, *runs),
        What::Synchronization { kernels } => synchronization::run(toolchain, *kernels),
        What::Vulkan { runs, faults } => vulkan(toolchain, *runs, faults),
        What::Examples { prepare, record } => examples::run(toolchain, prepare.as_deref(), record.as_deref()),
        What::Simulator { runs } => simulator::run(toolchain, *runs),
    }
}

/// Warns if the machine is busy, because wall times mean little while other programs use the processors, too.
fn warn_when_busy() {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    if let Some(load) = measure::load().filter(|&load| load > 0.5 * cores as f64) {
        println!("This machine is busy (load {load:.1} on {cores} cores): all times below are too long.\n");
    }
}

/// `cargo xtask bench vulkan`: portable scans, next to copies, on the first Vulkan device, which is Mesa's software
/// driver if there is no other. Measures both tables, printing each row immediately.
fn vulkan(toolchain: &Toolchain, runs: u32, faults: &str) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    warn_when_busy();
    let mut bench = toolchain.command(build::tool("tile-bench-vulkan"));
    process::run(bench.args(["--runs", &runs.to_string(), "--faults", faults]))
}
