//! The effect of a copy on the elements of the destination.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tile_isa::{Red, RedForms, Space};

use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// The effect of a copy on an element of the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The source's element replaces it.
    #[default]
    Stored,
    /// A value replaces it; nothing is read.
    Filled,
    /// The operator combines it with the source's element, atomically.
    Reduced(Red),
}

impl Effect {
    /// The widths in bits that one instruction may write, the widest first: all of `widths` for a store. `forms` gives
    /// the forms that the chip has of a reduction in the destination's memory.
    pub(crate) fn widths(self, widths: &[u32], forms: impl FnOnce(Red) -> RedForms) -> Vec<u32> {
        match self {
            Effect::Reduced(red) => red.widths(forms(red)),
            Effect::Stored | Effect::Filled => widths.to_vec(),
        }
    }

    /// Requires a plan to have this effect, the one that the problem specifies.
    ///
    /// # Errors
    /// The effect that is requested.
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

/// Requires a plan to have a source, unless it fills.
pub(crate) fn check_source(reads: bool, effect: Effect) -> Result<(), SourceError> {
    match (reads, effect == Effect::Filled) {
        (false, false) => Err(SourceError::Missing),
        (true, true) => Err(SourceError::Surplus),
        _ => Ok(()),
    }
}

/// A source that does not go with the effect of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SourceError {
    /// A copy without one.
    #[error("got no source, expected one of a copy that does not fill")]
    Missing,
    /// A fill with one.
    #[error("got a source, expected none of a fill, which reads nothing")]
    Surplus,
}

/// Requires reductions to go to memory that threads share.
pub(crate) fn check_effect(problem: &Problem) -> Result<(), Refusal> {
    let Effect::Reduced(_) = problem.effect else { return Ok(()) };
    match problem.operand(Role::Dst)?.space {
        space @ (Space::Local | Space::Tmem) => {
            let reason = format!("a copy that reduces goes to {space} memory; needed global or shared");
            Err(Refusal::of(Role::Dst, "reducing-copy", reason))
        }
        _ => Ok(()),
    }
}
