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

use super::plan::Plan;
use super::problem::Problem;
use crate::problem::refusal::{Decline, Refusal};
use crate::target::Target;

/// A rule that plans a scan or declines it.
pub trait Strategy: Sync {
    /// Its name, by which it can also be forced.
    fn name(&self) -> &'static str;

    /// Strategies of higher priority are tried first.
    fn priority(&self) -> u32;

    /// The plan.
    ///
    /// # Errors
    /// Why this strategy does not take the scan: the first cause found.
    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal>;
}

/// Every strategy, in the order in which they are tried.
pub fn all() -> &'static [&'static dyn Strategy] {
    &[&decoupled::Fallback, &decoupled::Lookback, &independent::ReduceThenScan, &independent::Serial]
}

/// The strategy of that name.
pub fn by_name(name: &str) -> Option<&'static dyn Strategy> {
    all().iter().copied().find(|strategy| strategy.name() == name)
}

/// The plan of the first strategy that takes the scan, its name, and the declines of those tried before.
///
/// # Errors
/// The declines of all strategies that were tried.
pub fn select(problem: &Problem, target: &Target) -> Result<(Plan, &'static str, Vec<Decline>), Vec<Decline>> {
    let mut declines = Vec::new();
    for strategy in all() {
        if problem.requests.strategy.as_deref().is_some_and(|requested| requested != strategy.name()) {
            continue;
        }
        match strategy.plan(problem, target) {
            Ok(plan) => return Ok((plan, strategy.name(), declines)),
            Err(refusal) => declines.push(refusal.by(strategy.name())),
        }
    }
    Err(declines)
}

/// Declines an option that a strategy would have to ignore.
fn not_taken(requests: &[(&str, bool)]) -> Result<(), Refusal> {
    match requests.iter().find(|(_, requested)| *requested) {
        None => Ok(()),
        Some((name, _)) => Err(Refusal::new("option-not-taken", format!("has no use for '{name}'"))),
    }
}
