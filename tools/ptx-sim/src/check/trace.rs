//! The recording of a run for [`History`](crate::History): its accesses, and everything that orders them.
//!
//! Nothing is recorded unless requested; then a list grows with each access of a lane.

use super::record::Accessor;
use super::{Agents, Strength};
use crate::code::Scope;

/// Some lanes of a warp of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threads {
    pub(crate) block: u32,
    pub(crate) warp: u32,
    pub(crate) lanes: u32,
}

/// One round of a barrier, through which threads are ordered without naming each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hub {
    /// A barrier of a block, by its number and round.
    Block { block: u32, id: u32, round: u32 },
    /// The barrier of a cluster. A round includes the knowledge of earlier rounds.
    Cluster { cluster: u32, round: u32 },
    /// One phase of an mbarrier, by the agent that represents it and the agent's time. A phase includes the knowledge
    /// of earlier phases.
    Phase { agents: Agents, lane: u8, time: u32 },
}

impl Hub {
    /// The block whose memory holds the barrier; for a cluster's barrier, its number.
    pub(crate) fn block(self) -> u32 {
        match self {
            Self::Block { block, .. } => block,
            Self::Cluster { cluster, .. } => cluster,
            Self::Phase { agents, .. } => agents.block,
        }
    }
}

/// The kind of a copy, which determines how it is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyKind {
    /// `cp.async`.
    Async,
    /// A bulk copy of a group.
    Group,
    /// A bulk copy whose bytes an mbarrier counts.
    Counted,
    /// `tcgen05.st`.
    TmemStore,
    /// `tcgen05.cp`.
    TmemCopy,
    /// `tcgen05.mma`.
    TensorProduct,
    /// `tcgen05.ld`, in flight.
    TmemLoad,
    /// `wgmma.mma_async`.
    Product,
}

/// The originator of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Originator {
    /// A thread of this warp.
    Thread(u32),
    /// The copy that was issued last.
    Copy,
}

/// The memories of a launch, by number: allocations of global memory come first, from 0 on.
pub(crate) const SHARED: u64 = 1 << 40;
/// Added to a block's number, it gives the block's tensor memory.
pub(crate) const TENSOR: u64 = 2 << 40;
/// Added to a warp's number, it gives the warp's registers that `tcgen05.ld` writes.
pub(crate) const REGISTERS: u64 = 3 << 40;

/// One access to bytes of one memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    /// The number of the memory.
    pub(crate) memory: u64,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    pub(crate) block: u32,
    pub(crate) by: Originator,
    pub(crate) lane: u8,
    pub(crate) strength: Strength,
    pub(crate) write: bool,
    /// Whether it sees generic writes only after a proxy fence.
    pub(crate) proxy: bool,
}

/// One recorded event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    Touch(Touch),
    /// Lanes synchronize with each other.
    Meet(Threads),
    /// An arrival that releases in a scope.
    Arrive(Threads, Hub, Scope),
    /// An arrival that releases only what an earlier fence has prepared.
    ArriveRelaxed(Threads, Hub),
    /// The end of a wait, which acquires in a scope.
    Leave(Threads, Hub, Scope),
    Fence {
        threads: Threads,
        scope: Scope,
        acquire: bool,
        release: bool,
    },
    ProxyFence(Threads),
    /// A strong read of a word by one thread.
    Observe {
        threads: Threads,
        word: (u64, u64),
        scope: Scope,
        acquire: bool,
    },
    /// A strong write of a word by one thread; a read-modify-write carries earlier releases of other threads.
    Release {
        threads: Threads,
        word: (u64, u64),
        scope: Scope,
        release: bool,
        carries: bool,
    },
    /// One thread issues a copy of this number.
    Copy {
        threads: Threads,
        number: u32,
        kind: CopyKind,
    },
    /// The `cp.async` copies of each thread so far form a group.
    Commit(Threads),
    /// Waits for all but the latest n of each thread's groups; none waits for all copies.
    Wait(Threads, Option<u64>),
    BulkCommit(Threads),
    BulkWait {
        threads: Threads,
        pending: u64,
        read: bool,
    },
    /// Waits for the threads' own `tcgen05.st`, or `tcgen05.ld`.
    TensorWait(Threads, CopyKind),
    /// The products of a warp so far form a group.
    ProductCommit(Threads),
    /// Waits for all but the latest n groups of a warp's products.
    ProductWait(Threads, u64),
    /// One thread passes its knowledge, and its copies of a kind so far, to an operation of this number.
    Deliver {
        threads: Threads,
        number: u32,
        kind: CopyKind,
    },
    /// The copy or delivery of this number has reached a hub.
    Delivered {
        number: u32,
        hub: Hub,
    },
}

/// The instruction of an event, by its index, and the event.
pub(crate) type Note = (u32, Event);

/// The events so far, in one possible order.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) notes: Vec<Note>,
    numbers: u32,
    /// Warps of a block.
    warps: u32,
}

impl Trace {
    /// An empty recording, for blocks of `warps` warps.
    pub(crate) fn new(warps: u32) -> Self {
        Self { warps, ..Self::default() }
    }

    /// A new number for a copy or delivery.
    pub(crate) fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    pub(super) fn touch(&mut self, memory: u64, offset: usize, bytes: usize, who: &Accessor<'_>, write: bool) {
        let (at, agents, lane) = who.who();
        let (offset, bytes, block, warp) = (offset as u64, bytes as u64, agents.block, u32::from(agents.warp));
        let by = if warp < self.warps { Originator::Thread(warp) } else { Originator::Copy };
        let (strength, proxy) = (who.strength, who.proxy != 0);
        let touch = Touch { memory, offset, bytes, block, by, lane, strength, write, proxy };
        self.notes.push((at, Event::Touch(touch)));
    }
}
