//! Measures the copies that the compiler makes on a GPU, beside the driver's own.
//!
//! ```text
//! tile-bench emit folder            where LLVM is: prints the programs' PTX
//! tile-bench copy --ptx folder      where a GPU is: runs, checks and times it
//! tile-bench scan --ptx folder      the same with scans
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
#[command(name = "tile-bench", version, about = "Measures the compiler's copies on a GPU, beside the driver's own")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Print the PTX of all programs into a folder; needs tile-translate, and no GPU.
    Emit {
        /// The folder.
        folder: PathBuf,
        /// The chip to print PTX for [default: sm_90a, as the programs say].
        #[arg(long)]
        chip: Option<String>,
    },
    /// Time each program's copy of 1 GiB beside a copy of the same bytes by the driver, and check what it copied.
    Copy(Common),
    /// Time scans beside a copy of the same bytes by the driver, and check what they made.
    Scan(scan::Options),
}

/// Where the kernels are, and how often they run.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// The folder into which `tile-bench emit` has printed the PTX.
    #[arg(long, value_name = "FOLDER")]
    pub ptx: PathBuf,
    /// Also write the results into this file, as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// The GPU, counted from 0.
    #[arg(long, default_value_t = 0)]
    pub device: usize,
    /// Timed runs of each kernel; the median counts.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Runs before those.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub warmups: u32,
    /// Only what has this in its name.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
}

/// Exit status: 0 all copies are right, 1 one is wrong, 2 nothing (more) could be run.
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
