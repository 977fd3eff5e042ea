//! What the plan of a copy touches, as far as synchronization is concerned: which thread touches which bytes, through
//! which engine, and what completes the accesses.
//!
//! Each family describes its plans through [`Touches`](crate::families::family::Touches), by [enumerating](enumeration::Enumeration) its
//! own address formulas.

pub mod enumeration;
pub mod footprint;
pub(crate) mod pitch;
pub mod region;

use std::rc::Rc;

use footprint::Footprint;
use thiserror::Error;
use tile_isa::Scope;

use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::threads::MAX_WARPS;
use crate::queue::Queue;

/// The bytes of one column in a lane of tensor memory.
pub const TENSOR_COLUMN_BYTES: i64 = 4;

/// The distance in bytes from one lane of tensor memory to the next: addresses are `lane << 16 | column`.
pub const TENSOR_LANE_BYTES: i64 = TENSOR_COLUMN_BYTES << 16;

/// The engine that performs a copy, as far as synchronization is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// The queue that tracks its copies; `None` for loads and stores, which are synchronous.
    pub queue: Option<Queue>,
    /// Which threads arrive on the mbarrier that completes it.
    pub arrives: Arrives,
    /// Whether its accesses go through the async proxy.
    pub async_proxy: bool,
}

/// Which threads arrive on the mbarrier of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrives {
    /// Each thread of the copy, once what it issued is complete; the arrival releases nothing else.
    Threads,
    /// The thread that issues it and expects its bytes; the arrival is a release.
    Issuer,
    /// None of the copying threads: threads of the destination block, which expect the bytes.
    Others,
}

impl Engine {
    /// Loads and stores.
    pub const THREADS: Engine = Engine { queue: None, arrives: Arrives::Threads, async_proxy: false };
    /// `cp.async`.
    pub const CP_ASYNC: Engine = Engine { queue: Some(Queue::CpAsync), ..Engine::THREADS };
    /// The unit of `cp.async.bulk` and `cp.async.bulk.tensor`.
    pub const TMA: Engine = Engine { queue: Some(Queue::BulkGroups), arrives: Arrives::Issuer, async_proxy: true };
    /// Products of `wgmma`.
    pub const WGMMA: Engine = Engine { queue: Some(Queue::Product), arrives: Arrives::Threads, async_proxy: true };
    /// `tcgen05.cp` and `tcgen05.mma`.
    pub const TCGEN05: Engine = Engine { queue: Some(Queue::TmemCopy), arrives: Arrives::Issuer, async_proxy: true };
    /// `tcgen05.mma` of an op that waits for its products.
    pub const AWAITED_TCGEN05: Engine = Engine { queue: Some(Queue::TmemStore), ..Engine::TCGEN05 };
}

/// Why the memory that a plan touches is not followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotFollowed {
    /// An access without an address, or a plan without vectors.
    #[error(transparent)]
    Plan(#[from] Refusal),
    /// A plan of several steps that has none.
    #[error("a plan without steps")]
    NoSteps,
    /// Several plans, by these engines.
    #[error("steps by different engines")]
    Engines(Engine, Engine),
    /// An instruction of two CTAs.
    #[error("the memory of another CTA is not followed")]
    OtherCta,
}

/// What a planned copy touches.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The engine that performs it.
    pub engine: Engine,
    /// The bytes of each operand that is in memory, not in registers.
    pub accesses: Vec<(Role, Bytes)>,
    /// The bytes by which it completes an mbarrier that others arrive on, of each thread that issues it; `None` where these are
    /// the bytes that it writes.
    pub counted: Option<i64>,
}

/// The bytes of one operand, relative to the start of the storage.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// The bytes that each thread touches where the run-time values are 0; `None` where there are too many.
    pub footprint: Option<Rc<Footprint>>,
    /// Which threads touch them together.
    pub collective: Collective,
    /// What each run-time value adds: `floor(value / div) * bytes`; `None` where the offset has another form.
    pub moves: Option<Vec<Move>>,
    /// The same before a swizzle, where run-time values add other than whole periods of it.
    pub unswizzled: Option<UnswizzledBytes>,
    /// The run-time strides of the buffer, by their numbers in the operand, where [assumed](crate::sync::assumed_strides) numbers stand for them:
    /// bytes are then comparable only with those of accesses through the same strides.
    pub strides: Vec<usize>,
}

