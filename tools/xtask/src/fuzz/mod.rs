//! `cargo xtask fuzz`: attacks that are drawn by number. The same seed gives the same attacks.
//!
//! One module a kind; each builds nothing and ends with an error when it has found something.

mod copies;
mod delete_sync;
mod files;
mod mutate;
mod programs;
mod properties;
mod rng;

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
    /// Damage the inputs of all tests COUNT times, and give them to all tools.
    #[arg(long, value_name = "COUNT")]
    mutate: Option<u64>,
    /// Remove each synchronizing instruction of COUNT programs that tests run (all, if there are fewer), and of those of
    /// COUNT random copies, and as many asynchronous ones, and see whether the simulator notices.
    #[arg(long, value_name = "COUNT")]
    delete_sync: Option<u64>,
    /// Draw COUNT cases for each property that the crates without MLIR are tested for.
    #[arg(long, value_name = "COUNT")]
    properties: Option<u64>,
    /// Which ones.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Builds the tools, then runs each kind that is named.
///
/// # Errors
/// When a kind has found something, or cannot run.
pub fn run(toolchain: &Toolchain, options: &Options) -> Result<()> {
    let seed = options.seed;
    if let Some(cases) = options.properties {
        properties::run(toolchain, cases, seed)?;
    }
    let kinds = [options.copies, options.programs, options.mutate, options.delete_sync];
    let none = kinds.iter().all(Option::is_none);
    if none && options.properties.is_some() {
        return Ok(());
    }
    build::tools(toolchain, Profile::Release)?;
    if let Some(count) = options.copies.or(none.then_some(COPIES)) {
        copies::run(toolchain, count, seed)?;
    }
    if let Some(count) = options.programs {
        programs::run(toolchain, count, seed)?;
    }
    if let Some(count) = options.mutate {
        mutate::run(toolchain, count, seed)?;
    }
    if let Some(count) = options.delete_sync {
        delete_sync::run(toolchain, count, seed)?;
    }
    Ok(())
}
