//! Repeats recorded launches, and compares the memory that they leave with that of the simulator, byte for byte.
//!
//! ```text
//! $ tile-replay --device cuda target/gpu/launches
//! random-7-12: argument 1: 2 of 512 bytes differ, the first at 16: got 0x07, expected 0x09
//! 231 launches repeated on NVIDIA H200: 230 alike, 1 not; 4 are for other chips
//! ```

mod recordings;
mod repeat;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use thiserror::Error;

use crate::cuda::CudaError;
use crate::options::Device;
use crate::{complain, say};
use repeat::{Machine, Outcome};

/// Repeats recorded launches, and compares the memory that they leave with that of the simulator, byte for byte.
#[derive(Debug, Parser)]
#[command(name = "tile-replay", version, after_help = AFTER)]
pub struct ReplayOptions {
    /// Recordings (.launch), or folders of them.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    pub paths: Vec<PathBuf>,
    /// Where to run: sim, cuda or cuda:N.
    #[arg(long, default_value = "cuda")]
    pub device: Device,
    /// Write the launches that differ into this folder, with the memory that the device left.
    #[arg(long, value_name = "FOLDER")]
    pub write: Option<PathBuf>,
}

const AFTER: &str = "\
`tile-conformance --random COUNT --chip CHIP --record FOLDER` records random copies; the tests of ptx-sim record the
launches of single instructions in the folder that PTX_SIM_RECORD names.
Bytes that had no value in the simulator are not compared.
Exit status: 0 all that the device can run is alike; 1 something is not; 2 nothing was run.";

/// Why nothing was run.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// A folder or file cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        error: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The error.
        error: std::io::Error,
    },
    /// A file is not a recording.
    #[error("{path}: {error}")]
    Recording {
        /// The file.
        path: PathBuf,
        /// The wrong line.
        error: ptx_sim::RecordingError,
    },
    /// There is no recording.
    #[error("there is no .launch file in {}", .0.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "))]
    None(Vec<PathBuf>),
    /// There is no device.
    #[error(transparent)]
    Cuda(#[from] CudaError),
}

/// The whole program.
pub fn main() -> ExitCode {
    match run(&ReplayOptions::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            complain!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Repeats all launches in turn; returns whether all that the device can run leave the same memory.
fn run(options: &ReplayOptions) -> Result<bool, ReplayError> {
    let files = recordings::find(&options.paths)?;
    let machine = Machine::open(options.device)?;
    let (mut alike, mut differ, mut elsewhere) = (0, 0, 0);
    for (index, file) in files.iter().enumerate() {
        let recording = recordings::read(file)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        match machine.repeat(&recording) {
            Outcome::OtherChip => elsewhere += 1,
            Outcome::Left(left) => match recordings::difference(&recording, &left) {
                None => alike += 1,
                Some(difference) => {
                    differ += 1;
                    say!("{name}: {difference}");
                    if let Some(folder) = &options.write {
                        recordings::write(folder, file, recording, left)?;
                    }
                }
            },
            Outcome::Failed(why) => {
                differ += 1;
                say!("{name}: {why}");
                if machine.lost() {
                    say!("the device is lost, and {} launches were not repeated", files.len() - index - 1);
                    break;
                }
            }
        }
    }
    let repeated = alike + differ;
    say!(
        "{repeated} launches repeated {}: {alike} alike, {differ} not; {elsewhere} are for other chips",
        machine.name()
    );
    Ok(differ == 0 && alike > 0)
}
