//! The cheapest copy through shared memory.

use tile_layout::counted;

use crate::choose::choose;
use crate::convert;
use crate::families::composite::{
    Composite, Endpoint, MAX_TILE_BYTES, PlanBuffers, PlanStep, PlanTile, instances, walked_shape,
};
use crate::families::family::{Cost, CostComparison, Costs};
use crate::families::registers::candidates::candidates;
use crate::families::variant::Variant;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::target::Target;

/// The name of the variant that plans it.
pub(super) const NAME: &str = "scratch";

/// The plan whose two copies cost least.
///
/// # Errors
/// Why there is none.
pub(super) fn cheapest(
    problem: &Problem,
    target: &Target,
    by: &'static [&'static dyn Variant],
) -> Result<Composite, Refusal> {
    check_copy(problem)?;
    convert::on_chip(problem, target)?;
    let instances = instances(problem)?;
    let element_bits = problem.bits_of(Role::Src).min(problem.bits_of(Role::Dst));
    let (src, dst) = problem.sides()?;
    let mut best: Result<(Composite, Cost), Refusal> = Err(Refusal::new("scratch-too-large", ""));
    let mut least = i64::MAX;
    for layout in candidates(src, dst, i64::from(element_bits / 8)) {
        let tile = PlanTile::for_each(instances, walked_shape(dst), layout, element_bits);
        if tile.bytes() > MAX_TILE_BYTES {
            least = least.min(tile.bytes());
            continue;
        }
        match through(tile, problem, (target, by)) {
            Ok((plan, cost)) => {
                if !best.as_ref().is_ok_and(|(_, best)| best.cycles() <= cost.cycles()) {
                    best = Ok((plan, cost));
                }
            }
            Err(refusal) if best.is_err() => best = Err(refusal),
            Err(_) => {}
        }
    }
    best.map(|(plan, _)| plan).map_err(|refusal| match refusal.reason.is_empty() {
        true => Refusal::new(
            refusal.cause,
            format!("scratch takes at least {}; needed at most {MAX_TILE_BYTES}", counted(least, "byte")),
        ),
        false => refusal,
    })
}

/// The plan through a tile, by the first variants that take its two copies, and its cost. Each is followed by a barrier:
/// the second one before the tile is written again. Elements are converted where they become narrower, so that the tile
/// holds the narrower ones.
fn through(
    tile: PlanTile,
    problem: &Problem,
    (target, by): (&Target, &'static [&'static dyn Variant]),
) -> Result<(Composite, Cost), Refusal> {
    let converts_first = problem.bits_of(Role::Dst) <= problem.bits_of(Role::Src);
    let buffers = PlanBuffers::through(tile);
    let step = |from, to, converts: bool| -> Result<PlanStep, Refusal> {
        let conversion = problem.conversion.filter(|_| converts);
        let part = buffers.part((from, to), None, conversion, problem)?;
        let chosen = choose(by, &part, target).map_err(|error| {
            let reason = error.to_string().replace("\n  ", "; ");
            Refusal::new("scratch-not-reached", format!("to or from shared memory: {reason}"))
        })?;
        Ok(PlanStep { from, to, part: None, conversion, plan: chosen.plan, declines: chosen.declines, barrier: true })
    };
    let steps = vec![
        step(Endpoint::Operand, Endpoint::Tile, converts_first)?,
        step(Endpoint::Tile, Endpoint::Operand, !converts_first)?,
    ];
    let mut plan = Composite { variant: NAME, buffers, steps, weighed: CostComparison::default(), lines: None };
    let cost = plan.cost(problem, target)?;
    plan.weighed.scratch = Some(cost);
    Ok((plan, cost))
}
