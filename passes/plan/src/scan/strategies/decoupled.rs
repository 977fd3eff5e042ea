//! What both one-pass strategies share.

use super::super::plan::{Decoupled, Order, Shape, Wait};
use super::super::problem::Problem;
use super::super::{Ring, State, Tile};
use crate::plan::Refusal;
use crate::target::Target;

/// Threads and bytes of a thread of a tile in registers: 16 KiB, four 16-byte accesses in flight per thread.
const THREADS: i64 = 256;
const THREAD_BYTES: i64 = 64;

/// The ring where chip, arrays and wishes allow it, else registers.
pub(super) fn shape(problem: &Problem, target: &Target, order: Order) -> Result<Shape, Refusal> {
    let wishes = &problem.wishes;
    match wishes.shape.as_deref() {
        Some("ring") => Ok(Shape::Ring(Ring::new(problem, target)?)),
        Some(_) => register(problem, order),
        None => match Ring::new(problem, target) {
            Ok(ring) => Ok(Shape::Ring(ring)),
            Err(_) if wishes.stages.is_none() => register(problem, order),
            Err(refusal) => Err(refusal),
        },
    }
}

fn register(problem: &Problem, order: Order) -> Result<Shape, Refusal> {
    if problem.wishes.stages.is_some() {
        return Err(Refusal::new("stages-without-ring", "a tile in registers has no stages, expected shape \"ring\""));
    }
    let order = match problem.wishes.order.as_deref() {
        Some("ticket") => Order::Ticket,
        Some(_) => Order::BlockId,
        None => order,
    };
    Ok(Shape::Register { tile: Tile::new(problem, THREADS, THREAD_BYTES)?, order })
}

/// The rest of the plan. The ring always brackets in one way; of registers it is asked.
pub(super) fn plan(problem: &Problem, target: &Target, shape: Shape, wait: Wait) -> Decoupled {
    Decoupled {
        shape,
        state: State::new(problem.element, target),
        wait,
        deterministic: problem.wishes.deterministic || matches!(shape, Shape::Ring(_)),
        hooks: problem.hooks,
    }
}
