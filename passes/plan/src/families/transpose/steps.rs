//! The steps of a copy by blocks.

use tile_isa::Scope;
use tile_layout::Axis;

use super::blocks::Blocks;
use super::cost::CostCounter;
use super::parts::{RegionParts, most_bytes, too_large};
use super::tile::tile_layout;
use super::{ABOUT, StepVariants, Variants};
use crate::choose::choose;
use crate::families::composite::{
    Composite, Endpoint, LineComparison, PlanBuffers, PlanStep, PlanTile, RegionPart, RegisterBuffer, walked_shape,
};
use crate::families::copy_plan::CopyPlan;
use crate::families::family::CostComparison;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;

/// The blocks of a copy, and how they leave.
pub(super) struct BlockPlan {
    /// The blocks.
    pub blocks: Blocks,
    /// The parts in which they go through a tile in shared memory; `None` where there is no tile.
    pub parts: Option<RegionParts>,
}

/// What a step copies: from where, to where, and which part of the region; and the variants that may take it.
#[derive(Clone, Copy)]
struct StepEnds {
    from: Endpoint,
    to: Endpoint,
    part: Option<RegionPart>,
    by: Variants,
}

/// The plan of blocks, for each of `instances` scopes of a block, and its costs with those of its tile.
///
/// # Errors
/// `transpose-too-large`; `transpose-not-reached` where no variant takes a step.
pub(super) fn composite(
    problem: &Problem,
    (target, by): (&Target, StepVariants),
    (counter, chosen, instances): (&CostCounter<'_>, &BlockPlan, i64),
    mut costs: LineComparison,
) -> Result<Composite, Refusal> {
    let blocks = &chosen.blocks;
    let shape = walked_shape(problem.operand(Role::Dst)?);
    let registers = registers(problem.threads.scope, &shape, (counter, blocks));
    let into: Vec<Endpoint> =
        [Endpoint::Operand].into_iter().chain((0..registers.len()).map(Endpoint::Registers)).collect();
    let mut buffers = PlanBuffers { tile: None, registers };
    let last = into.last().copied().unwrap_or(Endpoint::Operand);
    let mut ends = ends(&into, by.any);
    if let Some(load) = ends.first_mut().filter(|_| counter.bits.is_realigned(0, blocks.vectors[0])) {
        load.by = by.loads;
    }
    match chosen.parts {
        Some(parts) => {
            let (tile, wavefronts) = tile(problem, target, (counter, blocks, instances), (parts, &shape))?;
            buffers.tile = Some(tile);
            costs.plan.wavefronts = wavefronts;
            let read = counter.read_vector(blocks.held() - parts.count);
            let stores = if counter.bits.is_realigned(1, read) { by.stores } else { by.any };
            ends.extend(parts.each(&shape).into_iter().flat_map(|part| {
                let to_tile = StepEnds { from: last, to: Endpoint::Tile, part, by: by.any };
                [to_tile, StepEnds { from: Endpoint::Tile, to: Endpoint::Operand, part, by: stores }]
            }));
        }
        None => ends.push(StepEnds { from: last, to: Endpoint::Operand, part: None, by: by.any }),
    }
    of_ends(buffers, ends, problem, target, costs)
}

/// The steps from each endpoint to the next.
fn ends(endpoints: &[Endpoint], by: Variants) -> Vec<StepEnds> {
    endpoints.windows(2).map(|pair| StepEnds { from: pair[0], to: pair[1], part: None, by }).collect()
}

/// The plan of blocks that are stored from registers: through each of the register tiles in turn.
///
/// # Errors
/// `transpose-not-reached` where no variant takes a step.
pub(super) fn in_registers(
    registers: Vec<RegisterBuffer>,
    problem: &Problem,
    (target, by): (&Target, Variants),
    costs: LineComparison,
) -> Result<Composite, Refusal> {
    let between = (0..registers.len()).map(Endpoint::Registers);
    let all: Vec<Endpoint> = [Endpoint::Operand].into_iter().chain(between).chain([Endpoint::Operand]).collect();
    of_ends(PlanBuffers { tile: None, registers }, ends(&all, by), problem, target, costs)
}

/// The plan of steps between these ends.
fn of_ends(
    buffers: PlanBuffers,
    ends: Vec<StepEnds>,
    problem: &Problem,
    target: &Target,
    costs: LineComparison,
) -> Result<Composite, Refusal> {
    let steps = ends.into_iter().map(|ends| step(&buffers, ends, problem, target)).collect::<Result<_, _>>()?;
    Ok(Composite { variant: ABOUT.name, buffers, steps, weighed: CostComparison::default(), lines: Some(costs) })
}

/// The registers between the steps: as the source's vectors, and as the destination's where that is another order.
fn registers(scope: Scope, shape: &[i64], (counter, blocks): (&CostCounter<'_>, &Blocks)) -> Vec<RegisterBuffer> {
    let axis = axis_of(scope);
    let sides = if blocks.are_turned(counter.bits) { 0..2 } else { 0..1 };
    let of_side = |side| RegisterBuffer { shape: shape.to_vec(), layout: blocks.layout(counter.bits, side, axis) };
    sides.map(of_side).collect()
}

/// The axis on which the threads of a scope count.
pub(super) fn axis_of(scope: Scope) -> Axis {
    match scope {
        Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        _ => Axis::Tx,
    }
}

/// The tile of each scope, and the wavefronts of all accesses of one.
fn tile(
    problem: &Problem,
    target: &Target,
    (counter, blocks, instances): (&CostCounter<'_>, &Blocks, i64),
    (parts, shape): (RegionParts, &[i64]),
) -> Result<(PlanTile, i64), Refusal> {
    let read = counter.read_vector(blocks.held() - parts.count);
    let (layout, wavefronts) = tile_layout(counter.bits, blocks, (counter.bytes, read, parts.count))
        .map_err(|error| Refusal::new("transpose-not-reached", error.to_string()))?;
    let tile = PlanTile::for_each(instances, parts.shape(shape.to_vec()), layout, problem.element.bits);
    if tile.bytes() > most_bytes(target) {
        Err(too_large(tile.bytes(), target))
    } else {
        Ok((tile, wavefronts << parts.count))
    }
}

/// A step by the first variant that takes it. All threads wait before a tile is read, and before it is written again.
fn step(
    buffers: &PlanBuffers,
    StepEnds { from, to, part, by }: StepEnds,
    problem: &Problem,
    target: &Target,
) -> Result<PlanStep, Refusal> {
    let step_problem = buffers.part((from, to), part, None, problem)?;
    let mut chosen = choose(by, &step_problem, target).map_err(|error| {
        let reason = error.to_string().replace("\n  ", "; ");
        Refusal::new("transpose-not-reached", format!("a step between registers and memory: {reason}"))
    })?;
    chosen.declines.retain(|decline| !decline.is_for_other_spaces());
    if let CopyPlan::Partition(copy) = &mut chosen.plan {
        copy.rotates = from == Endpoint::Tile;
    }
    let barrier = [from, to].contains(&Endpoint::Tile);
    Ok(PlanStep { from, to, part, conversion: None, plan: chosen.plan, declines: chosen.declines, barrier })
}
