//! Products of `wgmma` that a loop leaves in flight.

use std::collections::HashMap;

use tile_isa::Space;

use super::roles::{Inside, collect};
use crate::sync::{Access, Completion, Effect, Op, Queue, SyncProgram};

/// The products that are in flight when an iteration of a loop ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductsInFlight {
    /// The number of groups that an iteration closes and leaves in flight.
    pub groups: i64,
    /// Whether the iteration has waited for all groups before.
    pub are_all: bool,
}

/// The products of shared memory that an iteration of a loop, the one of this number, leaves in flight; none where it waits for all at
/// last. Those in branches and inner loops are not counted.
pub fn products_in_flight(program: &SyncProgram, number: usize) -> ProductsInFlight {
    let mut inside = HashMap::from([(number, Inside::default())]);
    collect(&program.body, None, &mut Vec::new(), &mut inside);
    let ops: Vec<&Op> = inside[&number].top.iter().map(|&op| &program.ops[op]).collect();
    let after = ops.iter().rposition(|op| waits(op)).map_or(0, |at| at + 1);
    if !ops[after..].iter().any(|op| multiplies(op)) {
        return ProductsInFlight::default();
    }
    let groups = ops[after..].iter().filter(|op| op.effects.contains(&Effect::Commit(Queue::Product))).count() as i64;
    ProductsInFlight { groups, are_all: after > 0 }
}

fn multiplies(op: &Op) -> bool {
    let is_factor = |access: &Access| {
        access.space == Space::Shared && !access.write && access.completion == Completion::Group(Queue::Product)
    };
    op.accesses.iter().any(is_factor)
}

fn waits(op: &Op) -> bool {
    op.effects.iter().any(|effect| matches!(effect, Effect::Wait { queue: Queue::Product, pending: 0, .. }))
}
