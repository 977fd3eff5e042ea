//! Random copies, lowered, executed and compared; those that go wrong are printed, made small.

use anyhow::Result;

use crate::setup::Toolchain;
use crate::{build, process};

/// So many random copies, and as many asynchronous ones. The tools must be built.
pub fn run(toolchain: &Toolchain, count: u64, seed: u64) -> Result<()> {
    let (count, seed) = (count.to_string(), seed.to_string());
    let mut command = toolchain.command(build::tool("tile-conformance"));
    process::run(command.args(["--random", &count, "--random-async", &count, "--seed", &seed]))
}
