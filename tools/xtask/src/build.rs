//! `cargo xtask build`: one cargo command builds every tool.

use std::path::PathBuf;

use anyhow::Result;

use crate::process;
use crate::setup::Toolchain;
use crate::workspace::{self, Profile};

/// The packages that every command of xtask names. Cargo merges the features of all packages named together, so the
/// same names give the same features, and nothing is built twice. xtask itself is built already.
pub const PACKAGES: [&str; 3] = ["--workspace", "--exclude", "xtask"];

/// Builds all tools and the plugin.
pub fn tools(toolchain: &Toolchain, profile: Profile) -> Result<()> {
    process::run(toolchain.cargo().args(["build", "--quiet"]).args(PACKAGES).args(profile.flag()))
}

/// A built tool.
pub fn tool(name: &str) -> PathBuf {
    workspace::bin(Profile::Release).join(name)
}
