//! What a variant is: a rule that takes a copy or declines it.

use crate::families::aligned::{Aligned, Kind};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::Target;
use crate::target::engine::Engine;
use tile_isa::Transfer;

/// What is known of a variant without a copy.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// What it is called, also as a forced variant.
    pub name: &'static str,
    /// The benefit of its pattern: variants of higher priority are tried first, ties in the order of the registry.
    pub priority: u32,
    /// Is it tried only when named?
    pub only_when_forced: bool,
    /// The plan that it makes; `None` for one that has others make it.
    pub makes: Option<Kind>,
    /// What a chip must have for it.
    pub engine: Option<&'static Engine>,
    /// Does an mbarrier alone complete what it brings to shared memory?
    pub by_mbarrier: bool,
    /// What it moves, from where to where; a phrase for a table.
    pub moves: &'static str,
}

impl About {
    /// A variant that is tried for every copy, on every chip.
    pub(crate) const fn new(name: &'static str, priority: u32, makes: Kind, moves: &'static str) -> Self {
        About { name, priority, only_when_forced: false, makes: Some(makes), engine: None, by_mbarrier: false, moves }
    }

    /// The same for chips with an engine.
    pub(crate) const fn on(self, engine: &'static Engine) -> Self {
        About { engine: Some(engine), ..self }
    }

    /// The same of one that an mbarrier alone completes in shared memory.
    pub(crate) const fn by_mbarrier(self) -> Self {
        About { by_mbarrier: true, ..self }
    }
}

/// A way to do a copy.
pub trait Variant: Sync {
    /// Its name, its priority, and what it moves.
    fn about(&self) -> &About;

    /// What moves its vectors, where it plans vectors of a partition, for the next stage to choose their width.
    fn transfer(&self) -> Option<Transfer> {
        None
    }

    /// Stage 1 of the plan.
    ///
    /// # Errors
    /// Why this variant does not take the copy. The first cause found is the one that is given.
    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Refusal>;

    /// What it is called, also as a forced variant.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// Variants of higher priority are tried first; ties keep the order of the registry.
    fn priority(&self) -> u32 {
        self.about().priority
    }

    /// Is it tried only when named?
    fn only_when_forced(&self) -> bool {
        self.about().only_when_forced
    }
}