/// Bytes before the swizzle of a tile moves them: a run-time value adds the same to all of them.
///
/// ```text
///   columns v to v + 31 of 64x64xf16, swizzle<base = 3, bits = 3, shift = 3>
///     before the swizzle   row r: 128 * r + 2 * v and the 63 bytes after it
///     in memory            16 bytes each at 128 * r + 16 * ((v / 8 + 0 … 3) xor (r mod 8))
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnswizzledBytes {
    /// The bytes that each thread touches where the run-time values add nothing.
    pub footprint: Rc<Footprint>,
    /// What each run-time value adds.
    pub moves: Vec<Move>,
}

/// The threads whose accesses in one execution of an operation count as one, so that they do not conflict with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collective {
    /// Each thread makes its own.
    #[default]
    Thread,
    /// A warp makes it as a whole.
    Warp,
    /// A warpgroup makes it as a whole.
    Warpgroup,
    /// All threads of the block: each byte is accessed by one of them, which depends on addresses that are known at run time alone.
    Block,
}

impl Collective {
    /// The threads of a scope.
    pub fn of_scope(scope: Scope) -> Self {
        match scope {
            Scope::Thread => Collective::Thread,
            Scope::Warp => Collective::Warp,
            Scope::Warpgroup => Collective::Warpgroup,
            Scope::Cta => Collective::Block,
        }
    }

    /// A bit mask of the warps whose accesses count as one with those of `warp`; none where each thread makes its own.
    pub fn together(self, warp: usize) -> u64 {
        let all = (1 << MAX_WARPS) - 1;
        match self {
            Collective::Thread => 0,
            Collective::Warp => 1 << warp,
            Collective::Warpgroup => 0b1111 << (warp / 4 * 4) & all,
            Collective::Block => all,
        }
    }
}

/// The offset that one run-time value adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The value, by its number in the operand.
    pub value: usize,
    /// The divisor.
    pub div: i64,
    /// Bytes per step.
    pub bytes: i64,
}

impl Bytes {
    /// Any bytes.
    pub(crate) fn unknown(strides: Vec<usize>) -> Bytes {
        let (footprint, moves, unswizzled, collective) = Default::default();
        Bytes { footprint, collective, moves, unswizzled, strides }
    }

    /// What two plans touch of one operand together.
    #[must_use]
    pub(crate) fn union(self, other: Bytes) -> Bytes {
        let both = self.footprint.as_ref().zip(other.footprint.as_ref());
        Bytes {
            footprint: both.map(|(one, other)| Rc::new(one.union(other))),
            collective: self.collective.max(other.collective),
            moves: self.moves.filter(|moves| other.moves.as_ref() == Some(moves)),
            unswizzled: self.unswizzled.zip(other.unswizzled).and_then(|(one, other)| one.union(&other)),
            strides: self.strides,
        }
    }
}

impl UnswizzledBytes {
    /// What two plans touch together; `None` where run-time values move them differently.
    fn union(self, other: &UnswizzledBytes) -> Option<UnswizzledBytes> {
        let footprint = Rc::new(self.footprint.union(&other.footprint));
        (self.moves == other.moves).then_some(UnswizzledBytes { footprint, moves: self.moves })
    }
}

impl Touched {
    /// What an engine touches of each operand.
    pub(crate) fn new(engine: Engine, accesses: impl IntoIterator<Item = (Role, Bytes)>) -> Self {
        Touched { engine, accesses: accesses.into_iter().collect(), counted: None }
    }

    /// What is touched of an operand.
    pub fn of(&self, role: Role) -> Option<&Bytes> {
        self.accesses.iter().find(|(known, _)| *known == role).map(|(_, bytes)| bytes)
    }
}
