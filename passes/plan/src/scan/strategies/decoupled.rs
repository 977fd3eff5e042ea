//! What both one-pass strategies share.

use super::super::plan::{Decoupled, Order, Shape, Wait};
use super::super::problem::Problem;
use super::super::{Ring, State, workgroup};
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// Threads of a block that holds its tile in registers. Measured on an H200, int32, in percent of a copy of 2^28: 512 with
/// 32 elements each 61.4, 384 with 24 60.5, 128 or 256 with 32 54.8 and 57.4, 256 with 16 55.8, 256 with 8 38.9. Blocks wait
/// for others while they hold a tile, so it takes many warps, and large tiles, of which few sums are published.
const THREADS: i64 = 512;

/// The ring where chip, arrays and requests allow it, else registers.
pub(super) fn shape(problem: &Problem, target: &Target, order: Order) -> Result<Shape, Refusal> {
    let requests = &problem.requests;
    match requests.shape.as_deref() {
        Some("ring") => Ok(Shape::Ring(Ring::new(problem, target)?)),
        Some(_) => register(problem, target, order),
        None => match Ring::new(problem, target) {
            Ok(ring) => Ok(Shape::Ring(ring)),
            Err(_) if requests.stages.is_none() => register(problem, target, order),
            Err(refusal) => Err(refusal),
        },
    }
}

fn register(problem: &Problem, target: &Target, order: Order) -> Result<Shape, Refusal> {
    if problem.requests.stages.is_some() {
        return Err(Refusal::new("stages-without-ring", "a tile in registers has no stages, expected shape \"ring\""));
    }
    let order = match problem.requests.order.as_deref() {
        Some("ticket") => Order::Ticket,
        Some(_) => Order::BlockId,
        None => order,
    };
    Ok(Shape::Register { tile: workgroup::tile(problem, target, THREADS)?, order })
}

/// The rest of the plan. The ring always brackets in one way; of registers it is asked.
pub(super) fn plan(problem: &Problem, target: &Target, shape: Shape, wait: Wait) -> Decoupled {
    Decoupled {
        shape,
        state: State::new(problem.element, target),
        wait,
        deterministic: problem.requests.deterministic || matches!(shape, Shape::Ring(_)),
        hooks: problem.hooks,
    }
}
