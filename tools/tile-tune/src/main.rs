//! Times the model's best schedules of the products of a file on a GPU, and records them for `--tile-schedule-products=record=`.
//!
//! ```text
//! tile-tune emit product.mlir folder            on a machine with LLVM: a kernel for each candidate, and a manifest
//! tile-tune check folder                        anywhere: in the simulator, all kernels of a product have the same results
//! tile-tune time folder --record record.json    on a machine with a GPU: checks, times and records them
//! tile-tune run product.mlir --record …         all of it, on a machine with both
//! ```
//!
//! | module | is |
//! | --- | --- |
//! | [`manifest`] | what a folder of candidates has |
//! | [`tools`] | the compiler, as processes |
//! | [`emit`] | the kernels of a file's products |
//! | [`data`] | what is multiplied |
//! | [`results`] | which candidates have the same results |
//! | [`check`] | the simulator |
//! | [`time`] | the GPU |
//! | [`record`] | the file of measured times |
//! | [`error`] | why there are none |

mod check;
mod data;
mod emit;
mod error;
mod manifest;
mod record;
mod results;
mod time;
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};
use error::TuneError;
use tile_run::complain;

#[derive(Parser)]
#[command(
    name = "tile-tune",
    version,
    about = "Times the model's best schedules of products on a GPU, and records them"
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write a kernel for each candidate of each product of a file into a folder; needs LLVM, but no GPU.
    Emit {
        #[command(flatten)]
        options: emit::EmitOptions,
        /// The folder, which is created if it is missing.
        folder: PathBuf,
    },
    /// Run the kernels of a folder in the simulator, and compare their results; needs neither LLVM nor a GPU.
    Check {
        /// The folder.
        folder: PathBuf,
    },
    /// Compare the results of a folder's kernels on a GPU, time and record them; needs no LLVM.
    Time {
        /// The folder.
        folder: PathBuf,
        #[command(flatten)]
        options: time::TimeOptions,
    },
    /// Emit and time; needs LLVM and a GPU.
    Run {
        #[command(flatten)]
        emit: emit::EmitOptions,
        /// The folder, which is created if it is missing.
        #[arg(long, default_value = "tile-tune.out")]
        folder: PathBuf,
        #[command(flatten)]
        time: time::TimeOptions,
    },
}

/// Exit status: 0 all candidates are right, 1 some are not, 2 an error prevented (further) runs.
fn main() -> ExitCode {
    match run(&Arguments::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all candidates are right.
fn run(task: &Task) -> Result<bool, TuneError> {
    match task {
        Task::Emit { options, folder } => emit::all(options, folder),
        Task::Check { folder } => check::all(folder),
        Task::Time { folder, options } => timed(folder, options),
        Task::Run { emit, folder, time } => Ok(emit::all(emit, folder)? & timed(folder, time)?),
    }
}

/// Times a folder. A kernel that fails while it runs takes the process's access to the GPU with it: the others go on in a process of
/// their own.
fn timed(folder: &Path, options: &time::TimeOptions) -> Result<bool, TuneError> {
    match time::all(folder, options) {
        Err(TuneError::Lost { candidate, error }) => {
            complain!("error: {candidate}: {error}; the others go on without it");
            let program = std::env::current_exe().map_err(TuneError::Again)?;
            let mut again = Command::new(program);
            again.arg("time").arg(folder).args(options.words()).arg("--skip").arg(candidate);
            let status = again.status().map_err(TuneError::Again)?;
            // What has failed is wrong, whatever the others are.
            if matches!(status.code(), Some(0 | 1)) { Ok(false) } else { Err(TuneError::Rest) }
        }
        outcome => outcome,
    }
}
