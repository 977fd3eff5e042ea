//! Copies between registers, by moves, selects and shuffles.

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::family::Cost;
use crate::families::registers::lanes::planned;
use crate::families::registers::through;
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::{Target, kernels};

/// Each thread moves what it holds itself, and receives what another lane of its warp holds by `shfl.sync`, where that
/// costs no more than a copy through shared memory.
pub(crate) struct Shuffle {
    /// The variants that would take the two halves of a copy through shared memory.
    pub by: &'static [&'static dyn Variant],
}

const ABOUT: About = About::new(
    "shuffle",
    10,
    PlanKind::Registers,
    "registers to registers, by moves within a thread and shuffles within a warp",
);

/// Whether the caller rules out the `scratch` variant, whatever it costs.
fn is_left_out(problem: &Problem) -> bool {
    problem.allowed.as_ref().is_some_and(|allowed| !allowed.iter().any(|name| name == through::NAME))
}

impl Variant for Shuffle {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        let mut plan = planned(problem, target)?;
        let Some(shuffle) = plan.weighed.shuffle.filter(|cost| *cost != Cost::default()) else {
            return Ok(CopyPlan::Registers(plan));
        };
        kernels::shuffles(target)?;
        plan.weighed.scratch =
            through::cheapest(problem, target, self.by).ok().and_then(|scratch| scratch.weighed.scratch);
        let named = problem.forced.is_some() || is_left_out(problem);
        match plan.weighed.scratch.filter(|scratch| !named && scratch.cycles() < shuffle.cycles()) {
            None => Ok(CopyPlan::Registers(plan)),
            Some(scratch) => {
                let reason = format!("shuffles take a warp {shuffle}; needed no more than scratch takes, {scratch}");
                Err(Refusal::new("scratch-cheaper", reason))
            }
        }
    }
}
