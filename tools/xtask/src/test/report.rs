//! The result and time of each step of a test run.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::table::Table;

/// The outcome of a step that did not fail.
pub enum Outcome {
    /// It ran and found nothing wrong.
    Ok,
    /// It did not run, for this reason.
    Skipped(&'static str),
}

impl Outcome {
    /// The outcome of a step that either fails or succeeds.
    pub fn done(result: Result<()>) -> Result<Self> {
        result.map(|()| Outcome::Ok)
    }
}

/// The steps so far.
#[derive(Default)]
pub struct Report {
    steps: Vec<Step>,
}

struct Step {
    name: &'static str,
    result: Result<Outcome, String>,
    time: Duration,
}

impl Report {
    /// Runs a step and records its result, printing an error immediately. Returns whether it succeeded.
    pub fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<Outcome>) -> bool {
        println!("\n── {name}");
        let start = Instant::now();
        let result = run().map_err(|error| format!("{error:#}"));
        if let Err(error) = &result {
            println!("failed: {error}");
        }
        let fine = result.is_ok();
        self.steps.push(Step { name, result, time: start.elapsed() });
        fine
    }

    /// Records a step that was left out.
    pub fn skip(&mut self, name: &'static str, why: &'static str) {
        self.steps.push(Step { name, result: Ok(Outcome::Skipped(why)), time: Duration::ZERO });
    }

    /// The names of the steps that failed.
    pub fn failed(&self) -> Vec<&'static str> {
        self.steps.iter().filter(|step| step.result.is_err()).map(|step| step.name).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&["step", "seconds", "result"]);
        for step in &self.steps {
            let result = match &step.result {
                Ok(Outcome::Ok) => "ok".to_owned(),
                Ok(Outcome::Skipped(why)) => format!("skipped: {why}"),
                Err(_) => "FAILED".to_owned(),
            };
            table.row(&[step.name.to_owned(), format!("{:.1}", step.time.as_secs_f64()), result]);
        }
        table.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_and_later_steps_still_count() {
        let mut report = Report::default();
        assert!(!report.step("first", || anyhow::bail!("broken")));
        assert!(report.step("second", || Outcome::done(Ok(()))));
        report.skip("third", "not installed");
        assert_eq!(report.failed(), ["first"]);
        let text = report.to_string();
        let results: Vec<&str> = text.lines().map(|line| line.rsplit("  ").next().unwrap().trim()).collect();
        assert_eq!(results, ["result", "FAILED", "ok", "skipped: not installed"]);
    }
}
