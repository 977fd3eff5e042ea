//! The traits of a family, a kind of memory access with its own type of plan: the plan itself, the memory that it
//! touches, the requests of its warps, and its cost per warp, by which alternative plans of a copy are compared.

use std::fmt;

use serde::{Deserialize, Serialize};
use tile_isa::Conversion;
use tile_layout::counted;

use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::target::Target;
use crate::text::is_default;
use crate::touch::enumeration::Enumeration;
use crate::touch::{NotFollowed, Touched};
use crate::traffic::NotCounted;
use crate::traffic::request::WarpRequest;

/// A kind of memory access with its own type of plan, which implements this trait.
pub trait Family {
    /// The name of the variant that made the plan.
    fn variant(&self) -> &'static str;

    /// Checks that the plan is one that the family's variants make; plans written by hand are read, too.
    ///
    /// # Errors
    /// What was got and what is needed.
    fn verify(&self) -> Result<(), Refusal>;

    /// The conversion of each element; `None` for a plan that moves bytes.
    fn conversion(&self) -> Option<Conversion> {
        None
    }

    /// The effect on an element of the destination.
    fn effect(&self) -> Effect {
        Effect::Stored
    }

    /// Whether the plan combines elements of type `element` of the destination, and by what, where it combines any.
    fn reduces(&self, element: &str) -> Option<PlanReduction> {
        match self.effect() {
            Effect::Reduced(red) => Some(PlanReduction { by: red.word(), fits: red.element() == element }),
            Effect::Stored | Effect::Filled => None,
        }
    }

    /// Whether the plan leaves out masked elements; false for a plan that copies all of its region.
    fn is_masked(&self) -> bool {
        false
    }
}

/// The reduction of a plan, beside elements of some type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanReduction {
    /// The reduction, as diagnostics name it: `add.u32`.
    pub by: &'static str,
    /// Whether it combines elements of that type.
    pub fits: bool,
}

/// The memory that a plan touches: a part of a family that is implemented apart from the plan itself.
pub trait Touches {
    /// The bytes that each thread touches, the engine that accesses them, and what completes the accesses.
    ///
    /// # Errors
    /// What the analysis does not follow.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed>;
}

/// The requests of a plan's warps: a part of a family that is implemented apart from the plan itself.
pub trait Requests {
    /// Passes each access of a memory that is asked for by an instruction of a warp to `each`, of all warps of the block.
    ///
    /// # Errors
    /// Why they are not known; what was passed then is not all.
    fn requests(&self, _by: &Enumeration<'_>, _each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        Err(NotCounted::Engine)
    }
}

/// The cost of a plan: a part of a family that is implemented apart from the plan itself.
///
/// ```
/// use tile_layout::Layout;
/// use tile_isa::{Scope, Space};
/// use tile_plan::families::select;
/// use tile_plan::problem::{Element, Problem};
/// use tile_plan::problem::operands::Operand;
/// use tile_plan::problem::threads::Threads;
/// use tile_plan::target::Target;
///
/// let tile = |space| Operand::whole(space, Layout::row_major(&[32, 32]), &[32, 32], 128);
/// let warp = Threads::all(Scope::Warp, Some(32));
/// let problem = Problem::new(tile(Space::Global), tile(Space::Shared), Element::new(32, "f32"), warp);
/// let target = Target::parse("sm_90a").unwrap();
/// let (plan, _) = select(&problem, &target).unwrap();
/// // 8 loads and 8 stores of 16 bytes a lane; a warp's stores of 512 bytes are served 128 at a time.
/// let cost = plan.cost(&problem, &target).unwrap();
/// assert_eq!(cost.to_string(), "16 instructions, 32 wavefronts");
/// ```
pub trait Costs {
    /// The cost per warp of the plan of `problem`: what the warp issues. What an engine does afterwards by itself, as for
    /// bulk copies, costs the warp nothing.
    ///
    /// # Errors
    /// Why the plan has no instructions, such as vectors that do not fit.
    fn cost(&self, problem: &Problem, target: &Target) -> Result<Cost, Refusal>;
}

/// Schedulers of an SM. Each issues one instruction per cycle; all share one pipe for shuffles and shared memory, which
/// takes one wavefront per cycle. With all schedulers equally busy, a wavefront thus costs a scheduler this many
/// cycles.
const SCHEDULERS: i64 = 4;

/// The instructions that a warp issues, and the share of them that occupies the pipe of shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Loads, stores, selects, shuffles and barriers.
    pub instructions: i64,
    /// Wavefronts of loads, stores and shuffles; a shuffle takes one.
    pub wavefronts: i64,
}

impl Cost {
    /// Issue cycles of a scheduler, when all schedulers have the same work.
    pub fn cycles(self) -> i64 {
        let waits = self.wavefronts.saturating_mul(SCHEDULERS - 1);
        self.instructions.saturating_add(waits)
    }

    /// The sum of two costs.
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

/// The costs of the alternatives between registers, where they were computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostComparison {
    /// The cost of selects and shuffles.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shuffle: Option<Cost>,
    /// The cost of a copy through shared memory.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scratch: Option<Cost>,
}
