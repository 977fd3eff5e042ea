//! A kernel reduced to what its operations do to memory and how they order each other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::problem::threads::ThreadSet;
use crate::queue::Queue;
use crate::sync::access::Access;
use crate::sync::form::AddressForm;
use crate::sync::items::Item;
use crate::sync::periodic::{Loop, Periodic};
use crate::sync::rounds::Together;
use crate::sync::shift::Shift;

/// A kernel, as one thread block executes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncProgram {
    /// Threads of a block.
    pub block: ThreadSet,
    /// The operations, in program order.
    pub ops: Vec<Op>,
    /// The loops, by their number.
    pub loops: Vec<Loop>,
    /// Counts of loops that have a trip count of their own in each iteration of the loop around: the count, and that loop.
    pub entries: BTreeMap<usize, usize>,
    /// Numbers in [`Shift::loops`] that stand for no loop: they count the iterations of a loop from the begin of the kernel on, over all
    /// times that it is entered. That loop, and the loops around it from the inside out.
    pub totals: BTreeMap<usize, Vec<usize>>,
    /// [Fixed](Shift::fixed) values that depend on a trip count alone and repeat with it: the [`count`](Loop::count), and the value as
    /// a function of it.
    pub counted: BTreeMap<usize, (usize, Periodic)>,
    /// The structured control flow.
    pub body: Vec<Item>,
    /// The operation at which the kernel ends, by its number.
    pub end: Option<usize>,
    /// Whether phases of mbarriers are waited for in loops or arms, where only an execution can follow them.
    pub ringed: bool,
    /// Pairs of objects that may overlap, the smaller number first; sorted.
    pub may_alias: Vec<(usize, usize)>,
    /// Pairs of these that are distinct within each iteration of a loop, by its number.
    pub exchanged: BTreeMap<(usize, usize), usize>,
    /// The cluster that executes it, where its blocks access each other's shared memory.
    pub cluster: Option<Rc<Cluster>>,
}

/// The block whose shared memory is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoteBlock {
    /// The block of this rank.
    Rank(usize),
    /// An unknown block.
    Unknown,
}

/// The blocks of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    /// The blocks, by rank.
    pub members: Vec<Member>,
    /// Values of [`Shift::fixed`] that differ between the blocks by an unknown amount.
    pub differs: BTreeSet<usize>,
}

/// One block of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Operations that differ from those of the first block, by their numbers.
    pub ops: BTreeMap<usize, Op>,
    /// Objects that are memory of other blocks: the object as numbered in that block, and the block.
    pub peers: BTreeMap<usize, (usize, RemoteBlock)>,
}

/// An operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Op {
    /// The threads that execute it; where these are not known exactly, all that may execute it.
    pub active: ThreadSet,
    /// Whether exactly these threads are known to execute it, and together. In loops and arms that threads take
    /// differently they do not, whatever this says.
    pub exact: bool,
    /// Its memory accesses, unordered among each other.
    pub accesses: Vec<Access>,
    /// Its effects on order after the accesses, in this order.
    pub effects: Vec<Effect>,
}

/// A synchronizing effect of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// All threads that execute it wait for each other.
    Barrier,
    /// The threads of each warp wait for each other.
    WarpBarrier,
    /// Closes the thread's current group.
    Commit(Queue),
    /// Waits for all but the last `pending` groups of the thread.
    Wait {
        /// The queue of the groups.
        queue: Queue,
        /// The number of groups that may stay pending.
        pending: i64,
        /// Whether it only waits until the sources have been read.
        reads: bool,
    },
    /// Waits for phases, by their numbers.
    PhaseWait(Vec<usize>),
    /// All threads of all blocks of a cluster wait for each other.
    ClusterBarrier,
    /// Arrives at the barrier of the cluster.
    ClusterArrive {
        /// Whether the arrival is a release: threads that wait then know what the arriving threads have done.
        releases: bool,
    },
    /// Waits until all threads of the cluster have arrived.
    ClusterWait,
    /// `fence.mbarrier_init`: makes mbarriers that the thread has initialized usable by other blocks and by copies.
    MbarrierFence,
    /// An operation on an mbarrier, which may depend on the iteration.
    Mbarrier(Box<Mbarrier>),
    /// `fence.proxy.async`.
    ProxyFence {
        /// Whether it covers shared memory only.
        shared: bool,
    },
    /// `tcgen05.commit`: the next arrival of the operation follows the completion of the `tcgen05.cp` that the threads
    /// have issued.
    TensorCommit,
    /// `tcgen05.fence`, which orders asynchronous accesses of tensor memory around a barrier.
    TensorFence {
        /// Whether it is `before_thread_sync`; otherwise `after_thread_sync`.
        before: bool,
    },
    /// Communicates with other blocks through global memory: an atomic, a volatile access, or a fence of a scope wider
    /// than the block. Within the block it orders nothing.
    InterBlock {
        /// Whether it may observe what another block has published.
        acquires: bool,
        /// Whether it may publish what the block has done.
        releases: bool,
    },
}

