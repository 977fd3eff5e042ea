//! `cargo xtask test`: runs every check, and prints a summary that names those that failed.
//!
//! Each step is a process of its own, and two of them run at a time ([`schedule`]): a compilation leaves a core idle while it
//! waits for its largest crate, and lit while it waits for its longest test. All steps run even after a failure, so that one
//! run shows everything; only those that need what has failed do not run.

mod report;
mod schedule;
mod steps;

use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;

use crate::setup::{self, Toolchain};
use report::{Ending, Report};
use steps::{FAST, Group, STEPS, Step};

/// The checks to leave out, or to add.
#[derive(clap::Args)]
pub struct TestOptions {
    /// Run what is worth it before each push: the format, the record of the house, unit tests, and lit of dialect and passes.
    #[arg(long)]
    fast: bool,
    /// Leave out formatting and clippy.
    #[arg(long)]
    no_lint: bool,
    /// Leave out the crates' documentation, and the pages for browsers, which are compiled to WebAssembly.
    #[arg(long)]
    no_site: bool,
    /// Add a few random attacks, always the same.
    #[arg(long)]
    fuzz: bool,
    /// Run this step alone, and none of those that it needs.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(STEPS.map(|step| step.name)))]
    step: Option<String>,
}

impl TestOptions {
    /// Why a step is left out, if it is.
    fn left_out(&self, step: &Step) -> Option<&'static str> {
        match step.group {
            Group::Fast if !self.fast => Some("is part of lit"),
            Group::Fast => None,
            _ if self.fast && !FAST.contains(&step.name) => Some("--fast"),
            Group::Lint if self.no_lint => Some("--no-lint"),
            Group::Site if self.no_site => Some("--no-site"),
            Group::Attack if !self.fuzz => Some("needs --fuzz"),
            _ => None,
        }
    }
}

/// Runs all checks; an error names those that failed.
pub fn all(force: bool, options: &TestOptions) -> Result<()> {
    if let Some(name) = &options.step {
        let step = STEPS.iter().find(|step| step.name == name).context("the step's name was checked")?;
        return (step.run)(&Toolchain::for_tests(force)?);
    }
    let compiling = steps::compile_ahead();
    let toolchain = &setup::setup(force)?;
    // What went wrong shows again in the step that compiles the same.
    compiling.map(|mut compiling| compiling.wait()).transpose()?;
    let mut report = Report::default();
    let mut steps = Vec::new();
    for step in &STEPS {
        match options.left_out(step).or_else(|| (step.missing)(toolchain)) {
            Some(why) => report.add(step.name, Ending::Skipped(why), Duration::ZERO),
            None => steps.push(step),
        }
    }
    schedule::run(&steps, schedule::in_process, &mut report)?;
    println!("\n{report}");
    match report.failed() {
        failed if failed.is_empty() => Ok(()),
        failed => bail!("failed: {}", failed.join(", ")),
    }
}
