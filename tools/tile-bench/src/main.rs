//! Measures the copies that the compiler makes on a GPU, next to the driver's own.
//!
//! ```text
//! tile-bench emit folder            on a machine with LLVM: writes the programs' PTX
//! tile-bench copy --ptx folder      on a machine with a GPU: runs, checks and times it
//! tile-bench scan --ptx folder      the same for scans
//! ```

mod clock;
mod copy;
mod copy_row;
mod measure;
mod programs;
mod scan;
mod scan_row;
mod scans;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use tile_run::complain;

#[derive(Parser)]
#[command(name = "tile-bench", version, about = "Measures the compiler's copies on a GPU, next to the driver's own")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write the PTX of all programs into a folder; needs tile-translate, but no GPU.
    Emit {
        /// The folder.
        folder: PathBuf,
        /// The chip of the PTX [default: the one in the programs, sm_90a].
        #[arg(long)]
        chip: Option<String>,
    },
    /// Time each program's copy of 1 GiB next to the driver's copy of the same bytes, and check the result.
    Copy(Common),
    /// Time scans next to the driver's copy of the same bytes, and check the results.
    Scan(scan::ScanBenchOptions),
}

/// The location of the kernels, and the number of runs.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// The folder into which `tile-bench emit` has written the PTX.
    #[arg(long, value_name = "FOLDER")]
    pub ptx: PathBuf,
    /// Also write the results to this file, as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// The GPU, counted from 0.
    #[arg(long, default_value_t = 0)]
    pub device: usize,
    /// Timed runs of each kernel; the median is reported.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Warm-up runs before the timed ones.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub warmups: u32,
    /// Measure only kernels or scans whose names contain this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
}

/// Exit status: 0 all results are right, 1 some are wrong, 2 an error prevented (further) runs.
fn main() -> ExitCode {
    match run(&Arguments::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(task: &Task) -> Result<bool> {
    match task {
        Task::Emit { folder, chip } => programs::emit(folder, chip.as_deref()).map(|()| true),
        Task::Copy(options) => copy::all(options),
        Task::Scan(options) => scan::all(options),
    }
}
