//! A kernel reduced to what its operations do to memory and how they order each other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::queue::Queue;
use crate::sync::form::AddressForm;
use crate::sync::items::Item;
use crate::sync::periodic::{Loop, Periodic};
use crate::sync::rounds::Together;
use crate::sync::shift::Shift;
use crate::touch::Collective;
use crate::touch::footprint::Footprint;
use tile_isa::red::Operator;
use tile_isa::{Scope, Space};

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

/// An access of an operation to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The object accessed. No other object overlaps it unless [`SyncProgram::may_alias`] says so.
    pub object: usize,
    /// The memory space of the object. A lane of tensor memory spans
    /// [`TENSOR_LANE_BYTES`](crate::sync::TENSOR_LANE_BYTES) bytes; one byte stands for all registers of a thread.
    pub space: Space,
    /// Whether it is a write.
    pub write: bool,
    /// Whether it is an atomic read-modify-write (add, min, …).
    pub atomic: bool,
    /// The operator of a reduction. Reductions by one operator give the same in any order, by different ones they do not; nor do
    /// increments and decrements, each of which may wrap at another limit.
    pub reduction: Option<Operator>,
    /// Whether it goes through the async proxy rather than the generic proxy of loads and stores.
    pub through_async_proxy: bool,
    /// The threads whose accesses count as one.
    pub collective: Collective,
    /// The alternative that the access belongs to, where the operation is carried out in one of several ways.
    pub alternative: Option<Alternative>,
    /// For `tcgen05.cp` and `tcgen05.mma`: the pipeline that keeps the accesses of one thread to tensor memory in
    /// order.
    pub pipe: Option<Pipe>,
    /// When it is complete.
    pub completion: Completion,
    /// The bytes that each thread touches, or has an engine touch, relative to the start given by `shift`. Where
    /// unknown, all threads are assumed to touch all bytes.
    pub bytes: Option<Rc<Footprint>>,
    /// The start of the access within the object.
    pub shift: Shift,
}

/// One of several alternatives by which an operation is carried out, such as the unmasked one of a masked copy whose
/// region lies inside its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// The number of the alternative.
    pub number: usize,
    /// The scope whose threads all take the same alternative.
    pub scope: Scope,
}

impl Alternative {
    /// A bit mask of the warps that take the same alternative as `warp`, because they share its scope.
    pub fn together(self, warp: usize) -> u64 {
        let all = (1 << MAX_WARPS) - 1;
        match self.scope {
            Scope::Thread => 0,
            Scope::Warp => 1 << warp,
            Scope::Warpgroup => 0b1111 << (warp / 4 * 4) & all,
            Scope::Cta => all,
        }
    }
}

/// The fence that two accesses need besides a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// Nothing.
    Nothing,
    /// A fence of the async proxy.
    Proxy,
    /// `tcgen05.fence::before_thread_sync` before the barrier and `tcgen05.fence::after_thread_sync` after it.
    Tensor,
}

/// The tensor memory accesses of one thread that the hardware keeps in program order without a wait (PTX ISA
/// 9.7.16.6.2):
///
/// ```text
///   tcgen05.cp ──▶ tcgen05.mma ──▶ tcgen05.mma of the same D, shape and kind          but not: cp, cp;  mma, cp
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pipe {
    /// An access by `tcgen05.cp`: ordered before every later `tcgen05.mma`.
    Copy,
    /// An operand of `tcgen05.mma`.
    Operand,
    /// The accumulator D of `tcgen05.mma`: ordered before later ones that have the same number and touch the same D.
    Sum(u64),
}

/// When an access is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completion {
    /// Synchronously, before the thread continues.
    Now,
    /// After a wait for the group that contains it.
    Group(Queue),
    /// After a wait for the mbarrier phase of this number.
    Phase(usize),
    /// After a wait for the mbarrier phase in which the operation itself arrives: the effect of that number among those of
    /// its effects that are on mbarriers.
    Arrival(usize),
    /// After a wait for the mbarrier phase in which the thread's next `tcgen05.commit` arrives.
    Commit,
    /// Unknown: nothing is known to complete it.
    Never,
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

impl Access {
    /// An access by loads or stores of each thread, complete at once. Its bytes are not known: `bytes` and `shift` say them,
    /// by struct update.
    pub fn direct(object: usize, space: Space, write: bool) -> Self {
        Self {
            object,
            space,
            write,
            atomic: false,
            reduction: None,
            through_async_proxy: false,
            collective: Collective::Thread,
            alternative: None,
            pipe: None,
            completion: Completion::Now,
            bytes: None,
            shift: Shift::unknown(),
        }
    }

    /// Whether two accesses of one object need an order if different threads make them.
    pub fn conflicts(&self, other: &Access) -> bool {
        (self.write || other.write) && !self.commutes(other)
    }

    /// Whether both are atomic, and give the same in either order. What atomic operations of a kernel's own exchange, such as flags and
    /// counters, is left to them.
    fn commutes(&self, other: &Access) -> bool {
        let is_same = |(first, second)| first == second && !matches!(first, Operator::Inc | Operator::Dec);
        self.atomic && other.atomic && self.reduction.zip(other.reduction).is_none_or(is_same)
    }

    /// The fence that a later access needs besides a barrier.
    pub fn through(&self, later: &Access) -> Through {
        let waited = |access: &Access| access.space == Space::Tmem && access.completion != Completion::Now;
        match () {
            () if waited(self) && waited(later) => Through::Tensor,
            () if self.space == Space::Tmem => Through::Nothing,
            () if self.write && !self.through_async_proxy && later.through_async_proxy => Through::Proxy,
            () => Through::Nothing,
        }
    }

    /// Whether [`Access::is_ordered_by_pipe`] may hold for some distance.
    pub fn may_be_ordered_by_pipe(&self, later: &Access) -> bool {
        self.is_ordered_by_pipe(later, Some(0)) || self.is_ordered_by_pipe(later, None)
    }

    /// Whether this access and a later one by the same thread take place in program order, however they complete:
    /// accesses of tensor memory by their [`Pipe`]s, and products that accumulate in the same registers. `distance` is
    /// how many bytes after this access the later one starts, if that is known and both are to one object.
    pub fn is_ordered_by_pipe(&self, later: &Access, distance: Option<i64>) -> bool {
        let sums =
            |access: &Access| access.space == Space::Local && access.completion == Completion::Group(Queue::Product);
        match (self.pipe, later.pipe) {
            (Some(Pipe::Copy), Some(Pipe::Operand | Pipe::Sum(_))) => true,
            (Some(Pipe::Sum(a)), Some(Pipe::Sum(b))) => a == b && distance == Some(0) && self.bytes == later.bytes,
            _ => sums(self) && sums(later),
        }
    }
}
