//! The property tests of the crates without MLIR, with more cases and from another seed than the tests draw.

use anyhow::Result;

use crate::setup::Toolchain;
use crate::workspace::{NO_MLIR, PROPERTY_SEED};
use crate::{process, workspace};

/// So many cases for each property, in the release profile.
pub fn run(toolchain: &Toolchain, cases: u64, seed: u64) -> Result<()> {
    let mut command = toolchain.cargo();
    command.args(["test", "--quiet", "--release", "--tests", "--no-fail-fast"]);
    command.args(NO_MLIR.iter().filter(|package| **package != "xtask").flat_map(|package| ["-p", package]));
    command.env("CARGO_TARGET_DIR", workspace::target().join("fuzz/properties"));
    command.env("PROPTEST_CASES", cases.to_string()).env(PROPERTY_SEED, seed.to_string());
    // How many draws may be of no use grows with the cases.
    for rejects in ["PROPTEST_MAX_LOCAL_REJECTS", "PROPTEST_MAX_GLOBAL_REJECTS"] {
        command.env(rejects, u32::MAX.to_string());
    }
    process::run(&mut command)
}
