//! Accesses of operations, and when they are complete.

use std::rc::Rc;

use crate::queue::Queue;
use crate::sync::shift::Shift;
use crate::touch::Collective;
use crate::touch::footprint::Footprint;
use tile_isa::red::Operator;
use tile_isa::{Scope, Space};

/// An access of an operation to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The object accessed. No other object overlaps it unless [`SyncProgram::may_alias`](super::SyncProgram::may_alias) says so.
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

    /// Whether two accesses of one execution of an operation count as one for the threads that make them together.
    pub fn counts_as_one(&self, other: &Access) -> bool {
        self.collective == other.collective && self.object == other.object
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
        Collective::of_scope(self.scope).together(warp)
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
