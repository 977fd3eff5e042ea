//! `cargo xtask bench`: figures of the compiler itself, beside its goals and the reference implementation's.

mod lowering;
mod measure;
mod modules;
mod timing;

use anyhow::Result;

use crate::setup::Toolchain;

/// What to measure.
#[derive(clap::Subcommand)]
pub enum What {
    /// Time and memory of lowering: from file to PTX, a copy in modules of growing size, one plan.
    Lowering {
        /// Runs of the whole process, after a warm-up; the median counts.
        #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
    },
}

/// Measures and prints.
pub fn run(toolchain: &Toolchain, what: &What) -> Result<()> {
    match what {
        What::Lowering { runs } => lowering::run(toolchain, *runs),
    }
}
