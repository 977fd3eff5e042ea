//! The cheapest copy through shared memory.

use tile_layout::{Iter, Layout, counted};

use crate::convert;
use crate::families::choose::choose;
use crate::families::family::Cost;
use crate::families::registers::candidates::{candidates, shape};
use crate::families::registers::scratch::{ALIGN_BYTES, MOST_BYTES, ScratchCopy};
use crate::families::registers::steps::CostComparison;
use crate::families::variant::Variant;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::scope::{Role, Scope};
use crate::sides::require::full_scope;
use crate::target::Target;

/// The name of the variant that plans it.
pub(super) const NAME: &str = "scratch";

/// A chip, and the variants that may take the two halves.
type On<'v> = (&'v Target, &'v [&'static dyn Variant]);

/// The plan whose two copies cost least.
///
/// # Errors
/// Why there is none.
pub(super) fn cheapest(
    problem: &Problem,
    target: &Target,
    by: &[&'static dyn Variant],
) -> Result<ScratchCopy, Refusal> {
    check_copy(problem)?;
    convert::on_chip(problem, target)?;
    let instances = instances(problem)?;
    let converts_first = problem.bits_of(Role::Dst) <= problem.bits_of(Role::Src);
    let element_bits = problem.bits_of(Role::Src).min(problem.bits_of(Role::Dst));
    let mut best: Result<ScratchCopy, Refusal> = Err(Refusal::new("scratch-too-large", ""));
    let mut least = i64::MAX;
    for tile in candidates(problem, i64::from(element_bits / 8)) {
        let layout = repeated(tile, instances, element_bits);
        let (shape, conversion) = (shape(&problem.dst), problem.conversion);
        let weighed = CostComparison::default();
        let mut plan = ScratchCopy { instances, shape, layout, element_bits, conversion, converts_first, weighed };
        let bytes = plan.bytes();
        if bytes > MOST_BYTES {
            least = least.min(bytes);
            continue;
        }
        match cost(&plan, problem, (target, by)) {
            Ok(cost) => {
                plan.weighed.scratch = Some(cost);
                let least = |best: &ScratchCopy| best.weighed.scratch.map_or(i64::MAX, Cost::cycles);
                let no_better = |best: &ScratchCopy| least(best) <= cost.cycles();
                if !best.as_ref().is_ok_and(no_better) {
                    best = Ok(plan);
                }
            }
            Err(refusal) if best.is_err() => best = Err(refusal),
            Err(_) => {}
        }
    }
    best.map_err(|refusal| match refusal.reason.is_empty() {
        true => Refusal::new(
            refusal.cause,
            format!("scratch takes at least {}; needed at most {MOST_BYTES}", counted(least, "byte")),
        ),
        false => refusal,
    })
}

/// The number of scopes per block, each of which must be complete.
fn instances(problem: &Problem) -> Result<i64, Refusal> {
    let threads = &problem.threads;
    if threads.scope == Scope::Thread {
        return Err(Refusal::new("scope-has-no-warps", "got thread scope; needed a scope of several threads"));
    }
    let count = full_scope(problem)?;
    let block = threads.block.ok_or_else(|| {
        let reason = format!("each {} needs scratch of its own; got a block of unknown size", threads.scope);
        Refusal::new("block-size-unknown", reason)
    })?;
    Ok((block + count - 1) / count)
}

/// One tile for each scope, each starting at a line, or at a period of its swizzle.
fn repeated(tile: Layout, instances: i64, bits: u32) -> Layout {
    if instances == 1 {
        return tile;
    }
    let line = (ALIGN_BYTES * 8 / i64::from(bits)).max(tile.swizzle.map_or(1, |swizzle| swizzle.period()));
    let span = tile.memory_span();
    let stride = span.saturating_add(line - 1) / line * line;
    let shard = [vec![Iter::memory(instances, stride)], tile.shard].concat();
    Layout { shard, ..tile }
}

/// The cost per warp of both copies and the two barriers.
fn cost(plan: &ScratchCopy, problem: &Problem, on: On<'_>) -> Result<Cost, Refusal> {
    let barriers = Cost { instructions: 2, wavefronts: 0 };
    plan.halves(problem).iter().try_fold(barriers, |cost, half| Ok(cost.and(of_half(half, on)?)))
}

fn of_half(half: &Problem, (target, by): On<'_>) -> Result<Cost, Refusal> {
    let not_reached = |reason: String| Refusal::new("scratch-not-reached", reason);
    let (planned, _) = choose(by, half, target).map_err(|error| {
        let reason = error.to_string().replace("\n  ", "; ");
        not_reached(format!("to or from shared memory: {reason}"))
    })?;
    planned.cost(half, target)?.ok_or_else(|| not_reached(format!("the cost of {} is not known", planned.variant())))
}
