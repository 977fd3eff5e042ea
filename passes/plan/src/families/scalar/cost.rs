//! What a copy element by element costs.

use crate::families::cost::{Cost, Costs};
use crate::families::scalar::plan::{Owner, ScalarCopy};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// An address, a condition, and an access.
const INSTRUCTIONS: i64 = 3;

/// Of an access of a warp, whose lanes may be anywhere.
const WAVEFRONTS: i64 = 8;

impl Costs for ScalarCopy {
    /// Of each element that a thread holds.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Option<Cost>, Refusal> {
        let extents: Vec<i64> = match &self.owner {
            Owner::Distributed(owned) => owned.serial.iter().map(|digit| digit.extent).collect(),
            _ => self.extents.clone(),
        };
        let elements = extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let (instructions, wavefronts) = (elements.saturating_mul(INSTRUCTIONS), elements.saturating_mul(WAVEFRONTS));
        Ok(Some(Cost { instructions, wavefronts }))
    }
}
