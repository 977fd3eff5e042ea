//! The trait of a variant, a rule that takes a copy or declines it.

use crate::choose::Rule;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::Target;
use crate::target::engine::Engine;
use tile_isa::Transfer;

/// The properties of a variant that do not depend on a copy.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name, by which it can also be forced.
    pub name: &'static str,
    /// The benefit of its pattern: variants of higher priority are tried first, ties in the order of the registry.
    pub priority: u32,
    /// Whether it is tried only when named.
    pub only_when_forced: bool,
    /// The kind of plan that it makes; `None` for one that delegates to other variants.
    pub makes: Option<PlanKind>,
    /// What a chip must have for it.
    pub engine: Option<&'static Engine>,
    /// Whether only an mbarrier can complete its copies to shared memory.
    pub by_mbarrier: bool,
    /// What it moves, from where to where: a phrase for a table.
    pub moves: &'static str,
}

impl About {
    /// A variant that is tried for every copy, on every chip.
    pub(crate) const fn new(name: &'static str, priority: u32, makes: PlanKind, moves: &'static str) -> Self {
        About { name, priority, only_when_forced: false, makes: Some(makes), engine: None, by_mbarrier: false, moves }
    }

    /// The same variant, restricted to chips with `engine`.
    pub(crate) const fn on(self, engine: &'static Engine) -> Self {
        About { engine: Some(engine), ..self }
    }

    /// The same variant, with copies to shared memory that only an mbarrier can complete.
    pub(crate) const fn by_mbarrier(self) -> Self {
        About { by_mbarrier: true, ..self }
    }
}

/// A rule that plans a copy or declines it.
pub trait Variant: Sync {
    /// The properties that do not depend on a copy: name, priority, what it moves.
    fn about(&self) -> &About;

    /// The instructions that move its vectors, if it plans a partition, whose vector width the next stage chooses.
    fn transfer(&self) -> Option<Transfer> {
        None
    }

    /// Stage 1 of the plan.
    ///
    /// # Errors
    /// Why this variant does not take the copy: the first cause found.
    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal>;
}

impl<V: Variant + ?Sized> Rule<Problem> for V {
    fn name(&self) -> &'static str {
        self.about().name
    }

    fn priority(&self) -> u32 {
        self.about().priority
    }

    fn only_when_forced(&self) -> bool {
        self.about().only_when_forced
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        Variant::plan(self, problem, target)
    }
}
