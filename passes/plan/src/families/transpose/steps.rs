//! The steps of a copy by blocks.

use tile_isa::Scope;
use tile_layout::{Axis, counted};

use super::ABOUT;
use super::blocks::Blocks;
use super::cost::CostCounter;
use super::tile::tile_layout;
use crate::choose::choose;
use crate::families::composite::{
    Between, Composite, Endpoint, MAX_TILE_BYTES, PlanStep, RegisterTile, Tile, walked_shape,
};
use crate::families::family::CostComparison;
use crate::families::variant::Variant;
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;

/// The blocks of a copy, and how they leave.
pub(super) struct Course {
    /// The blocks.
    pub blocks: Blocks,
    /// Whether they go through a tile in shared memory.
    pub is_through_tile: bool,
}

/// The plan of a course, for each of `instances` scopes of a block.
///
/// # Errors
/// `transpose-too-large`; `transpose-not-reached` where no variant takes a step.
pub(super) fn composite(
    problem: &Problem,
    (target, by): (&Target, &'static [&'static dyn Variant]),
    (counter, course, instances): (&CostCounter<'_>, &Course, i64),
) -> Result<Composite, Refusal> {
    let blocks = &course.blocks;
    let mut between = Between::default();
    let mut places = vec![Endpoint::Operand];
    if problem.mask.is_none() {
        between.registers = registers(problem, counter, blocks)?;
        places.extend((0..between.registers.len()).map(Endpoint::Registers));
    }
    if course.is_through_tile {
        between.tile = Some(tile(problem, target, (counter, blocks, instances))?);
        places.push(Endpoint::Tile);
    }
    places.push(Endpoint::Operand);
    let ways = places.windows(2).map(|ends| (ends[0], ends[1]));
    let steps = ways.map(|way| step(&between, way, problem, (target, by))).collect::<Result<_, _>>()?;
    Ok(Composite { variant: ABOUT.name, between, steps, weighed: CostComparison::default(), lines: None })
}

/// The registers between the steps: as the source's vectors, and as the destination's where that is another order.
fn registers(problem: &Problem, counter: &CostCounter<'_>, blocks: &Blocks) -> Result<Vec<RegisterTile>, Refusal> {
    let axis = match problem.threads.scope {
        Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        _ => Axis::Tx,
    };
    let shape = walked_shape(problem.operand(Role::Dst)?);
    let sides = if blocks.are_turned(counter.bits) { 0..2 } else { 0..1 };
    let of_side = |side| RegisterTile { shape: shape.clone(), layout: blocks.layout(counter.bits, side, axis) };
    Ok(sides.map(of_side).collect())
}

fn tile(
    problem: &Problem,
    target: &Target,
    (counter, blocks, instances): (&CostCounter<'_>, &Blocks, i64),
) -> Result<Tile, Refusal> {
    let most = target.api().map_or(MAX_TILE_BYTES, |api| api.workgroup_bytes.min(MAX_TILE_BYTES));
    let too_large = |bytes: i64| {
        let reason = format!("the tiles of a block take {}; needed {most} at most", counted(bytes, "byte"));
        Refusal::new("transpose-too-large", reason)
    };
    let least = (counter.bytes << counter.bits.count()).saturating_mul(instances);
    if least > most {
        return Err(too_large(least));
    }
    let read = counter.read_vector(blocks.held());
    let layout = tile_layout(counter.bits, blocks, (counter.bytes, read))
        .map_err(|error| Refusal::new("transpose-not-reached", error.to_string()))?;
    let shape = walked_shape(problem.operand(Role::Dst)?);
    let tile = Tile::for_each(instances, shape, layout, problem.element.bits);
    if tile.bytes() > most { Err(too_large(tile.bytes())) } else { Ok(tile) }
}

/// A step by the first variant that takes it. All threads wait before a tile is read, and before it is written again.
fn step(
    between: &Between,
    (from, to): (Endpoint, Endpoint),
    problem: &Problem,
    (target, by): (&Target, &'static [&'static dyn Variant]),
) -> Result<PlanStep, Refusal> {
    let part = between.part((from, to), None, problem)?;
    let mut chosen = choose(by, &part, target).map_err(|error| {
        let reason = error.to_string().replace("\n  ", "; ");
        Refusal::new("transpose-not-reached", format!("a step between registers and memory: {reason}"))
    })?;
    chosen.declines.retain(|decline| !decline.is_for_other_spaces());
    let barrier = [from, to].contains(&Endpoint::Tile);
    Ok(PlanStep { from, to, conversion: None, plan: chosen.plan, declines: chosen.declines, barrier })
}
