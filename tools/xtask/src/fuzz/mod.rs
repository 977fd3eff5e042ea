//! `cargo xtask fuzz`: attacks that are drawn by number. The same seed gives the same attacks.
//!
//! One module a kind; each builds nothing and ends with an error when it has found something.

mod copies;
mod programs;

use anyhow::Result;

use crate::build;
use crate::setup::Toolchain;
use crate::workspace::Profile;

/// Copies of each kind when no kind is named.
const COPIES: u64 = 20_000;

/// What to draw, and how much of it.
#[derive(clap::Args)]
pub struct Options {
    /// Lower, execute and compare COUNT random copies, and as many asynchronous ones [default: 20000 if no other kind
    /// is named].
    #[arg(long, value_name = "COUNT")]
    copies: Option<u64>,
    /// Compile, execute and compare COUNT random whole programs.
    #[arg(long, value_name = "COUNT")]
    programs: Option<u64>,
    /// Which ones.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Builds the tools, then runs each kind that is named.
///
/// # Errors
/// When a kind has found something, or cannot run.
pub fn run(toolchain: &Toolchain, options: &Options) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    let seed = options.seed;
    let none = options.copies.is_none() && options.programs.is_none();
    if let Some(count) = options.copies.or(none.then_some(COPIES)) {
        copies::run(toolchain, count, seed)?;
    }
    if let Some(count) = options.programs {
        programs::run(toolchain, count, seed)?;
    }
    Ok(())
}
