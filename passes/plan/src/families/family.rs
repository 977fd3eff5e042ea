//! What a family is: a kind of memory access with a plan of its own.

use tile_isa::Conversion;

use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::touch::Touched;
use crate::touch::enumeration::Enumeration;

/// A kind of memory access with a plan of its own; the plan is what implements this.
pub trait Family {
    /// The name of the variant that made the plan.
    fn variant(&self) -> &'static str;

    /// Is it a plan that the family's variants make? Plans that were written by hand are read, too.
    ///
    /// # Errors
    /// What was got and what is needed.
    fn verify(&self) -> Result<(), Refusal>;

    /// What the plan makes of an element; `None` for one that moves bytes.
    fn conversion(&self) -> Option<Conversion> {
        None
    }

    /// What becomes of an element of the destination.
    fn effect(&self) -> Effect {
        Effect::Stored
    }

    /// Does the plan leave out what is masked? False for one that copies all of its region.
    fn is_masked(&self) -> bool {
        false
    }
}

/// What a plan touches: another half of a family, beside the plan itself.
pub trait Touches {
    /// What it touches, by what, and what completes that.
    ///
    /// # Errors
    /// What is not followed.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, String>;
}
