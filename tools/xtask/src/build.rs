//! `cargo xtask build`: builds every tool with one cargo command.

use std::path::PathBuf;

use anyhow::Result;

use crate::process;
use crate::setup::Toolchain;
use crate::workspace::{self, Profile};

/// The package selection of every cargo command of xtask. Cargo unifies the features of all packages that are selected
/// together, so the same selection gives the same features, and nothing is built twice. xtask itself is already built.
pub const PACKAGES: [&str; 3] = ["--workspace", "--exclude", "xtask"];

/// Builds all tools and the plugin.
pub fn tools(toolchain: &Toolchain, profile: Profile) -> Result<()> {
    process::run(toolchain.cargo().args(["build", "--quiet"]).args(PACKAGES).args(profile.flag()))
}

/// A built tool.
pub fn tool(name: &str) -> PathBuf {
    workspace::bin(Profile::Release).join(name)
}