impl Effect {
    /// The smallest groups of threads that have to execute it together.
    pub fn needs(&self) -> Together {
        match self {
            Effect::Barrier | Effect::ClusterBarrier | Effect::ClusterArrive { .. } | Effect::ClusterWait => {
                Together::Block
            }
            Effect::PhaseWait(_) | Effect::Mbarrier(_) | Effect::MbarrierFence | Effect::TensorCommit => {
                Together::Block
            }
            Effect::Commit(Queue::Product) | Effect::Wait { queue: Queue::Product, .. } => Together::Block,
            Effect::Wait { queue, .. } if queue.is_of_tensor() => Together::Warps,
            Effect::WarpBarrier | Effect::TensorFence { .. } => Together::Warps,
            Effect::Commit(_) | Effect::Wait { .. } | Effect::ProxyFence { .. } | Effect::InterBlock { .. } => {
                Together::Threads
            }
        }
    }
}

/// An operation on an mbarrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mbarrier {
    /// The object that contains the mbarrier.
    pub object: usize,
    /// The offset of its first byte in the object.
    pub byte: AddressForm,
    /// The kind of operation.
    pub act: Act,
}

/// The kinds of operations on an mbarrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Initializes it.
    Init {
        /// The number of arrivals per phase.
        count: i64,
    },
    /// Threads arrive.
    Arrive {
        /// The arriving threads, among those that execute the operation.
        by: ThreadSet,
        /// The number of arrivals per thread.
        count: i64,
        /// The number of bytes that each thread expects, besides those that the operation brings.
        bytes: i64,
        /// Whether the arrival is a release: threads that wait for the phase then know what the arriving threads did.
        releases: bool,
    },
    /// Threads wait for a phase.
    Wait {
        /// The parity of the phase.
        parity: AddressForm,
    },
}

impl SyncProgram {
    /// Whether anything may write an object.
    pub fn is_written(&self, object: usize) -> bool {
        let mut all = self.of_all_blocks().flat_map(|(_, op)| &op.accesses);
        all.any(|access| access.write && self.related(self.object_of(access), object).is_some())
    }

    /// Whether two objects may overlap: `None` if they are distinct, `Some(true)` if they are the same, `Some(false)`
    /// if they may overlap.
    pub fn related(&self, a: usize, b: usize) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        self.may_alias.binary_search(&(a.min(b), a.max(b))).is_ok().then_some(false)
    }
}

impl SyncProgram {
    /// The loop within each of whose iterations two objects that may overlap are distinct.
    pub fn exchanged(&self, a: usize, b: usize) -> Option<usize> {
        self.exchanged.get(&(a.min(b), a.max(b))).copied()
    }
}

impl Op {
    /// The starts of its accesses, and the mbarriers and parities that it names.
    pub fn shifts(&self) -> impl Iterator<Item = &Shift> {
        let mbarriers = self.effects.iter().filter_map(|effect| match effect {
            Effect::Mbarrier(mbarrier) => Some(mbarrier),
            _ => None,
        });
        let named = mbarriers.flat_map(|mbarrier| {
            let parity = if let Act::Wait { parity } = &mbarrier.act { Some(&parity.shift) } else { None };
            std::iter::once(&mbarrier.byte.shift).chain(parity)
        });
        self.accesses.iter().map(|access| &access.shift).chain(named)
    }

    /// The threads that perform an access.
    pub fn issuing_threads(&self, access: &Access) -> ThreadSet {
        match &access.bytes {
            Some(bytes) => bytes.segments().iter().fold(ThreadSet::new(), |all, segment| all.union(&segment.threads)),
            None => self.active,
        }
    }
}
