//! `cargo xtask crates`: packs the crates that stand without LLVM as a registry would receive them, and builds each from its package.

use anyhow::Result;

use crate::process;

/// Dependencies come before what uses them.
const CRATES: [&str; 7] = ["tile-layout", "tile-isa", "tile-plan", "tile-cli", "ptx-sim", "layout-tool", "tile-run"];

/// Packs and builds the crates; nothing is published.
pub fn check() -> Result<()> {
    let mut publish = process::command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    publish.args(["publish", "--dry-run", "--quiet"]);
    process::run(publish.args(CRATES.iter().flat_map(|name| ["--package", name])))
}
