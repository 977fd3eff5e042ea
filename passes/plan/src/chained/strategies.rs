//! The strategies of a pass: those of [scans](crate::scan::strategies) whose blocks publish sums.

use super::plan::{ChainedPlan, ChainedShape};
use super::problem::ChainedProblem;
use crate::choose::{OpWords, Plannable, Rule, SelectError, choose};
use crate::problem::refusal::{Decline, Refusal};
use crate::scan::Order;
use crate::scan::strategies::waiting::{REGISTER_SPIN, RING_SPIN, with_fallback, without_fallback};
use crate::target::Target;

/// A rule that plans a pass or declines it.
pub type ChainedStrategy = dyn Rule<ChainedProblem>;

impl Plannable for ChainedProblem {
    type Plan = ChainedPlan;

    fn op(&self) -> OpWords {
        OpWords { name: "tile.chained", rule: "strategy", rules: "strategies" }
    }

    fn forced(&self) -> Option<&str> {
        self.requests.strategy.as_deref()
    }
}

/// `decoupled_fallback`: a block computes itself the payload that another one does not publish.
struct ChainedFallback;

/// `decoupled_lookback`: a block waits as long as it takes.
struct ChainedLookback;

impl Rule<ChainedProblem> for ChainedFallback {
    fn name(&self) -> &'static str {
        "decoupled_fallback"
    }

    fn priority(&self) -> u32 {
        30
    }

    fn plan(&self, problem: &ChainedProblem, target: &Target) -> Result<ChainedPlan, Refusal> {
        let shape = ChainedShape::new(problem, target, Order::BlockId)?;
        let usual = if matches!(shape, ChainedShape::Ring(_)) { RING_SPIN } else { REGISTER_SPIN };
        let wait = with_fallback(&problem.requests, &problem.hooks, usual)?;
        Ok(ChainedPlan::new(problem, target, (shape, wait)))
    }
}

impl Rule<ChainedProblem> for ChainedLookback {
    fn name(&self) -> &'static str {
        "decoupled_lookback"
    }

    fn priority(&self) -> u32 {
        20
    }

    fn plan(&self, problem: &ChainedProblem, target: &Target) -> Result<ChainedPlan, Refusal> {
        let wait = without_fallback(&problem.requests, &problem.hooks, target)?;
        let shape = ChainedShape::new(problem, target, Order::Ticket)?;
        Ok(ChainedPlan::new(problem, target, (shape, wait)))
    }
}

/// Every strategy, in the order in which they are tried.
pub fn all() -> &'static [&'static ChainedStrategy] {
    &[&ChainedFallback, &ChainedLookback]
}

/// The plan of the first strategy that takes the pass, its name, and the declines of those tried before.
///
/// # Errors
/// An unknown strategy, or the declines of all that were tried.
pub fn select(
    problem: &ChainedProblem,
    target: &Target,
) -> Result<(ChainedPlan, &'static str, Vec<Decline>), SelectError> {
    choose(all(), problem, target).map(|chosen| (chosen.plan, chosen.rule.name(), chosen.declines))
}
