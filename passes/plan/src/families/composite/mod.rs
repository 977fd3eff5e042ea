//! Plans made of other plans, carried out one after the other.
//!
//! ```text
//!   parts      rows 13 to 48 of a tile of 16 rows     src ─▶ dst   src ─▶ dst   src ─▶ dst     3, 32 and 1 rows
//!   scratch    registers to other registers           src ─▶ tile │ tile ─▶ dst │              │ a barrier
//!   transpose  rows to columns of global memory       src ─▶ registers ─▶ registers ─▶ tile │ tile ─▶ dst │
//! ```
//!
//! What a composite plan touches and costs follows from its steps: the bytes of the operands that any step touches, the
//! requests of all steps, and their instructions with the barriers between them. A tile that only the steps use is in no footprint; the
//! barriers order its accesses.

mod buffers;
mod lines;

pub use buffers::{Endpoint, MAX_TILE_BYTES, PlanBuffers, PlanTile, RegionPart, RegisterBuffer, TILE_ALIGN_BYTES};
pub(crate) use buffers::{instances, walked_shape};
pub use lines::{LineComparison, LineCost};

use tile_isa::{Conversion, Space};

use crate::families::copy_plan::CopyPlan;
use crate::families::family::{Cost, CostComparison, Costs, Family, Requests, Touches};
use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::{Decline, Refusal};
use crate::problem::role::Role;
use crate::target::Target;
use crate::touch::enumeration::Enumeration;
use crate::touch::{NotFollowed, Touched};
use crate::traffic::NotCounted;
use crate::traffic::request::WarpRequest;

/// A step of a composite plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanStep {
    /// What it reads.
    pub from: Endpoint,
    /// What it writes.
    pub to: Endpoint,
    /// The part of the region that it copies; `None` for all of it, or where the plan itself is of a part.
    pub part: Option<RegionPart>,
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
    /// The buffers between the steps.
    pub buffers: PlanBuffers,
    /// The steps, in order.
    pub steps: Vec<PlanStep>,
    /// The costs by which the plan was chosen between registers; empty where there was no choice.
    pub weighed: CostComparison,
    /// The costs by which it was chosen between places in global memory.
    pub lines: Option<LineComparison>,
}

impl Composite {
    /// Plans for parts of the regions, in the same operands.
    pub(crate) fn of_parts(variant: &'static str, parts: impl IntoIterator<Item = CopyPlan>) -> Self {
        let step = |plan: CopyPlan| PlanStep {
            from: Endpoint::Operand,
            to: Endpoint::Operand,
            part: None,
            conversion: plan.conversion(),
            plan,
            declines: Vec::new(),
            barrier: false,
        };
        let steps = parts.into_iter().map(step).collect();
        Composite { variant, buffers: PlanBuffers::default(), steps, weighed: CostComparison::default(), lines: None }
    }

    /// The problem that a step plans, where `problem` is that of the whole plan.
    ///
    /// # Errors
    /// `operand-missing`.
    pub fn problem_of(&self, step: &PlanStep, problem: &Problem) -> Result<Problem, Refusal> {
        if (step.from, step.to) == (Endpoint::Operand, Endpoint::Operand) {
            return Ok(problem.clone());
        }
        self.buffers.part((step.from, step.to), step.part, step.conversion, problem)
    }
}

impl Family for Composite {
    fn variant(&self) -> &'static str {
        self.variant
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.buffers.verify()?;
        self.steps.iter().try_for_each(|step| step.plan.verify())
    }

    fn conversion(&self) -> Option<Conversion> {
        self.steps.iter().find_map(|step| step.conversion)
    }

    fn effect(&self) -> Effect {
        self.steps.last().map_or(Effect::Stored, |step| step.plan.effect())
    }

    /// Each step that accesses an operand in memory leaves out what a mask says. What the buffers between have there is not used.
    fn is_masked(&self) -> bool {
        let in_memory = |step: &PlanStep, role: Role| {
            let space = step.plan.carried().and_then(|plan| plan.side(role)).map(|side| side.space);
            step.endpoint(role) == Endpoint::Operand && space != Some(Space::Local)
        };
        let accesses = |step: &&PlanStep| Role::ALL.iter().any(|&role| in_memory(step, role));
        let mut accesses = self.steps.iter().filter(accesses).peekable();
        accesses.peek().is_some() && accesses.all(|step| step.plan.is_masked())
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
    /// Those of all steps, also of the tile between them where no operand is asked for alone.
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let is_of_side = |step: &&PlanStep| by.side.is_none_or(|side| step.endpoint(side) == Endpoint::Operand);
        self.steps.iter().filter(is_of_side).try_for_each(|step| {
            let problem = (&self.problem_of(step, by.problem)?, by.target);
            match by.side {
                Some(side) => step.plan.requests_of_side(problem, side, each),
                None => step.plan.requests(problem, by.spaces, each),
            }
        })
    }
}

/// What two steps touch together.
fn both(one: Touched, other: Touched) -> Result<Touched, NotFollowed> {
    if one.engine != other.engine {
        return Err(NotFollowed::Engines(one.engine, other.engine));
    }
    let (mut all, mut more) = (Vec::new(), other.accesses);
    for (role, bytes) in one.accesses {
        let same = more.iter().position(|(known, _)| *known == role).map(|at| more.remove(at).1);
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
