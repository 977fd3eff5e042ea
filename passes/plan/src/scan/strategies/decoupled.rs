//! One pass: blocks publish their sums, and poll those of others. `decoupled_fallback` needs no forward progress of other blocks;
//! `decoupled_lookback` is for chips whose scheduler lets every resident block make progress.

use crate::choose::Rule;
use crate::problem::refusal::Refusal;
use crate::scan::plan::{Decoupled, Order, Plan, ScanShape, SumExchange, Wait};
use crate::scan::problem::Problem;
use crate::scan::strategies::waiting::{REGISTER_SPIN, RING_SPIN, with_fallback, without_fallback};
use crate::scan::{Ring, TileState, workgroup};
use crate::target::Target;

/// `decoupled_fallback`.
pub(super) struct Fallback;

impl Rule<Problem> for Fallback {
    fn name(&self) -> &'static str {
        "decoupled_fallback"
    }

    fn priority(&self) -> u32 {
        30
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        let shape = shape(problem, target, Order::BlockId)?;
        let usual = if matches!(shape, ScanShape::Ring(_)) { RING_SPIN } else { REGISTER_SPIN };
        let wait = with_fallback(&problem.requests, &problem.hooks, usual)?;
        Ok(Plan::Decoupled(plan(problem, target, shape, wait)))
    }
}

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
        let wait = without_fallback(&problem.requests, &problem.hooks, target)?;
        let shape = shape(problem, target, Order::Ticket)?;
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
    problem.requests.without_stages()?;
    let order = match problem.requests.order.as_deref() {
        Some("ticket") => Order::Ticket,
        Some(_) => Order::BlockId,
        None => order,
    };
    Ok(ScanShape::Register { tile: workgroup::tile(problem, target, THREADS)?, order })
}

/// The rest of the plan. The ring always associates operands in the same order; tiles in registers do so on request.
fn plan(problem: &Problem, target: &Target, shape: ScanShape, wait: Wait) -> Decoupled {
    let exchange = SumExchange {
        state: TileState::new(problem.element, target),
        wait,
        deterministic: problem.requests.deterministic || matches!(shape, ScanShape::Ring(_)),
        hooks: problem.hooks,
    };
    Decoupled { shape, exchange }
}
