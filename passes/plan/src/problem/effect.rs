//! What becomes of an element of the destination.

use tile_isa::{Red, RedForms};

use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::scope::{Space, Which};

/// What becomes of an element of the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Effect {
    /// It becomes the source's.
    #[default]
    Stored,
    /// It becomes a value; nothing is read, and the source is the destination.
    Filled,
    /// It becomes what the operator makes of it and the source's, atomically.
    Reduced(Red),
}

impl Effect {
    /// Bits that one instruction may write, the most first; all that there are where it is a store. `forms` is
    /// what the chip has of a reduction in the destination's memory.
    pub(crate) fn widths(self, widths: &[u32], forms: impl FnOnce(Red) -> RedForms) -> Vec<u32> {
        match self {
            Effect::Reduced(red) => red.widths(forms(red)),
            Effect::Stored | Effect::Filled => widths.to_vec(),
        }
    }

    /// Does a plan of another effect not do what the problem specifies?
    ///
    /// # Errors
    /// What is requested.
    pub(crate) fn done_by(self, planned: Effect) -> Result<(), Refusal> {
        match self {
            _ if self == planned => Ok(()),
            Effect::Reduced(red) => {
                let reason = format!("the copy reduces by {}; needed one that stores what it reads", red.word());
                Err(Refusal::new("reducing-copy", reason))
            }
            _ => Err(Refusal::new("no-fill", "a tile is filled; needed a copy")),
        }
    }
}

/// Only memory that threads share is reduced into.
pub(crate) fn check_effect(problem: &Problem) -> Result<(), Refusal> {
    match (problem.effect, problem.dst.space) {
        (Effect::Reduced(_), space @ (Space::Local | Space::Tmem)) => {
            let reason = format!("a copy that reduces goes to {space} memory; needed global or shared");
            Err(Refusal::of(Which::Dst, "reducing-copy", reason))
        }
        _ => Ok(()),
    }
}
