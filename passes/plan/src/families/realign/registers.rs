//! Copies between registers and rows of global memory that begin at any element: through a tile in shared memory, of which
//! registers have whole vectors.
//!
//! ```text
//!   global rows ─▶ shared tile      as aligned chunks, or elements of neighbours; outside of a mask the tile is filled
//!   ─── barrier ───
//!   shared tile ─▶ registers        in vectors, by `reg`
//!   ─── barrier ───                 before the tile is written again
//! ```
//!
//! The tile has the rows of global memory, each from a chunk on.

use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout, counted};

use super::FUNNEL_SHIFT;
use super::plan::CHUNK_BYTES;
use crate::choose::choose;
use crate::families::composite::{
    Composite, Endpoint, LineComparison, LineCost, MAX_TILE_BYTES, PlanBuffers, PlanStep, PlanTile, instances,
    walked_shape,
};
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::family::CostComparison;
use crate::families::variant::{About, Variant};
use crate::families::vector::accesses::line_cost;
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::reg::by_registers;
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::region::vector_side;
use crate::sides::require::{between, honoured_hints, unconverted};
use crate::target::Target;

/// Rows of global memory and registers, through shared memory.
pub(crate) struct RealignRegisters {
    /// The variants that may take the two steps.
    pub by: &'static [&'static dyn Variant],
}

pub(crate) const ABOUT: About = About::new(
    "realign_reg",
    10,
    PlanKind::Composite,
    "registers and rows of global memory that begin at any element, through shared memory",
)
.on(&FUNNEL_SHIFT);

/// The widest element: vectors of wider ones take no more than twice the lines of chunks.
const MAX_ELEMENT_BITS: u32 = 16;

/// Rows of so many bytes, or of a multiple, put four or more of eight lanes in the same banks.
const SAME_BANKS_BYTES: i64 = 64;

/// The fewest accesses of a thread for which it pays to wait for others.
const LEAST_ACCESSES: i64 = 8;

/// By what factor the two barriers, and the shared memory, must pay.
const LEAST_GAIN: i64 = 2;

impl Variant for RealignRegisters {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        between(problem, &[(Space::Global, Space::Local), (Space::Local, Space::Global)])?;
        check_copy(problem)?;
        honoured_hints(problem, target, 0)?;
        unconverted(problem)?;
        problem.effect.done_by(Effect::Stored)?;
        let local = if problem.spaces()?.0 == Space::Local { Role::Src } else { Role::Dst };
        let (direct, lane_step) = narrow(problem, target, local)?;
        filled_registers(problem, local)?;
        let instances = instances(problem)?;
        let shape = walked_shape(problem.operand(Role::Dst)?);
        let layout = tile_layout(problem, local.other(), lane_step)?;
        let tile = PlanTile::for_each(instances, shape, layout, problem.element.bits);
        if tile.bytes() > MAX_TILE_BYTES {
            let bytes = counted(tile.bytes(), "byte");
            let reason = format!("the tiles of a block take {bytes}; needed {MAX_TILE_BYTES} at most");
            return Err(Refusal::new("scratch-too-large", reason));
        }
        through(PlanBuffers::through(tile), problem, (target, self.by), direct).map(CopyPlan::Composite)
    }
}

/// The cost of the vectors that registers have of global memory, where these are narrow, and how far the elements of adjacent lanes are
/// apart there.
///
/// # Errors
/// `wide-vectors`, `few-accesses`, and as [`by_registers`].
fn narrow(problem: &Problem, target: &Target, local: Role) -> Result<(LineCost, i64), Refusal> {
    let wide = |bits: u32| {
        let reason = format!("vectors of registers have {bits} bits; needed less than {}", 2 * MAX_ELEMENT_BITS);
        Err(Refusal::new("wide-vectors", reason))
    };
    if problem.element.bits > MAX_ELEMENT_BITS {
        return wide(problem.element.bits);
    }
    let copy: MatchedCopy = by_registers(problem, ABOUT.name, local)?;
    let (vectors, _) = vectorize(&copy, target, problem.max_vector_bits)?;
    let bits = u32::try_from(vectors.access_bits(local.other())).unwrap_or(u32::MAX);
    if bits > MAX_ELEMENT_BITS {
        return wide(bits);
    }
    let direct = line_cost(&vectors, local.other(), target);
    if direct.instructions < LEAST_ACCESSES {
        let reason =
            format!("a thread has {}; needed {LEAST_ACCESSES} or more", counted(direct.instructions, "vector"));
        return Err(Refusal::new("few-accesses", reason));
    }
    let memory = if local == Role::Src { Some(&copy.dst) } else { copy.src.as_ref() };
    let lanes = memory.and_then(|side| side.layout.shard.get(copy.thread_iters.checked_sub(1)?));
    Ok((direct, lanes.map_or(0, |iter| iter.stride.saturating_abs())))
}

