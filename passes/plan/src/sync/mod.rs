//! Which threads touch which bytes, and what orders them.
//!
//! A [`SyncProgram`] describes what a kernel does to memory: its accesses, each with the bytes that each thread touches,
//! and the operations that order them (barriers, groups of asynchronous copies, fences), in sequences, loops and
//! branches. [`check`] finds the pairs of accesses that need an order and have none.
//!
//! A thread *knows* an access if the access happens before everything that the thread does next. Two accesses by
//! different threads are ordered if the second thread knows the first access on every path by which it may have come.
//! Where two paths join, only what is known on both stays known. Iterations of a loop are counted, so that a ring stage
//! that is reused three iterations later is compared with itself three iterations later.
//!
//! ```text
//!   A by thread t ──▶ t knows A ──barrier──▶ all at the barrier know A ──▶ B by thread u   u knows A: ordered
//!   for each access A, along all paths from it: which threads know A?                      (known, flow, walk)
//!   at each later access B: does a thread that does not know A touch a byte that A touches? (footprint, shift, pairs)
//! ```
//!
//! ```
//! use std::rc::Rc;
//! use tile_isa::Space;
//! use tile_plan::problem::threads::ThreadSet;
//! use tile_plan::sync::{
//!     Access, Effect, Finding, Footprint, Item, Needs, Op, Shift, SyncProgram, Threads, check,
//! };
//!
//! let access = |write, turn: i64| Access {
//!     bytes: Some(Rc::new(Footprint::of((0..64).map(|t| (t, 4 * ((t + turn) % 64), 4 * ((t + turn) % 64) + 4))))),
//!     shift: Shift::none(),
//!     ..Access::direct(0, Space::Shared, write)
//! };
//! let block = ThreadSet::range(0, 64);
//! let op = |access, effects| Op { active: block, exact: true, accesses: vec![access], effects };
//! let mut program = SyncProgram { block, ..SyncProgram::default() };
//! program.ops = vec![op(access(true, 0), vec![]), op(access(false, 1), vec![])];
//! program.body = vec![Item::Op(0), Item::Op(1)];
//! let found = check(&program);
//! let [Finding::Conflict(conflict)] = &found[..] else { panic!("{found:?}") };
//! assert_eq!(conflict.needs, Needs::Barrier(Threads::Block));
//! program.ops[0].effects.push(Effect::Barrier);
//! assert!(check(&program).is_empty());
//! ```

mod access;
mod additions;
mod between;
mod carried;
mod cheapest;
mod check;
mod classes;
mod cluster;
mod common;
mod conflicts;
mod cuts;
mod descriptor;
mod edges;
mod finding;
mod flow;
mod footprints;
mod form;
mod groups;
mod insert;
mod interblock;
mod items;
mod known;
mod live;
mod pairs;
mod periodic;
mod places;
mod program;
mod proved;
mod reach;
mod reduce;
mod rings;
mod rounds;
mod runs;
mod set;
mod shift;
mod storage;
mod tensor;
mod tensor_product;
mod totals;
mod unfollowed;
mod walk;

pub use crate::queue::Queue;
pub use crate::touch::enumeration::in_bytes as swizzle_in_bytes;
pub use crate::touch::footprint::{Footprint, Segment};
pub use crate::touch::pitch::strides as assumed_strides;
pub use crate::touch::{
    Arrives, Bytes, Collective, Engine, Move, TENSOR_COLUMN_BYTES, TENSOR_LANE_BYTES, Touched, UnswizzledBytes,
};
pub use access::{Access, Alternative, Completion, Pipe, Through};
pub use carried::{Carried, carried};
pub use cheapest::insert;
pub use check::all_pairs;
pub use descriptor::Descriptor;
pub use edges::{Dependence, Hazard, dependences};
pub use finding::{Conflict, Example, Finding, Needs, Outside, Phase, PhaseFault, Threads};
pub use flow::Flow;
pub use form::{AddressForm, Sources};
pub use items::{Below, Branch, Item, Limit, Taken, When};
pub use known::Observers;
pub use live::SharedBuffer;
pub use periodic::{Loop, Periodic};
pub use places::{Insertion, with};
pub use program::{Act, Cluster, Effect, Mbarrier, Member, Op, RemoteBlock, SyncProgram};
pub use proved::{check, check_some};
pub use reach::Reach;
pub use reduce::redundant;
pub use rounds::{Rounds, Together};
pub use runs::contiguous_runs;
pub use shift::{Apart, End, Shift};
pub use storage::{MemoryPlan, plan_memory};
pub use tensor_product::{TensorProduct, UnsupportedProduct};
pub use unfollowed::UnfollowedCause;
