//! The steps: formatting and lints; and the crates' own tests, with cargo-nextest where it is installed.
//!
//! Unit tests are built in the profile that [`UNITS`] says. The programs in `tests/` call the libraries that are shipped, which are
//! there already: a second profile would build MLIR's bindings and all generated C++ again.

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

/// Clippy on all crates and their tests; a warning is an error. It runs in the release profile so that it uses the
/// build scripts and macros that the build needs too. `--all-targets` would check once more, as a test, what has no tests.
pub fn clippy(toolchain: &Toolchain) -> Result<Outcome> {
    let mut clippy = toolchain.cargo();
    clippy.args(["clippy", "--quiet", "--release", "--workspace", "--lib", "--bins", "--tests", "--examples"]);
    clippy.args(["--bench", "*", "--", "-D", "warnings"]);
    Outcome::done(process::run(&mut clippy))
}

/// The documentation of all crates; a warning, such as a link that leads nowhere, is an error.
pub fn rustdoc(toolchain: &Toolchain) -> Result<Outcome> {
    let mut doc = toolchain.cargo();
    doc.args(["doc", "--quiet", "--release", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    Outcome::done(process::run(&mut doc))
}

/// Licences and sources of the crates that are used (deny.toml).
pub fn deny(toolchain: &Toolchain) -> Result<Outcome> {
    if process::which("cargo-deny").is_none() {
        return Ok(Outcome::Skipped("cargo-deny is not installed"));
    }
    Outcome::done(process::run(toolchain.cargo().args(["deny", "--offline", "check", "bans", "licenses", "sources"])))
}

/// clang-format of LLVM 22 on the C++ under version control; another version formats differently.
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

/// The examples in documentation comments, which nextest does not run, with the libraries that the tools are built of. Cargo
/// reports each crate, also one without examples; only a failure is shown.
pub fn doc(toolchain: &Toolchain) -> Result<Outcome> {
    let mut doc = toolchain.cargo();
    doc.args(["test", "--quiet", "--doc", "--release"]).args(build::PACKAGES);
    Outcome::done(process::output(&mut doc).map(drop))
}

/// The unit tests of each profile, xtask's programs, and all others. They are apart because cargo merges the features of what one
/// command names: these names build no crate with other features than the tools. Properties are drawn from one seed, so that a
/// failure is the change's; `cargo xtask fuzz --properties` draws others.
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
