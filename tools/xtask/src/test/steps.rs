//! The steps: lints, the build, the crates' tests, with cargo-nextest if it is installed, documentation, lit and random attacks.
//!
//! Unit tests are built in the profile given by [`UNITS`]. The programs in `tests/` call the libraries that are
//! shipped, which are already built: a second profile would build MLIR's bindings and all generated C++ again.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use crate::setup::{self, Toolchain};
use crate::workspace::{PROPERTY_SEED, Profile, UNITS};
use crate::{build, docs, house, install, lit, process, web};

/// A step of a test run.
pub struct Step {
    /// Its name in the summary.
    pub name: &'static str,
    /// What it is left out with.
    pub group: Group,
    /// Earlier steps that have to succeed before it starts.
    pub needs: &'static [&'static str],
    /// The folder below cargo's target folder in which it builds: cargo lets one command at a time build there.
    pub folder: Option<&'static str>,
    /// What it takes that is not installed, if anything.
    pub missing: fn(&Toolchain) -> Option<&'static str>,
    /// Runs it. The output goes to the terminal.
    pub run: fn(&Toolchain) -> Result<()>,
}

/// What a step is left out with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Formatting and lints.
    Lint,
    /// The build, and the tests.
    Test,
    /// What the website's job makes: pages for browsers, and the crates' documentation.
    Site,
    /// Random attacks.
    Attack,
    /// A part of another step, for runs that leave that out.
    Fast,
}

/// All steps. Those that may start at the same time start in this order, so what takes long, or what others need, comes first.
pub const STEPS: [Step; 16] = [
    lint("rustfmt", rustfmt),
    Step { missing: lacks_clang_format, ..lint("clang-format", clang_format) },
    lint("house", |_| house::check_record()),
    Step { missing: lacks_deny, ..lint("cargo-deny", deny) },
    Step { folder: RELEASE, ..test("build", &[], built) },
    Step { group: Group::Site, folder: Some("web"), missing: lacks_web, ..test("web modules", &[], web::build) },
    Step {
        group: Group::Site,
        missing: lacks_web,
        ..test("web pages", &["build", "web modules"], |toolchain| web::write(toolchain).map(drop))
    },
    Step { folder: Some("debug"), ..test("debug tests", &[], debug_tests) },
    test("lit", &["build", "web pages"], |toolchain| lit::run(toolchain, &[])),
    Step { group: Group::Fast, ..test("lit of passes", &["build"], lit_of_passes) },
    Step { folder: RELEASE, ..test("release tests", &["build"], release_tests) },
    Step { folder: RELEASE, ..test("doc tests", &["build"], doc) },
    Step { folder: RELEASE, ..test("docs/generated", &["build"], docs::check) },
    Step { folder: RELEASE, ..lint("clippy", clippy) },
    Step { group: Group::Site, folder: RELEASE, ..test("rustdoc", &[], rustdoc) },
    Step { group: Group::Attack, ..test("fuzz", &["build"], fuzz) },
];

/// The steps of `--fast` that others run, too: those that find most, for five minutes of two cores.
pub const FAST: [&str; 5] = ["rustfmt", "clang-format", "house", "build", "debug tests"];

/// The tests of `--fast` in lit: what each pass writes and refuses, and a demonstration of each variant, executed.
const FAST_LIT: [&str; 4] = ["test/Dialect", "test/Passes", "test/Seeds", "test/Translate"];

/// Where the tools are built.
const RELEASE: Option<&str> = Some("release");

const fn test(name: &'static str, needs: &'static [&'static str], run: fn(&Toolchain) -> Result<()>) -> Step {
    Step { name, group: Group::Test, needs, folder: None, missing: |_| None, run }
}

const fn lint(name: &'static str, run: fn(&Toolchain) -> Result<()>) -> Step {
    Step { group: Group::Lint, ..test(name, &[], run) }
}

/// `cargo fmt --check` on all crates.
fn rustfmt(toolchain: &Toolchain) -> Result<()> {
    process::run(toolchain.cargo().args(["fmt", "--all", "--check"]))
}

/// Clippy on all crates and their tests; a warning is an error. It runs in the release profile to reuse the build's
/// build scripts and macros. `--all-targets` would check targets without tests a second time, as tests.
fn clippy(toolchain: &Toolchain) -> Result<()> {
    let mut clippy = toolchain.cargo();
    clippy.args(["clippy", "--quiet", "--release", "--workspace", "--lib", "--bins", "--tests", "--examples"]);
    process::run(clippy.args(["--bench", "*", "--", "-D", "warnings"]))
}

/// The documentation of all crates; a warning, such as a broken link, is an error.
fn rustdoc(toolchain: &Toolchain) -> Result<()> {
    let mut doc = toolchain.cargo();
    doc.args(["doc", "--quiet", "--release", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut doc)
}

fn lacks_deny(_: &Toolchain) -> Option<&'static str> {
    process::which("cargo-deny").is_none().then_some("cargo-deny is not installed")
}

/// The licences and sources of the crates that are used (deny.toml).
fn deny(toolchain: &Toolchain) -> Result<()> {
    process::run(toolchain.cargo().args(["deny", "--offline", "check", "bans", "licenses", "sources"]))
}

/// LLVM 22's clang-format; other versions format differently.
fn find_clang_format(toolchain: &Toolchain) -> Option<PathBuf> {
    let clang_format = toolchain.llvm_tool("clang-format");
    if process::is_executable(&clang_format) { Some(clang_format) } else { process::which("clang-format-22") }
}

fn lacks_clang_format(toolchain: &Toolchain) -> Option<&'static str> {
    find_clang_format(toolchain).is_none().then_some("clang-format 22 is not installed")
}

