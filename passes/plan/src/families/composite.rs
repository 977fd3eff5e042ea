//! Plans made of other plans, carried out one after the other.
//!
//! ```text
//!   parts      rows 13 to 48 of a tile of 16 rows     src ─▶ dst   src ─▶ dst   src ─▶ dst     3, 32 and 1 rows
//!   scratch    registers to other registers           src ─▶ tile │ tile ─▶ dst │              │ a barrier
//! ```
//!
//! What a composite plan touches and costs follows from its steps: the bytes of the operands that any step touches, the
//! requests of all steps, and their instructions with the barriers between them. A tile that only the steps use is in no footprint; the
//! barriers order its accesses.

use tile_isa::Conversion;
use tile_layout::Layout;

use crate::families::copy_plan::CopyPlan;
use crate::families::family::{Cost, CostComparison, Costs, Family, Requests, Touches};
use crate::problem::effect::Effect;
use crate::problem::operands::{Operand, Operands};
use crate::problem::refusal::{Decline, Refusal};
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::problem::{Element, Problem};
use crate::target::Target;
use crate::touch::enumeration::Enumeration;
use crate::touch::{NotFollowed, Touched};
use crate::traffic::NotCounted;
use crate::traffic::request::WarpRequest;
use tile_isa::Space;

/// The most bytes of a tile in shared memory that a plan makes for itself: static shared memory of a block.
pub const MAX_TILE_BYTES: i64 = 48 * 1024;

/// The alignment of such a tile, in bytes.
pub const TILE_ALIGN_BYTES: i64 = 128;

/// A tile in shared memory that a plan makes for itself, one for each scope of the block.
///
/// ```text
///   16x8 f32, 4 warps of a block
///     layout   (4, 16, 8) : (192, 12, 1)      rows of 8, 4 more between them
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Scopes per block, each with its own tile.
    pub instances: i64,
    /// The shape of a tile: the extents of the region without units.
    pub shape: Vec<i64>,
    /// The layout of all tiles together, with one more dimension where there are several.
    pub layout: Layout,
    /// Bits of an element.
    pub element_bits: u32,
}

impl Tile {
    /// The shape of all tiles.
    pub fn buffer_shape(&self) -> Vec<i64> {
        let several = (self.instances > 1).then_some(self.instances);
        several.into_iter().chain(self.shape.iter().copied()).collect()
    }

    /// Bytes of shared memory.
    pub fn bytes(&self) -> i64 {
        self.layout.memory_span().saturating_mul(i64::from(self.element_bits / 8))
    }

    /// The tile of one scope as an operand. Its run-time value 0 is the index of the scope in its block.
    pub fn operand(&self) -> Operand {
        let mut tile = Operand::whole(Space::Shared, self.layout.clone(), &self.buffer_shape(), TILE_ALIGN_BYTES);
        if self.instances > 1 {
            tile.begin[0] = Begin::Dynamic { value: 0, divisor: 1, residue: 0 };
            tile.extent[0] = 1;
        }
        tile
    }

    fn verify(&self) -> Result<(), Refusal> {
        let elements = self.buffer_shape().iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let fits = self.layout.validate().is_ok() && self.layout.size() == elements && self.bytes() <= MAX_TILE_BYTES;
        if fits { Ok(()) } else { Err(Refusal::new("malformed-scratch-copy", "the layout is not that of the tiles")) }
    }
}

/// One side of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The operand of the copy on that side.
    Operand,
    /// The tile that the plan makes.
    Tile,
}

/// A step of a composite plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanStep {
    /// What it reads.
    pub from: Endpoint,
    /// What it writes.
    pub to: Endpoint,
    /// Its conversion of an element.
    pub conversion: Option<Conversion>,
    /// Its plan.
    pub plan: CopyPlan,
    /// Why the variants that were tried before declined it.
    pub declines: Vec<Decline>,
    /// Whether all threads of the scope wait for each other after it.
    pub barrier: bool,
}

impl PlanStep {
    /// What the operand of a role is.
    pub fn endpoint(&self, role: Role) -> Endpoint {
        if role == Role::Src { self.from } else { self.to }
    }
}

/// Several plans, carried out one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Composite {
    /// The variant that made it.
    pub variant: &'static str,
    /// The tile between the steps, if they need one.
    pub tile: Option<Tile>,
    /// The steps, in order.
    pub steps: Vec<PlanStep>,
    /// The costs by which the plan was chosen; empty where there was no choice.
    pub weighed: CostComparison,
}

