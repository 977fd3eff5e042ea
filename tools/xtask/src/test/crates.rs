//! The crates' own tests, with cargo-nextest where it is installed.
//!
//! Crates that compute run in the debug profile, with checked arithmetic. The others run in the release profile, in which
//! the tools are built anyway: a second profile would build MLIR's bindings and all generated C++ again.

use std::process::Command;

use anyhow::Result;

use super::report::Outcome;
use crate::setup::Toolchain;
use crate::workspace::{CHECKED, PROPERTY_SEED};
use crate::{build, process};

/// Unit and integration tests.
pub fn unit(toolchain: &Toolchain) -> Result<Outcome> {
    let nextest = process::which("cargo-nextest").is_some();
    let runner: &[&str] = if nextest {
        &[
            "nextest",
            "run",
            "--tests",
            "--cargo-quiet",
            "--no-tests=pass",
            "--no-fail-fast",
            "--status-level=fail",
            "--hide-progress-bar",
        ]
    } else {
        &["test", "--quiet", "--tests", "--no-fail-fast"]
    };
    let [checked, optimised] = both(toolchain, runner).map(|mut command| process::run(&mut command));
    Outcome::done(checked.and(optimised))
}

/// The examples in documentation comments, which nextest does not run, with the libraries that the tools are built of. Cargo
/// reports each crate, also one without examples; only a failure is shown.
pub fn doc(toolchain: &Toolchain) -> Result<Outcome> {
    let mut doc = toolchain.cargo();
    doc.args(["test", "--quiet", "--doc", "--release"]).args(build::PACKAGES);
    Outcome::done(process::output(&mut doc).map(drop))
}

/// One command for each group of crates, in its profile. Properties are drawn from one seed, so that a failure is the
/// change's; `cargo xtask fuzz --properties` draws others.
fn both(toolchain: &Toolchain, runner: &[&str]) -> [Command; 2] {
    let mut checked = toolchain.cargo();
    checked.args(runner).args(CHECKED.iter().flat_map(|package| ["--package", package]));
    let mut optimised = toolchain.cargo();
    optimised.args(runner).args(["--release", "--workspace"]);
    optimised.args(CHECKED.iter().flat_map(|package| ["--exclude", package]));
    for command in [&mut checked, &mut optimised] {
        command.env(PROPERTY_SEED, "1");
    }
    [checked, optimised]
}
