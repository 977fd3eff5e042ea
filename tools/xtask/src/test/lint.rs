//! Formatting and lints.

use std::path::PathBuf;

use anyhow::Result;

use super::report::Outcome;
use crate::process;
use crate::setup::Toolchain;

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