impl Composite {
    /// Plans for parts of the regions, in the same operands.
    pub(crate) fn of_parts(variant: &'static str, parts: impl IntoIterator<Item = CopyPlan>) -> Self {
        let step = |plan: CopyPlan| PlanStep {
            from: Endpoint::Operand,
            to: Endpoint::Operand,
            conversion: plan.conversion(),
            plan,
            declines: Vec::new(),
            barrier: false,
        };
        let steps = parts.into_iter().map(step).collect();
        Composite { variant, tile: None, steps, weighed: CostComparison::default() }
    }

    /// The problem that a step plans, where `problem` is that of the whole plan.
    ///
    /// # Errors
    /// `operand-missing`.
    pub fn problem_of(&self, step: &PlanStep, problem: &Problem) -> Result<Problem, Refusal> {
        match &self.tile {
            Some(tile) => part_through(tile, (step.from, step.to), step.conversion, problem),
            None => Ok(problem.clone()),
        }
    }
}

/// The problem of copying from one endpoint to the other, as a part of `problem`.
///
/// # Errors
/// `operand-missing`.
pub(crate) fn part_through(
    tile: &Tile,
    (from, to): (Endpoint, Endpoint),
    conversion: Option<Conversion>,
    problem: &Problem,
) -> Result<Problem, Refusal> {
    let operand = |endpoint, role| match endpoint {
        Endpoint::Operand => problem.operand(role).cloned(),
        Endpoint::Tile => Ok(tile.operand()),
    };
    let is_converted = problem.conversion.filter(|_| conversion.is_none() && from == Endpoint::Tile);
    let element = is_converted
        .map_or_else(|| problem.element.clone(), |whole| Element::new(problem.bits_of(Role::Dst), whole.to.name()));
    Ok(Problem {
        operands: Operands::copied(operand(from, Role::Src)?, operand(to, Role::Dst)?),
        element,
        conversion,
        forced: None,
        ..problem.clone()
    })
}

impl Family for Composite {
    fn variant(&self) -> &'static str {
        self.variant
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.tile.as_ref().map_or(Ok(()), Tile::verify)?;
        self.steps.iter().try_for_each(|step| step.plan.verify())
    }

    fn conversion(&self) -> Option<Conversion> {
        self.steps.iter().find_map(|step| step.conversion)
    }

    fn effect(&self) -> Effect {
        self.steps.last().map_or(Effect::Stored, |step| step.plan.effect())
    }

    /// A mask limits the operands of the copy, not the tile between two steps.
    fn is_masked(&self) -> bool {
        self.tile.is_none() && self.steps.iter().all(|step| step.plan.is_masked())
    }
}

impl Costs for Composite {
    /// The cost of all steps, and an instruction for each barrier.
    fn cost(&self, problem: &Problem, target: &Target) -> Result<Cost, Refusal> {
        self.steps.iter().try_fold(Cost::default(), |sum, step| {
            let cost = step.plan.cost(&self.problem_of(step, problem)?, target)?;
            let barrier = Cost { instructions: i64::from(step.barrier), wavefronts: 0 };
            Ok(sum.and(cost).and(barrier))
        })
    }
}

impl Touches for Composite {
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let mut all: Option<Touched> = None;
        for step in &self.steps {
            let problem = self.problem_of(step, by.problem)?;
            let mut next = step.plan.touched(&problem, by.target)?;
            next.accesses.retain(|(role, _)| step.endpoint(*role) == Endpoint::Operand);
            all = Some(match all {
                Some(all) => both(all, next)?,
                None => next,
            });
        }
        all.ok_or(NotFollowed::NoSteps)
    }
}

impl Requests for Composite {
    /// Those of all steps, also of the tile between them.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let requests = |step: &PlanStep| step.plan.requests(&self.problem_of(step, by.problem)?, by.target, each);
        self.steps.iter().try_for_each(requests)
    }
}

/// What two steps touch together.
fn both(one: Touched, other: Touched) -> Result<Touched, NotFollowed> {
    if one.engine != other.engine {
        return Err(NotFollowed::Engines(one.engine, other.engine));
    }
    let (mut all, mut more) = (Vec::new(), other.accesses);
    for (role, bytes) in one.accesses {
        let same = more.iter().position(|(of, _)| *of == role).map(|at| more.remove(at).1);
        all.push((
            role,
            match same {
                Some(other) => bytes.union(other),
                None => bytes,
            },
        ));
    }
    Ok(Touched::new(one.engine, all.into_iter().chain(more)))
}
