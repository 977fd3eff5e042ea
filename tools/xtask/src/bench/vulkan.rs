//! `cargo xtask bench vulkan`: portable scans beside copies, on the first Vulkan device: Mesa's software driver, where there is no
//! other.

use anyhow::Result;

use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::workspace::Profile;

/// Measures both tables, printing as it goes.
pub fn run(toolchain: &Toolchain, runs: u32, faults: &str) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    let mut bench = toolchain.command(build::tool("tile-bench-vulkan"));
    process::run(bench.args(["--runs", &runs.to_string(), "--faults", faults]))
}
