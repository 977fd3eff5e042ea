//! Random whole programs against an oracle that shares no code with the compiler.

use anyhow::Result;

use crate::setup::Toolchain;
use crate::{build, process, workspace};

/// So many programs; those that go wrong are kept in target/fuzz. The tools must be built.
pub fn run(toolchain: &Toolchain, count: u64, seed: u64) -> Result<()> {
    let (count, seed) = (count.to_string(), seed.to_string());
    let mut command = toolchain.command(build::tool("tile-programs"));
    command.args(["--count", &count, "--seed", &seed, "--tables", "--save"]);
    process::run(command.arg(workspace::target().join("fuzz/programs")))
}
