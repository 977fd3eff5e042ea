//! What a plan touches, as far as order goes: which thread touches which bytes, by what, and what completes it.
//!
//! Each family says it of its plans ([`Touches`](crate::Touches)): its own formulas for addresses are
//! [enumerated](enumeration::Enumeration).

pub mod enumeration;
pub mod footprint;

use std::rc::Rc;

use footprint::Footprint;

/// A thread's asynchronous operations that are waited for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// Those of `cp.async`.
    CpAsync,
    /// Those of `cp.async.bulk`.
    Bulk,
    /// No groups: `tcgen05.wait::ld` waits for all loads from tensor memory.
    TmemLoad,
    /// No groups: `tcgen05.wait::st` waits for all stores to it.
    TmemStore,
    /// No groups: `tcgen05.commit` says which mbarrier waits for all of `tcgen05.cp`.
    TmemCopy,
    /// The products of `wgmma.mma_async`, whose groups are those of a warpgroup.
    Product,
}

/// Bytes of a column of a lane of tensor memory.
pub const TENSOR_COLUMN_BYTES: i64 = 4;

/// From a byte of a lane of tensor memory to that of the next lane: addresses are `lane << 16 | column`.
pub const TENSOR_LANE_BYTES: i64 = TENSOR_COLUMN_BYTES << 16;

impl Queue {
    /// How many there are.
    pub const COUNT: usize = 6;

    /// Is it waited for as a whole, without groups that are closed, by whole warps?
    pub fn is_of_tensor(self) -> bool {
        matches!(self, Queue::TmemLoad | Queue::TmemStore | Queue::TmemCopy)
    }

    /// The most groups that a wait for it may leave in flight.
    pub fn most_pending(self) -> i64 {
        if self == Queue::Product { 7 } else { 64 }
    }

    /// How many warps, one after the other, close its groups and wait for them together; 0 where each thread does so alone.
    pub fn warps(self) -> u32 {
        match self {
            Queue::CpAsync | Queue::Bulk => 0,
            Queue::TmemLoad | Queue::TmemStore | Queue::TmemCopy => 1,
            Queue::Product => 4,
        }
    }
}

/// By what a copy is done, as far as order goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// The groups that its copies are in; `None` for loads and stores, which are done where they are.
    pub queue: Option<Queue>,
    /// Who arrives on the mbarrier that completes it.
    pub arrives: Arrives,
    /// Are its accesses in the asynchronous proxy?
    pub async_proxy: bool,
}

/// Who arrives on the mbarrier of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrives {
    /// Each thread of the copy, when what it issued is done; the arrival releases nothing else.
    Threads,
    /// The thread that issues it, which expects its bytes; the arrival is a release.
    Issuer,
    /// None of those who copy: threads of the block to which it brings the bytes, which expect them.
    Others,
}

impl Engine {
    /// Loads and stores.
    pub const THREADS: Engine = Engine { queue: None, arrives: Arrives::Threads, async_proxy: false };
}

/// What a planned copy touches.
#[derive(Clone, Debug)]
pub struct Touched {
    /// By what.
    pub engine: Engine,
    /// The source and the destination; `None` for one that is no shared or global memory.
    pub sides: [Option<Bytes>; 2],
    /// Of a masked copy: what the other plan touches, that of a region which lies inside. The threads of a scope carry out one
    /// of the two.
    pub inside: Option<Box<Touched>>,
}

/// The bytes of one side, from where the storage begins.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// Who touches which, where the run-time values are 0; `None` where that is too much.
    pub footprint: Option<Rc<Footprint>>,
    /// Do the threads of a warp touch them together?
    pub by_warps: bool,
    /// What run-time values add: `floor(value / div) * bytes` each; `None` where they do otherwise.
    pub moves: Option<Vec<Move>>,
}

/// What one run-time value adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The value, by its number in the operand.
    pub value: usize,
    /// It is divided by that.
    pub div: i64,
    /// Bytes per step.
    pub bytes: i64,
}

impl Touched {
    /// What loads and stores touch on both sides.
    pub(crate) fn by_threads(sides: [Option<Bytes>; 2]) -> Self {
        Touched { engine: Engine::THREADS, sides, inside: None }
    }
}
