//! Accesses and operations of programs whose order is tested.

use std::rc::Rc;

use tile_isa::Space;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, Completion, Effect, Footprint, Op, Shift};

/// An access to shared memory that is complete at once, through the generic proxy, relative to the object's first byte.
/// What differs is set by struct update: `Access { atomic: true, ..access(object, true, bytes) }`.
pub fn access(object: usize, write: bool, bytes: Footprint) -> Access {
    Access { bytes: Some(Rc::new(bytes)), shift: Shift::none(), ..Access::direct(object, Space::Shared, write) }
}

/// The same, by an engine that arrives at an mbarrier when it is complete.
pub fn copied(object: usize, write: bool, bytes: Footprint) -> Access {
    Access { through_async_proxy: true, completion: Completion::Arrival(0), ..access(object, write, bytes) }
}

/// An operation that exactly these threads execute together.
pub fn op(active: ThreadSet, accesses: Vec<Access>, effects: Vec<Effect>) -> Op {
    Op { active, exact: true, accesses, effects }
}
