//! Options of copies and scans.

use std::path::PathBuf;

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