/// The format of the C++ under version control.
fn clang_format(toolchain: &Toolchain) -> Result<()> {
    let program = find_clang_format(toolchain).context("clang-format 22 is not installed")?;
    let listed = process::stdout(process::command("git").args(["ls-files", "*.cpp", "*.h"]))?;
    let mut check = process::command(program);
    check.args(["--dry-run", "-Werror", "--style=file", "--fallback-style=LLVM"]).args(listed.lines());
    process::run(&mut check)
}

/// The tools, and the package of them with which the tests are configured.
fn built(toolchain: &Toolchain) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    install::into(toolchain, &install::default_prefix())
}

fn lacks_web(toolchain: &Toolchain) -> Option<&'static str> {
    (!web::is_possible(toolchain)).then_some("rustc has no standard library for WebAssembly")
}

/// Starts to compile unit tests that need no LLVM, for the time in which packages are installed.
pub fn compile_ahead() -> Option<Child> {
    let mut command = process::command(setup::cargo());
    command.args(["test", "--quiet", "--no-run"]).args(unit_targets(Profile::Debug));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// The tests in the debug profile.
fn debug_tests(toolchain: &Toolchain) -> Result<()> {
    tested([units(toolchain, Profile::Debug), programs(toolchain, Profile::Debug, &["--package", "xtask"])])
}

/// The tests in the release profile.
fn release_tests(toolchain: &Toolchain) -> Result<()> {
    tested([units(toolchain, Profile::Release), programs(toolchain, Profile::Release, &build::PACKAGES)])
}

fn lit_of_passes(toolchain: &Toolchain) -> Result<()> {
    lit::run(toolchain, &FAST_LIT.map(PathBuf::from))
}

/// Runs all of some tests, even after a failure.
fn tested(commands: [Command; 2]) -> Result<()> {
    commands.map(|mut command| process::run(&mut command)).into_iter().collect()
}

/// The unit tests of a profile. They and the test programs have commands of their own, because cargo unifies the features of
/// the packages that one command selects: with these selections no crate is built with features other than the tools'.
fn units(toolchain: &Toolchain, profile: Profile) -> Command {
    let mut command = tests(toolchain, profile);
    command.args(unit_targets(profile));
    command
}

/// What cargo selects the unit tests of a profile by.
fn unit_targets(profile: Profile) -> impl Iterator<Item = &'static str> {
    let packages = UNITS.iter().filter(move |(_, built)| *built == profile);
    ["--lib", "--bins"].into_iter().chain(packages.flat_map(|(package, _)| ["--package", package]))
}

/// The test programs of some packages.
fn programs(toolchain: &Toolchain, profile: Profile, packages: &[&str]) -> Command {
    let mut command = tests(toolchain, profile);
    command.args(["--test", "*"]).args(packages);
    command
}

/// A run of tests. Property tests use a fixed seed, so that a failure is caused by the change under test;
/// `cargo xtask fuzz --properties` uses others.
fn tests(toolchain: &Toolchain, profile: Profile) -> Command {
    let mut command = toolchain.cargo();
    if process::which("cargo-nextest").is_some() {
        command.args(["nextest", "run", "--cargo-quiet", "--no-tests=pass", "--no-fail-fast"]);
        command.args(["--status-level=fail", "--hide-progress-bar"]);
    } else {
        command.args(["test", "--quiet", "--no-fail-fast"]);
    }
    command.args(profile.flag()).env(PROPERTY_SEED, "1");
    command
}

/// The examples in documentation comments, which nextest does not run, with the libraries that the tools are built
/// from. Cargo reports every crate, even those without examples, so only a failure is shown.
fn doc(toolchain: &Toolchain) -> Result<()> {
    let mut doc = toolchain.cargo();
    doc.args(["test", "--quiet", "--doc", "--release"]).args(build::PACKAGES);
    process::output(&mut doc).map(drop)
}

/// Damaged inputs, and programs without their synchronization, the same each time.
fn fuzz(_: &Toolchain) -> Result<()> {
    process::run(process::this_program().args(["fuzz", "--mutate", "1500", "--delete-sync", "8"]))
}
