//! Happens-before, byte by byte.
//!
//! Every thread carries a vector clock; memory carries the last write and the reads since then ("shadow"). Two accesses
//! of the same bytes race when one writes, neither happens before the other, and they are not both strong operations
//! whose scopes include each other (PTX ISA 8.7).
//!
//! Lanes of a warp are separate threads but count time together, so that a clock keeps one number for 32 lanes as long
//! as they have the same knowledge. Asynchronous copies are threads, too: their accesses are ordered only before
//! threads that have waited for them, whether or not the data have already arrived.

mod alike;
mod cell;
mod clock;
mod know;
mod map_order;
mod overflow;
mod record;
mod release;
mod scopes;
mod shadow;
mod spin;
mod stale;
mod trace;

pub(crate) use alike::Alike;
pub(crate) use clock::Clock;
pub(crate) use know::{Groups, Know};
pub(crate) use map_order::MapOrder;
pub(crate) use overflow::Overflow;
pub(crate) use record::{Accessor, Conflict, MapFence, Strength, UNFINISHED};
pub(crate) use release::{Locations, Releases};
pub(crate) use scopes::inclusive;
pub(crate) use shadow::Shadow;
pub(crate) use spin::Spin;
pub(crate) use stale::{MAX_STALE_READS, Overwritten, StaleValues};
pub(crate) use trace::{CopyKind, Event, Hub, Note, Originator, REGISTERS, SHARED, TENSOR, Threads, Touch, Trace};

/// A warp of threads, or of the asynchronous agents that act for them, as clocks count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Agents {
    /// The block, numbered cluster by cluster.
    pub(crate) block: u32,
    /// The warp inside the block; agents come after the warps (see [`Agent`]).
    pub(crate) warp: u16,
}

/// The agent that performs an access for a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    /// The thread itself.
    Thread,
    /// `cp.async`.
    Copy,
    /// The reads of a bulk copy that belongs to a group.
    BulkRead,
    /// The writes of such a copy.
    BulkWrite,
    /// `tcgen05.st`.
    TmemStore,
    /// `tcgen05.cp`.
    TmemCopy,
    /// `tcgen05.mma`.
    TensorProduct,
    /// `wgmma.mma_async`.
    Product,
    /// Copies that an mbarrier counts: 32 barriers form a "warp".
    Barrier,
}

impl Agent {
    const ALL: [Self; 9] = [
        Self::Thread,
        Self::Copy,
        Self::BulkRead,
        Self::BulkWrite,
        Self::TmemStore,
        Self::TmemCopy,
        Self::TensorProduct,
        Self::Product,
        Self::Barrier,
    ];

    /// The number of `warp`'s agents in a block of `warps` warps.
    pub(crate) fn warp(self, warp: u32, warps: u32) -> u16 {
        (self as u32 * warps + warp) as u16
    }

    /// Whether it accesses memory through the generic proxy: `cp.async` does, bulk copies and matrix instructions do not
    /// (PTX ISA 8.4).
    pub(crate) fn is_generic(self) -> bool {
        matches!(self, Self::Thread | Self::Copy)
    }

    /// The inverse of [`Agent::warp`]: the agent, and the warp (or group of barriers) for which it acts.
    pub(crate) fn of(number: u16, warps: u32) -> (Self, u32) {
        let kind = (u32::from(number) / warps.max(1)).min(Self::ALL.len() as u32 - 1);
        (Self::ALL[kind as usize], u32::from(number) - kind * warps)
    }
}
