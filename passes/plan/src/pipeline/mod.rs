//! Pipelining of a loop with asynchronous copies, as a ring of stages: copies of later iterations are in flight while
//! one iteration computes.
//!
//! ```text
//!   for k:  copy k ──▶ tile         3 stages:   copy 0, copy 1
//!           read tile                           for k:  wait for copy k, barrier
//!                                                       copy k + 2 ──▶ stage (k + 2) mod 3
//!                                                       read stage k mod 3
//! ```
//!
//! The loop is one of a [`SyncProgram`](crate::sync::SyncProgram). Its asynchronous copies to shared memory are the producers;
//! all other operations of the iteration are the consumer and are not moved. [`roles`] determines which tiles become
//! rings and what completes their copies ([`RingCompletion`]), or what in the program prevents a copy from being issued earlier.
//! [`plan`] determines the number of stages and of pending groups, and [`ring`] the layout of the stages.

mod overlap;
mod products;
mod reads;
mod roles;
mod specialise;

use std::collections::HashMap;

use tile_layout::{Iter, Layout};

pub use overlap::{Serialising, serialising};
pub use products::{ProductsInFlight, products_in_flight};
pub use roles::{RingCompletion, Roles, roles};
pub use specialise::{
    MAX_CONSUMERS, Publication, RoleRegisters, StageRelease, StageUse, published, role_registers, stage_uses,
    tile_registers,
};

/// A request to pipeline a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PipelineRequest {
    /// The loop, by its number.
    pub number: usize,
    /// The number of iterations by which its copies will be issued ahead.
    pub ahead: i64,
    /// Its asynchronous copies to shared memory, by their numbers, in program order.
    pub copies: Vec<usize>,
    /// The bytes of all elements of a tile, by its object.
    pub whole: HashMap<usize, i64>,
}

/// Why a loop is not pipelined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineRefusal {
    /// The cause.
    pub cause: PipelineCause,
    /// The operation at fault, by its number; `None` for the loop itself.
    pub op: Option<usize>,
    /// The other operation involved.
    pub other: Option<usize>,
}

/// The causes that prevent pipelining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PipelineCause {
    /// Nothing is copied asynchronously to shared memory.
    NoCopy,
    /// A copy is in a branch, or in an inner loop.
    NotInEachIteration,
    /// A copy has no asynchronous plan.
    Synchronous,
    /// The loop already waits or closes groups.
    OrderedByHand,
    /// Another operation writes a tile, too.
    AlsoWritten,
    /// An operation outside the loop uses a tile, or memory that may overlap it.
    UsedOutside,
    /// A tile is read before the iteration has written it.
    ReadBefore,
    /// More of a tile is read than the iteration has written.
    ReadBeyond,
    /// An earlier iteration writes the source of a copy.
    SourceWritten,
    /// The loop observes what other blocks publish, which a copy that is issued earlier may miss.
    Acquired,
}

/// The most stages that may be requested: the synchronization check compares this many iterations one by one.
pub const MAX_STAGES: i64 = 8;

/// The plan of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of stages of each tile.
    pub stages: i64,
    /// The number of iterations by which copies are issued ahead, and whose copies come before the loop.
    pub ahead: i64,
    /// The number of groups that may be pending when an iteration starts to read.
    pub pending: i64,
    /// Whether products are in flight when the loop ends.
    pub leaves_products: bool,
    /// The number of groups of products that may be pending at the end of an iteration, if it has to wait for others.
    pub pending_products: Option<i64>,
}

/// The ring of a loop that requests `asked` stages, at least two. A loop with fewer iterations gets only as many stages
/// as iterations. The stage that `products` in flight read is not copied to in the next iteration, unless the ring has only two.
///
/// ```
/// use tile_plan::pipeline::{Plan, ProductsInFlight, plan};
/// let none = Plan { stages: 3, ahead: 2, pending: 1, leaves_products: false, pending_products: None };
/// assert_eq!(plan(3, None, ProductsInFlight::default()), none);
/// assert_eq!(plan(4, Some(2), ProductsInFlight::default()), Plan { stages: 2, ahead: 1, pending: 0, ..none });
/// let one = ProductsInFlight { groups: 1, are_all: false };
/// let kept = Plan { stages: 4, ahead: 2, pending: 1, leaves_products: true, pending_products: Some(1) };
/// assert_eq!(plan(4, None, one), kept);
/// assert_eq!(plan(4, None, ProductsInFlight { are_all: true, ..one }), Plan { pending_products: None, ..kept });
/// assert_eq!(plan(2, None, one), Plan { stages: 2, ahead: 1, pending: 0, pending_products: Some(0), ..kept });
/// ```
pub fn plan(asked: i64, trips: Option<i64>, products: ProductsInFlight) -> Plan {
    let stages = trips.map_or(asked, |trips| asked.min(trips)).max(2);
    let leaves_products = products.groups > 0;
    let kept = i64::from(leaves_products && stages > 2);
    let ahead = stages - 1 - kept;
    let pending_products = (leaves_products && !(products.are_all && kept > 0)).then_some(kept * products.groups);
    // Before iteration k reads, the groups of k + 1 to k + ahead - 1 have been closed after its own.
    Plan { stages, ahead, pending: ahead - 1, leaves_products, pending_products }
}

/// The number of iterations, out of `trips`, that use a stage of a ring.
///
/// ```
/// assert_eq!([0, 1, 2].map(|stage| tile_plan::pipeline::uses(7, 3, stage)), [3, 2, 2]);
/// ```
pub fn uses(trips: i64, stages: i64, stage: i64) -> i64 {
    (trips + stages - 1 - stage).max(0) / stages
}

/// The number of stages of `bytes` each that fit into `limit` bytes beside `others` bytes.
///
/// ```
/// assert_eq!(tile_plan::pipeline::max_stages(32 << 10, 4 << 10, 100 << 10), 3);
/// ```
pub fn max_stages(bytes: i64, others: i64, limit: i64) -> i64 {
    limit.saturating_sub(others).max(0) / bytes.max(1)
}

/// The layout of `stages` consecutive tiles, as one tile with the stage as its first dimension. Each stage starts at a
/// multiple of `multiple` elements and of the swizzle's period, so that all stages are alike; `None` where the layout
/// is too large.
///
/// ```
/// use tile_layout::{Axis, Iter, Layout};
/// let padded = Layout::new([Iter::memory(16, 33), Iter::memory(32, 1)]);
/// let ring = tile_plan::pipeline::ring(&padded, 3, 4).unwrap();
/// assert_eq!(ring.apply(&[2, 0, 1], &[3, 16, 32]).unwrap()[&Axis::Memory], 2 * 528 + 1);
/// ```
pub fn ring(tile: &Layout, stages: i64, multiple: i64) -> Option<Layout> {
    let multiple = tile.swizzle.map_or(1, |swizzle| swizzle.period()).max(multiple).max(1);
    let distance = tile.memory_span().checked_add(multiple - 1)? / multiple * multiple;
    distance.checked_mul(stages)?;
    let mut ring = tile.clone();
    ring.shard.insert(0, Iter::memory(stages, distance));
    Some(ring)
}
