//! A kernel as what its operations do to memory, and in which order they come.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::problem::scope::{Scope, Space};
use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::form::Form;
use crate::sync::items::Item;
use crate::sync::periodic::Loop;
use crate::sync::shift::Shift;
use crate::touch::Queue;
use crate::touch::footprint::Footprint;

/// A kernel, or what one thread block does of it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Threads of a block.
    pub block: ThreadSet,
    /// The operations, in the order of the text.
    pub ops: Vec<Op>,
    /// The loops, by their number.
    pub loops: Vec<Loop>,
    /// What is executed.
    pub body: Vec<Item>,
    /// The operation at which the kernel ends, by its number.
    pub end: Option<usize>,
    /// Are phases of mbarriers waited for where only an execution can follow them, in loops or in arms?
    pub ringed: bool,
    /// Pairs of objects of which it is not known that they are apart, the lesser first.
    pub perhaps: Vec<(usize, usize)>,
    /// The blocks that execute it together, where they reach shared memory of each other.
    pub cluster: Option<Rc<Cluster>>,
}

/// The block whose shared memory is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// That of a rank.
    Rank(usize),
    /// It is not known which.
    Unknown,
}

/// The blocks of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Each block, by its rank.
    pub members: Vec<Member>,
    /// Values of [`Shift::fixed`] that differ between the blocks, in a way that is not known.
    pub differs: BTreeSet<usize>,
}

/// One block of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// Operations that it executes otherwise than the first block, by their numbers.
    pub ops: BTreeMap<usize, Op>,
    /// Objects that are memory of other blocks: which object it is there, and whose.
    pub peers: BTreeMap<usize, (usize, Peer)>,
}

/// An operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Op {
    /// The threads that execute it; where that is not known exactly, all that may.
    pub active: ThreadSet,
    /// Are these known to execute it exactly, and together?
    pub exact: bool,
    /// What it does to memory. Nothing orders these among each other.
    pub accesses: Vec<Access>,
    /// What it does then, in this order.
    pub effects: Vec<Effect>,
}

/// What an operation does to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Memory that no other object overlaps, unless [`Program::perhaps`] says so.
    pub object: usize,
    /// The memory that it is in. Tensor memory has [`TENSOR_LANE_BYTES`](crate::sync::TENSOR_LANE_BYTES) a lane; of registers a
    /// byte stands for all of a thread's.
    pub space: Space,
    /// Is it written?
    pub write: bool,
    /// Is it a sum, a minimum, …, done atomically?
    pub atomic: bool,
    /// Is it done by an engine that sees memory through another proxy than loads and stores do?
    pub through_async_proxy: bool,
    /// Is it done by whole warps, so that their threads make no two accesses of it?
    pub by_warps: bool,
    /// Of an operation that is done in one of several ways: the way of which it is a part.
    pub way: Option<Way>,
    /// Of an access of tensor memory by `tcgen05.cp` or `tcgen05.mma`: what keeps accesses of one thread in order.
    pub pipe: Option<Pipe>,
    /// When it is done.
    pub completion: Completion,
    /// Which thread touches, or has touched, which bytes, from where the shift begins; all bytes by all threads where it is not
    /// known.
    pub bytes: Option<Rc<Footprint>>,
    /// Where it begins.
    pub shift: Shift,
}

/// One of several ways in which an operation is done, such as a masked copy whose region lies inside of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// Which.
    pub number: usize,
    /// The threads that take one way together.
    pub scope: Scope,
}

impl Way {
    /// The warps, a bit each, of which the threads that take this way keep those of `warp` from taking another.
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

/// What two accesses need besides threads that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// Nothing.
    Nothing,
    /// A fence of the async proxy.
    Proxy,
    /// A fence of `tcgen05` before the threads meet, and one after.
    Tensor,
}

/// Which accesses of tensor memory by one thread are made in its order, without a wait (PTX ISA 9.7.16.6.2):
///
/// ```text
///   tcgen05.cp ──▶ tcgen05.mma ──▶ tcgen05.mma of the same D, shape and kind          but not: cp, cp;  mma, cp
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pipe {
    /// Of `tcgen05.cp`: in front of each `tcgen05.mma` that comes later.
    Copy,
    /// Of what a `tcgen05.mma` reads.
    Operand,
    /// Of the D of a `tcgen05.mma`: in front of those that come later, have the same number, and touch the same D.
    Sum(u64),
}

/// When an access is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completion {
    /// Before the thread goes on.
    Now,
    /// Once the thread has waited for its group.
    Group(Queue),
    /// Once a phase of an mbarrier, by its number, has been waited for.
    Phase(usize),
    /// Once the phase of an mbarrier in which the operation arrives has been waited for.
    Arrival,
    /// Once a phase has been waited for in which the thread's next `tcgen05.commit` arrives.
    Commit,
    /// It is not known by what.
    Never,
}

