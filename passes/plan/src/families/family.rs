//! What a family is: a kind of memory access with a plan of its own, what the plan touches, and what it costs a warp. Two ways
//! to do the same copy are compared by their costs.

use std::fmt;

use tile_isa::Conversion;
use tile_layout::counted;

use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::target::Target;
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

/// What a plan costs: another half of a family, beside the plan itself.
///
/// ```
/// use tile_layout::Layout;
/// use tile_plan::{Element, Operand, Problem, Scope, Space, Target, Threads, select};
///
/// let tile = |space| Operand::whole(space, Layout::row_major(&[32, 32]), &[32, 32], 128);
/// let warp = Threads::all(Scope::Warp, Some(32));
/// let problem = Problem::new(tile(Space::Global), tile(Space::Shared), Element::new(32, "f32"), warp);
/// let target = Target::parse("sm_90a").unwrap();
/// let (plan, _) = select(&problem, &target).unwrap();
/// // 8 loads and 8 stores of 16 bytes a lane; a warp's stores of 512 bytes are served 128 at a time.
/// let cost = plan.cost(&problem, &target).unwrap().unwrap();
/// assert_eq!(cost.to_string(), "16 instructions, 32 wavefronts");
/// ```
pub trait Costs {
    /// What the plan of `problem` costs a warp; `None` for one that is not done by the loads, stores and moves of warps.
    ///
    /// # Errors
    /// Why it has no instructions, such as vectors that do not fit.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Option<Cost>, Refusal> {
        Ok(None)
    }
}

/// Schedulers of an SM, each of which issues an instruction a cycle, for one pipe of shuffles and shared memory, which
/// takes a wavefront a cycle: while one goes through, each scheduler may have issued so many instructions.
const SCHEDULERS: i64 = 4;

/// What a warp issues, and what of it goes through the pipe of shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// Loads, stores, selects, shuffles and barriers.
    pub instructions: i64,
    /// Wavefronts of loads and stores, and shuffles, which are one each.
    pub wavefronts: i64,
}

impl Cost {
    /// Cycles in which a scheduler could issue, when all have the same to do.
    pub fn cycles(self) -> i64 {
        let waits = self.wavefronts.saturating_mul(SCHEDULERS - 1);
        self.instructions.saturating_add(waits)
    }

    /// The sum of two.
    #[must_use]
    pub fn and(self, other: Cost) -> Cost {
        let instructions = self.instructions.saturating_add(other.instructions);
        Cost { instructions, wavefronts: self.wavefronts.saturating_add(other.wavefronts) }
    }
}

impl fmt::Display for Cost {
    /// `12 instructions, 4 wavefronts`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (instructions, wavefronts) =
            (counted(self.instructions, "instruction"), counted(self.wavefronts, "wavefront"));
        write!(f, "{instructions}, {wavefronts}")
    }
}
