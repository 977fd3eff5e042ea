//! The steps: formatting and lints; and the crates' tests, with cargo-nextest if it is installed.
//!
//! Unit tests are built in the profile given by [`UNITS`]. The programs in `tests/` call the libraries that are
//! shipped, which are already built: a second profile would build MLIR's bindings and all generated C++ again.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::report::Outcome;
use crate::setup::Toolchain;
use crate::workspace::{PROPERTY_SEED, Profile, UNITS};
use crate::{build, process};

/// `cargo fmt --check` on all crates.
pub fn rustfmt(toolchain: &Toolchain) -> Result<Outcome> {
    Outcome::done(process::run(toolchain.cargo().args(["fmt", "--all", "--check"])))
}

/// Clippy on all crates and their tests; a warning is an error. It runs in the release profile to reuse the build's
/// build scripts and macros. `--all-targets` would check targets without tests a second time, as tests.
pub fn clippy(toolchain: &Toolchain) -> Result<Outcome> {
    let mut clippy = toolchain.cargo();
    clippy.args(["clippy", "--quiet", "--release", "--workspace", "--lib", "--bins", "--tests", "--examples"]);
    clippy.args(["--bench", "*", "--", "-D", "warnings"]);
    Outcome::done(process::run(&mut clippy))
}

/// The documentation of all crates; a warning, such as a broken link, is an error.
pub fn rustdoc(toolchain: &Toolchain) -> Result<Outcome> {
    let mut doc = toolchain.cargo();
    doc.args(["doc", "--quiet", "--release", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    Outcome::done(process::run(&mut doc))
}

/// The licences and sources of the crates that are used (deny.toml).
pub fn deny(toolchain: &Toolchain) -> Result<Outcome> {
    if process::which("cargo-deny").is_none() {
        return Ok(Outcome::Skipped("cargo-deny is not installed"));
    }
    Outcome::done(process::run(toolchain.cargo().args(["deny", "--offline", "check", "bans", "licenses", "sources"])))
}

/// LLVM 22's clang-format on the C++ under version control; other versions format differently.
pub fn clang_format(toolchain: &Toolchain) -> Result<Outcome> {
    let Some(program) = find_clang_format(toolchain) else {
        return Ok(Outcome::Skipped("clang-format 22 is not installed"));
    };
    let listed = process::stdout(process::command("git").args(["ls-files", "*.cpp", "*.h"]))?;
    if listed.is_empty() {
        return Ok(Outcome::Skipped("no C++ files"));
    }
    let mut check = process::command(program);
    check.args(["--dry-run", "-Werror", "--style=file", "--fallback-style=LLVM"]).args(listed.lines());
    Outcome::done(process::run(&mut check))
}

fn find_clang_format(toolchain: &Toolchain) -> Option<PathBuf> {
    let own = toolchain.llvm_tool("clang-format");
    if process::is_executable(&own) { Some(own) } else { process::which("clang-format-22") }
}

/// Unit and integration tests.
pub fn unit(toolchain: &Toolchain) -> Result<Outcome> {
    let nextest = process::which("cargo-nextest").is_some();
    let runner: &[&str] = if nextest {
        &[
            "nextest",
            "run",
            "--cargo-quiet",
            "--no-tests=pass",
            "--no-fail-fast",
            "--status-level=fail",
            "--hide-progress-bar",
        ]
    } else {
        &["test", "--quiet", "--no-fail-fast"]
    };
    let results = commands(toolchain, runner).map(|mut command| process::run(&mut command));
    Outcome::done(results.into_iter().collect())
}

/// The examples in documentation comments, which nextest does not run, with the libraries that the tools are built
/// from. Cargo reports every crate, even those without examples, so only a failure is shown.
pub fn doc(toolchain: &Toolchain) -> Result<Outcome> {
    let mut doc = toolchain.cargo();
    doc.args(["test", "--quiet", "--doc", "--release"]).args(build::PACKAGES);
    Outcome::done(process::output(&mut doc).map(drop))
}

/// The commands for the unit tests of each profile, for xtask's test programs, and for all other test programs. They
/// are separate because cargo unifies the features of the packages that one command selects: with these selections no
/// crate is built with features other than the tools'. Property tests use a fixed seed, so that a failure is caused by
/// the change under test; `cargo xtask fuzz --properties` uses others.
fn commands(toolchain: &Toolchain, runner: &[&str]) -> [Command; 4] {
    let command = |profile: Profile, targets: &[&str]| {
        let mut command = toolchain.cargo();
        command.args(runner).args(profile.flag()).args(targets).env(PROPERTY_SEED, "1");
        command
    };
    let units = |profile: Profile| {
        let packages = UNITS.iter().filter(|(_, built)| *built == profile);
        let mut command = command(profile, &["--lib", "--bins"]);
        command.args(packages.flat_map(|(package, _)| ["--package", package]));
        command
    };
    let programs = |profile: Profile, packages: &[&str]| {
        let mut command = command(profile, &["--test", "*"]);
        command.args(packages);
        command
    };
    [
        units(Profile::Debug),
        programs(Profile::Debug, &["--package", "xtask"]),
        units(Profile::Release),
        programs(Profile::Release, &build::PACKAGES),
    ]
}
