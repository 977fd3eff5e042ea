//! The strategies of a scan.
//!
//! | strategy | priority | does |
//! | --- | --- | --- |
//! | `decoupled_fallback` | 30 | one pass; a block computes itself the sums that another one does not publish |
//! | `decoupled_lookback` | 20 | one pass; a block waits as long as it takes |
//! | `reduce_then_scan` | 10 | three kernels that wait for nothing |
//! | `serial` | 0 | one thread |

mod decoupled;
mod independent;
pub mod waiting;

use super::plan::Plan;
use super::problem::Problem;
use crate::choose::{OpWords, Plannable, Rule, SelectError, choose};
use crate::problem::refusal::{Decline, Refusal};
use crate::target::Target;

/// A rule that plans a scan or declines it.
pub type Strategy = dyn Rule<Problem>;

impl Plannable for Problem {
    type Plan = Plan;

    fn op(&self) -> OpWords {
        OpWords { name: "tile.scan", rule: "strategy", rules: "strategies" }
    }

    fn forced(&self) -> Option<&str> {
        self.requests.strategy.as_deref()
    }
}

/// Every strategy, in the order in which they are tried.
pub fn all() -> &'static [&'static Strategy] {
    &[&decoupled::Fallback, &decoupled::Lookback, &independent::ReduceThenScan, &independent::Serial]
}

/// The strategy of that name.
pub fn by_name(name: &str) -> Option<&'static Strategy> {
    all().iter().copied().find(|strategy| strategy.name() == name)
}

/// The plan of the first strategy that takes the scan, its name, and the declines of those tried before.
///
/// # Errors
/// An unknown strategy, or the declines of all that were tried.
pub fn select(problem: &Problem, target: &Target) -> Result<(Plan, &'static str, Vec<Decline>), SelectError> {
    choose(all(), problem, target).map(|chosen| (chosen.plan, chosen.rule.name(), chosen.declines))
}

/// Declines an option that a strategy would have to ignore.
fn not_taken(requests: &[(&str, bool)]) -> Result<(), Refusal> {
    match requests.iter().find(|(_, requested)| *requested) {
        None => Ok(()),
        Some((name, _)) => Err(Refusal::new("option-not-taken", format!("has no use for '{name}'"))),
    }
}