/// What an operation does to order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// All threads that execute it wait for each other.
    Barrier,
    /// The threads of each warp wait for each other.
    WarpBarrier,
    /// Closes the thread's group.
    Commit(Queue),
    /// Waits for all but so many of the thread's groups; with `reads`, only for these to have read.
    Wait {
        /// Which groups.
        queue: Queue,
        /// How many may be pending.
        pending: i64,
        /// Only until the sources have been read?
        reads: bool,
    },
    /// Waits for phases, by their numbers.
    PhaseWait(Vec<usize>),
    /// All threads of all blocks of a cluster wait for each other.
    ClusterBarrier,
    /// Arrives at the barrier of the cluster; do those who wait for it know then what its threads have done?
    ClusterArrive {
        /// Do they?
        releases: bool,
    },
    /// Waits until all threads of the cluster have arrived.
    ClusterWait,
    /// `fence.mbarrier_init`: the mbarriers that a thread has made may be used by other blocks, and by copies.
    MbarrierFence,
    /// Something is done to an mbarrier, in any iteration.
    Mbarrier(Box<Mbarrier>),
    /// `fence.proxy.async`.
    ProxyFence {
        /// Only for shared memory?
        shared: bool,
    },
    /// `tcgen05.commit`: the arrival that the operation makes next is behind the threads' `tcgen05.cp`.
    TensorCommit,
    /// `tcgen05.fence`: what is asynchronous in tensor memory, before the threads meet others, or after.
    TensorFence {
        /// Before?
        before: bool,
    },
}

/// What an operation does to an mbarrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mbarrier {
    /// The memory that it is in.
    pub object: usize,
    /// Its first byte there.
    pub byte: Form,
    /// What is done.
    pub act: Act,
}

/// What is done to an mbarrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is made for so many arrivals of a phase.
    Init {
        /// How many.
        count: i64,
    },
    /// Threads arrive.
    Arrive {
        /// Which of those that execute the operation.
        by: ThreadSet,
        /// How often each of them.
        count: i64,
        /// How many bytes each of them expects, besides those that the operation brings.
        bytes: i64,
        /// Do those who wait for the phase know then what the threads have done?
        releases: bool,
    },
    /// Threads wait for a phase.
    Wait {
        /// Its parity.
        parity: Form,
    },
}

impl Program {
    /// May anything write an object?
    pub fn is_written(&self, object: usize) -> bool {
        let mut all = self.of_all_blocks().flat_map(|(_, op)| &op.accesses);
        all.any(|access| access.write && self.related(self.object_of(access), object).is_some())
    }

    /// May two objects be of the same memory? `None`: they are apart. `Some(true)`: they are one.
    pub fn related(&self, a: usize, b: usize) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        self.perhaps.binary_search(&(a.min(b), a.max(b))).is_ok().then_some(false)
    }
}

impl Op {
    /// The threads that make an access.
    pub fn makers(&self, access: &Access) -> ThreadSet {
        match &access.bytes {
            Some(bytes) => bytes.segments().iter().fold(ThreadSet::new(), |all, it| all.union(&it.threads)),
            None => self.active,
        }
    }
}

impl Access {
    /// Do two accesses of one object need an order, in whichever threads?
    pub fn conflicts(&self, other: &Access) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }

    /// What a later access needs besides threads that meet.
    pub fn through(&self, later: &Access) -> Through {
        let waited = |it: &Access| it.space == Space::Tmem && it.completion != Completion::Now;
        match () {
            () if waited(self) && waited(later) => Through::Tensor,
            () if self.space == Space::Tmem => Through::Nothing,
            () if self.write && !self.through_async_proxy && later.through_async_proxy => Through::Proxy,
            () => Through::Nothing,
        }
    }

    /// Are this and a later one of a thread made in its order, however they are completed? So are [`Pipe`]s of tensor memory, and
    /// sums of products in the same registers. `distance`: how many bytes the later one begins behind this one, if that is known
    /// and both are of one object.
    pub fn in_line(&self, later: &Access, distance: Option<i64>) -> bool {
        let sums = |it: &Access| it.space == Space::Local && it.completion == Completion::Group(Queue::Product);
        match (self.pipe, later.pipe) {
            (Some(Pipe::Copy), Some(Pipe::Operand | Pipe::Sum(_))) => true,
            (Some(Pipe::Sum(a)), Some(Pipe::Sum(b))) => a == b && distance == Some(0) && self.bytes == later.bytes,
            _ => sums(self) && sums(later),
        }
    }
}
