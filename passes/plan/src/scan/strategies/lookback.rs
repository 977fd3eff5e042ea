//! One pass on chips whose scheduler lets every resident block make progress.

use super::super::plan::{Order, Plan, Wait};
use super::super::problem::Problem;
use super::{Strategy, decoupled, not_taken};
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// `decoupled_lookback`.
pub(super) struct Lookback;

impl Strategy for Lookback {
    fn name(&self) -> &'static str {
        "decoupled_lookback"
    }

    fn priority(&self) -> u32 {
        20
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        // With a cap it is for tests, and ends.
        if !target.guarantees_progress() && problem.hooks.poll_cap.is_none() {
            let reason = format!("{target} does not promise that a resident block makes progress");
            return Err(Refusal::new("no-forward-progress", reason));
        }
        not_taken(&[("max_spin", problem.requests.max_spin.is_some())])?;
        let shape = decoupled::shape(problem, target, Order::Ticket)?;
        let wait = problem.hooks.poll_cap.map_or(Wait::Forever, |polls| Wait::GiveUp { polls });
        Ok(Plan::Decoupled(decoupled::plan(problem, target, shape, wait)))
    }
}
