//! The strategies of a sort: those of [scans](crate::scan::strategies) whose blocks look back.

use super::plan::{SortPlan, SortTile};
use super::problem::SortProblem;
use super::{Histogram, SortWorkspace};
use crate::choose::{OpWords, Plannable, Rule, SelectError, choose};
use crate::problem::refusal::{Decline, Refusal};
use crate::scan::Wait;
use crate::scan::strategies::waiting::{RING_SPIN, with_fallback, without_fallback};
use crate::target::Target;
use crate::target::engine::REDUX;

/// A rule that plans a sort or declines it.
pub type SortStrategy = dyn Rule<SortProblem>;

impl Plannable for SortProblem {
    type Plan = SortPlan;

    fn op(&self) -> OpWords {
        OpWords { name: "tile.sort", rule: "strategy", rules: "strategies" }
    }

    fn forced(&self) -> Option<&str> {
        self.requests.strategy.as_deref()
    }
}

/// `decoupled_fallback`: a warp counts the digits of a tile whose counts stay missing.
struct SortFallback;

/// `decoupled_lookback`: a thread waits as long as it takes.
struct SortLookback;

impl Rule<SortProblem> for SortFallback {
    fn name(&self) -> &'static str {
        "decoupled_fallback"
    }

    fn priority(&self) -> u32 {
        30
    }

    fn plan(&self, problem: &SortProblem, target: &Target) -> Result<SortPlan, Refusal> {
        // To count a tile takes a warp as long as some hundred polls.
        plan(problem, target, with_fallback(&problem.requests, &problem.hooks, RING_SPIN)?)
    }
}

impl Rule<SortProblem> for SortLookback {
    fn name(&self) -> &'static str {
        "decoupled_lookback"
    }

    fn priority(&self) -> u32 {
        20
    }

    fn plan(&self, problem: &SortProblem, target: &Target) -> Result<SortPlan, Refusal> {
        plan(problem, target, without_fallback(&problem.requests, &problem.hooks, target)?)
    }
}

fn plan(problem: &SortProblem, target: &Target, wait: Wait) -> Result<SortPlan, Refusal> {
    REDUX.check(target, "redux.sync needs")?;
    let workspace = SortWorkspace::new(problem);
    Ok(SortPlan {
        histogram: Histogram::new(problem, target),
        tile: SortTile::new(problem, target)?,
        passes: workspace.passes,
        workspace,
        wait,
        hooks: problem.hooks,
    })
}

/// Every strategy, in the order in which they are tried.
pub fn all() -> &'static [&'static SortStrategy] {
    &[&SortFallback, &SortLookback]
}

/// The plan of the first strategy that takes the sort, its name, and the declines of those tried before.
///
/// # Errors
/// An unknown strategy, or the declines of all that were tried.
pub fn select(problem: &SortProblem, target: &Target) -> Result<(SortPlan, &'static str, Vec<Decline>), SelectError> {
    choose(all(), problem, target).map(|chosen| (chosen.plan, chosen.rule.name(), chosen.declines))
}
