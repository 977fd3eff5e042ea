//! `cargo xtask test`: runs every check, and prints a summary that names those that failed.
//!
//! ```text
//! set-up → formatting, lints → build → cargo tests → documentation → lit
//! ```
//! All steps run even after a failure, so that one run shows everything; only if the build fails do the steps after it
//! not run.

mod report;
mod steps;

use anyhow::{Result, bail};

use crate::workspace::Profile;
use crate::{build, docs, house, install, lit, setup, web};
use report::{Outcome, Report};

/// The checks to leave out.
#[derive(clap::Args)]
pub struct TestOptions {
    /// Leave out formatting and clippy.
    #[arg(long)]
    no_lint: bool,
}

/// Runs all checks; an error names those that failed.
pub fn all(force: bool, options: &TestOptions) -> Result<()> {
    let toolchain = &setup::setup(force)?;
    let mut report = Report::default();
    if options.no_lint {
        report.skip("lints", "--no-lint");
    } else {
        report.step("rustfmt", || steps::rustfmt(toolchain));
        report.step("clang-format", || steps::clang_format(toolchain));
        report.step("clippy", || steps::clippy(toolchain));
        report.step("house", || Outcome::done(house::check_record()));
        report.step("cargo-deny", || steps::deny(toolchain));
    }
    let built = || {
        build::tools(toolchain, Profile::Release)?;
        Outcome::done(install::into(toolchain, &install::default_prefix()))
    };
    if report.step("build", built) {
        report.step("cargo tests", || steps::unit(toolchain));
        report.step("doc tests", || steps::doc(toolchain));
        report.step("rustdoc", || steps::rustdoc(toolchain));
        report.step("docs/generated", || Outcome::done(docs::check(toolchain)));
        let mut page = None;
        report.step("web page", || {
            if !web::is_possible(toolchain) {
                return Ok(Outcome::Skipped("rustc has no standard library for WebAssembly"));
            }
            page = Some(("web", web::write(toolchain)?));
            Ok(Outcome::Ok)
        });
        report.step("lit", || Outcome::done(lit::run_with(toolchain, &[], page.as_slice())));
    }
    println!("\n{report}");
    match report.failed() {
        failed if failed.is_empty() => Ok(()),
        failed => bail!("failed: {}", failed.join(", ")),
    }
}
