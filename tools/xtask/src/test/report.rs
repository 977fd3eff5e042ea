//! The result and time of each step of a test run.

use std::fmt;
use std::time::Duration;

use super::steps::STEPS;
use crate::table::Table;

/// How a step ended.
pub enum Ending {
    /// It ran and found nothing wrong.
    Ok,
    /// It failed, and its output says why.
    Failed,
    /// It did not run, for this reason.
    Skipped(&'static str),
    /// It did not run, because it needs this step, which did not succeed.
    Lost(&'static str),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Ok => write!(f, "ok"),
            Ending::Failed => write!(f, "FAILED"),
            Ending::Skipped(why) => write!(f, "skipped: {why}"),
            Ending::Lost(needed) => write!(f, "skipped: {needed} did not succeed"),
        }
    }
}

/// The steps that have ended.
#[derive(Default)]
pub struct Report {
    steps: Vec<(&'static str, Ending, Duration)>,
}

impl Report {
    /// Records how a step ended.
    pub fn add(&mut self, name: &'static str, ending: Ending, time: Duration) {
        self.steps.push((name, ending, time));
    }

    /// The names of the steps that failed.
    pub fn failed(&self) -> Vec<&'static str> {
        self.steps.iter().filter(|(_, ending, _)| matches!(ending, Ending::Failed)).map(|(name, ..)| *name).collect()
    }

    /// The first of the steps `needs` that failed, or did not run because of one that failed.
    pub fn lost(&self, needs: &[&'static str]) -> Option<&'static str> {
        let lost = self.steps.iter().filter(|(_, ending, _)| matches!(ending, Ending::Failed | Ending::Lost(_)));
        lost.map(|(name, ..)| *name).find(|name| needs.contains(name))
    }
}

/// A table of the steps, in the order of [`STEPS`], in which they did not end.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&["step", "seconds", "result"]);
        let position = |name: &str| STEPS.iter().position(|step| step.name == name);
        let mut steps: Vec<_> = self.steps.iter().collect();
        steps.sort_by_key(|(name, ..)| position(name));
        for (name, ending, time) in steps {
            table.row(&[(*name).to_owned(), format!("{:.1}", time.as_secs_f64()), ending.to_string()]);
        }
        table.fmt(f)
    }
}