/// Requires registers that are all written, by what is read or by a filler.
fn filled_registers(problem: &Problem, local: Role) -> Result<(), Refusal> {
    let keeps = problem.mask.as_ref().is_some_and(|mask| mask.fill.is_none());
    if local == Role::Src || !keeps {
        return Ok(());
    }
    Err(Refusal::of(local, "registers-kept", "registers outside of the mask keep what they have; needed a fill"))
}

/// The rows of global memory, one behind the other, each from a chunk on; in the order of the region. Where the rows of adjacent lanes
/// begin in the same banks, there is a chunk between them.
///
/// # Errors
/// `not-contiguous`: a side without rows.
fn tile_layout(problem: &Problem, global: Role, lane_step: i64) -> Result<Layout, Refusal> {
    let side = vector_side(problem.operand(global)?, global)?;
    let iters: Vec<Iter> = side.layout.shard.iter().flat_map(|&iter| divided(iter, lane_step)).collect();
    // From the fastest on; run-time strides are the slowest.
    let mut order: Vec<usize> = (0..iters.len()).filter(|&at| iters[at].extent != 1).collect();
    order.sort_by_key(|&at| (iters[at].axis != Axis::Memory, iters[at].stride.saturating_abs(), std::cmp::Reverse(at)));
    let mut strides = vec![0; iters.len()];
    let (mut span, mut run) = (1i64, 1i64);
    let chunk = CHUNK_BYTES / problem.element.bytes();
    for at in order {
        let Iter { extent, stride, axis } = iters[at];
        let continues = axis == Axis::Memory && stride == run;
        if run == 1 && !continues {
            let reason = format!("the {global}'s fastest iter is {}; needed a row of stride 1", iters[at]);
            return Err(Refusal::of(global, "not-contiguous", reason));
        }
        if continues && span == run {
            run = run.saturating_mul(extent);
        } else {
            span = span.saturating_add(chunk - 1) / chunk * chunk;
        }
        if axis == Axis::Memory && stride == lane_step && span * problem.element.bytes() % SAME_BANKS_BYTES == 0 {
            span = span.saturating_add(chunk);
        }
        strides[at] = span;
        span = span.saturating_mul(extent);
    }
    let iters: Vec<Iter> = iters.iter().zip(strides).map(|(iter, stride)| Iter::memory(iter.extent, stride)).collect();
    Ok(Layout::new(iters))
}

/// An iter, as two where elements that far apart are in it.
fn divided(iter: Iter, step: i64) -> Vec<Iter> {
    let (inner, rest) = (step.checked_div(iter.stride), step.checked_rem(iter.stride));
    match inner.filter(|&inner| rest == Some(0) && inner > 1 && inner < iter.extent && iter.extent % inner == 0) {
        Some(inner) if iter.axis == Axis::Memory => {
            vec![Iter::memory(iter.extent / inner, step), Iter::memory(inner, iter.stride)]
        }
        _ => vec![iter],
    }
}

/// The plan through the tile, by the first variants that take its two steps.
///
/// # Errors
/// `realign-not-reached` where none does; `reg-cheaper`.
fn through(
    buffers: PlanBuffers,
    problem: &Problem,
    (target, by): (&Target, &'static [&'static dyn Variant]),
    direct: LineCost,
) -> Result<Composite, Refusal> {
    let mut total = LineCost::default();
    let mut step = |from, to| -> Result<PlanStep, Refusal> {
        let part = buffers.part((from, to), None, None, problem)?;
        let mut chosen = choose(by, &part, target).map_err(|error| {
            let reason = error.to_string().replace("\n  ", "; ");
            Refusal::new("realign-not-reached", format!("a step through shared memory: {reason}"))
        })?;
        total = total.and(step_cost(&chosen.plan, &part, target)?);
        chosen.declines.retain(|decline| !decline.is_for_other_spaces());
        let (plan, declines) = (chosen.plan, chosen.declines);
        Ok(PlanStep { from, to, part: None, conversion: None, plan, declines, barrier: true })
    };
    let steps = vec![step(Endpoint::Operand, Endpoint::Tile)?, step(Endpoint::Tile, Endpoint::Operand)?];
    if total.weight().saturating_mul(LEAST_GAIN) > direct.weight() {
        let reason = format!("chunks through shared memory take {total}; needed half of what elements take, {direct}");
        return Err(Refusal::new("reg-cheaper", reason));
    }
    let lines = Some(LineComparison { plan: total, direct });
    Ok(Composite { variant: ABOUT.name, buffers, steps, weighed: CostComparison::default(), lines })
}

/// What the memories serve of a step.
///
/// # Errors
/// `realign-not-reached`: a plan in parts.
fn step_cost(plan: &CopyPlan, problem: &Problem, target: &Target) -> Result<LineCost, Refusal> {
    match plan {
        CopyPlan::Realigned(plan) => Ok(plan.line_cost(target)),
        CopyPlan::Partition(copy) => {
            let (vectors, _) = vectorize(copy, target, problem.max_vector_bits)?;
            Ok(line_cost(&vectors, Role::Src, target).and(line_cost(&vectors, Role::Dst, target)))
        }
        other => Err(Refusal::new("realign-not-reached", format!("a step is a copy by {}", other.variant()))),
    }
}
