//! One pass: blocks publish their sums, and poll those of others. `decoupled_fallback` needs no forward progress of other blocks;
//! `decoupled_lookback` is for chips whose scheduler lets every resident block make progress.

use crate::choose::Rule;
use crate::problem::refusal::Refusal;
use crate::scan::plan::{Decoupled, Order, Plan, ScanShape, Wait};
use crate::scan::problem::Problem;
use crate::scan::strategies::not_taken;
use crate::scan::{Ring, TileState, workgroup};
use crate::target::Target;

/// `decoupled_fallback`.
pub(super) struct Fallback;

/// Polls without news before a fallback. A tile in registers is polled 4 times within a few microseconds of its loads,
/// and an unnecessary fallback is cheap. Blocks with a ring start together and wait for first tiles, which takes many
/// polls; a block whose sums are still missing after that many is not running.
const REGISTER_SPIN: i64 = 4;
const RING_SPIN: i64 = 256;

impl Rule<Problem> for Fallback {
    fn name(&self) -> &'static str {
        "decoupled_fallback"
    }

    fn priority(&self) -> u32 {
        30
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        not_taken(&[("poll_cap", problem.hooks.poll_cap.is_some())])?;
        let shape = shape(problem, target, Order::BlockId)?;
        let usual = if matches!(shape, ScanShape::Ring(_)) { RING_SPIN } else { REGISTER_SPIN };
        let max_spin = problem.requests.max_spin.unwrap_or(usual);
        if !(1..=MAX_SPIN).contains(&max_spin) {
            let reason = format!("got max_spin {max_spin}, expected 1 to {MAX_SPIN}");
            return Err(Refusal::new("spin-out-of-range", reason));
        }
        Ok(Plan::Decoupled(plan(problem, target, shape, Wait::Fallback { max_spin })))
    }
}

/// The largest `max_spin`: polls are counted in 32 bits.
const MAX_SPIN: i64 = 1 << 30;

/// `decoupled_lookback`.
pub(super) struct Lookback;

impl Rule<Problem> for Lookback {
    fn name(&self) -> &'static str {
        "decoupled_lookback"
    }

    fn priority(&self) -> u32 {
        20
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        // A scan with a poll cap is for tests, and terminates.
        if !target.guarantees_progress() && problem.hooks.poll_cap.is_none() {
            let reason = format!("{target} does not promise that a resident block makes progress");
            return Err(Refusal::new("no-forward-progress", reason));
        }
        not_taken(&[("max_spin", problem.requests.max_spin.is_some())])?;
        let shape = shape(problem, target, Order::Ticket)?;
        let wait = problem.hooks.poll_cap.map_or(Wait::Forever, |polls| Wait::GiveUp { polls });
        Ok(Plan::Decoupled(plan(problem, target, shape, wait)))
    }
}

/// Threads of a block that holds its tile in registers. Measured on an H200, int32, in percent of the speed of a copy
/// of 2^28 elements: 61.4 for 512 threads with 32 elements each, 60.5 for 384 with 24, 54.8 and 57.4 for 128 and 256
/// with 32, 55.8 for 256 with 16, 38.9 for 256 with 8. Blocks wait for others while they hold a tile, so it takes many
/// warps, and large tiles, for which few sums are published.
const THREADS: i64 = 512;

/// The ring, where chip, arrays and requests allow it, else registers.
fn shape(problem: &Problem, target: &Target, order: Order) -> Result<ScanShape, Refusal> {
    let requests = &problem.requests;
    match requests.shape.as_deref() {
        Some("ring") => Ok(ScanShape::Ring(Ring::new(problem, target)?)),
        Some(_) => register(problem, target, order),
        None => match Ring::new(problem, target) {
            Ok(ring) => Ok(ScanShape::Ring(ring)),
            Err(_) if requests.stages.is_none() => register(problem, target, order),
            Err(refusal) => Err(refusal),
        },
    }
}

fn register(problem: &Problem, target: &Target, order: Order) -> Result<ScanShape, Refusal> {
    if problem.requests.stages.is_some() {
        return Err(Refusal::new("stages-without-ring", "a tile in registers has no stages, expected shape \"ring\""));
    }
    let order = match problem.requests.order.as_deref() {
        Some("ticket") => Order::Ticket,
        Some(_) => Order::BlockId,
        None => order,
    };
    Ok(ScanShape::Register { tile: workgroup::tile(problem, target, THREADS)?, order })
}

/// The rest of the plan. The ring always associates operands in the same order; tiles in registers do so on request.
fn plan(problem: &Problem, target: &Target, shape: ScanShape, wait: Wait) -> Decoupled {
    Decoupled {
        shape,
        state: TileState::new(problem.element, target),
        wait,
        deterministic: problem.requests.deterministic || matches!(shape, ScanShape::Ring(_)),
        hooks: problem.hooks,
    }
}
