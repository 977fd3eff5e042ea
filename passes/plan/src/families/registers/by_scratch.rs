//! Copies between registers, through shared memory.

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::registers::lanes::{check_spaces, planned};
use crate::families::registers::through::{NAME, cheapest};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::sides::require::unmasked;
use crate::target::Target;

/// A store to shared memory, a barrier, a load, and a barrier before the next store: for any two layouts of registers, at any
/// scope of several threads.
pub(crate) struct Scratch {
    /// The variants that may take the two halves.
    pub by: &'static [&'static dyn Variant],
}

const ABOUT: About = About::new(
    NAME,
    9,
    PlanKind::Composite,
    "registers to registers, through shared memory, by the variants for each half",
);

impl Variant for Scratch {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        check_spaces(problem)?;
        let mut plan = cheapest(problem, target, self.by)?;
        unmasked(problem)?;
        plan.weighed.shuffle = planned(problem, target).ok().and_then(|plan| plan.weighed.shuffle);
        Ok(CopyPlan::Composite(plan))
    }
}
