//! The crates' own tests, with cargo-nextest where it is installed.
//!
//! Crates that know no MLIR run unoptimised, with checked arithmetic. The others run in the release profile, in which
//! the tools are built anyway: a second profile would build MLIR's bindings and all generated C++ again.

use std::process::Command;

use anyhow::Result;

use super::report::Outcome;
use crate::process;
use crate::setup::Toolchain;

/// The workspace's default members, which need no LLVM.
const NO_MLIR: [&str; 4] = ["tile-layout", "tile-plan", "ptx-sim", "xtask"];

/// Unit and integration tests.
pub fn unit(toolchain: &Toolchain) -> Result<Outcome> {
    let nextest = process::which("cargo-nextest").is_some();
    let runner: &[&str] = if nextest {
        &["nextest", "run", "--cargo-quiet", "--no-tests=pass", "--status-level=fail", "--hide-progress-bar"]
    } else {
        &["test", "--quiet", "--lib", "--bins", "--tests"]
    };
    both(toolchain, runner)
}

/// The examples in documentation comments, which nextest does not run.
pub fn doc(toolchain: &Toolchain) -> Result<Outcome> {
    both(toolchain, &["test", "--quiet", "--doc"])
}

/// Runs both groups, each in its profile; the second even when the first fails.
fn both(toolchain: &Toolchain, runner: &[&str]) -> Result<Outcome> {
    let mut checked = toolchain.cargo();
    let first = process::run(checked.args(runner));
    let second = process::run(without(toolchain.cargo().args(runner).args(["--release", "--workspace"]), &NO_MLIR));
    Outcome::done(first.and(second))
}

fn without<'a>(command: &'a mut Command, packages: &[&str]) -> &'a mut Command {
    packages.iter().fold(command, |command, package| command.args(["--exclude", package]))
}
