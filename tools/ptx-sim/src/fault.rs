//! What the checkers find.

use std::fmt;

use thiserror::Error;

use crate::parse::Space;
use crate::source::SourcePlace;

/// A thread by its coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId {
    /// `%ctaid`.
    pub block: [u32; 3],
    /// `%tid`.
    pub thread: [u32; 3],
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        write!(f, "block ({bx},{by},{bz}) thread ({tx},{ty},{tz})")
    }
}

/// The kind of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An address outside every allocation, or past the end of one.
    OutOfBounds,
    /// An address that is not a multiple of the access's size.
    Misaligned,
    /// A read of bytes that no thread wrote, or to which an undefined value was written.
    Uninitialized,
    /// A decision depends on a value that PTX leaves undefined.
    Undefined,
    /// Conflicting accesses without order between them.
    Race,
    /// An access to bytes that an asynchronous operation still reads or writes.
    InFlight,
    /// Threads of a warp wait for each other at different instructions.
    BarrierDivergence,
    /// No thread can run.
    Deadlock,
    /// Threads run, but only repeat the same steps.
    Livelock,
    /// The step limit was reached.
    StepLimit,
    /// Tensor memory was allocated and not freed.
    TensorLeak,
    /// A block ended while an asynchronous copy used its memory, or may do so.
    CopyLeak,
    /// An access to shared memory of another block that may not have started, or may have ended.
    Lifetime,
    /// An instruction was used against its rules.
    Invalid,
    /// `trap`.
    Trap,
    /// The progress callback asked to stop.
    Cancelled,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfBounds => "out of bounds",
            Self::Misaligned => "misaligned",
            Self::Uninitialized => "uninitialized",
            Self::Undefined => "undefined value",
            Self::Race => "race",
            Self::InFlight => "asynchronous copy not waited for",
            Self::BarrierDivergence => "barrier divergence",
            Self::Deadlock => "deadlock",
            Self::Livelock => "livelock",
            Self::StepLimit => "step limit reached",
            Self::TensorLeak => "tensor memory not freed",
            Self::CopyLeak => "asynchronous copy outlives its block",
            Self::Lifetime => "shared memory outside its block's life",
            Self::Invalid => "invalid operation",
            Self::Trap => "trap",
            Self::Cancelled => "cancelled",
        })
    }
}

/// Some lanes of a warp that cannot continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The first of them.
    pub thread: ThreadId,
    /// How many there are.
    pub lanes: u32,
    /// The PTX line at which they wait.
    pub line: u32,
    /// The source location of that line, if the PTX states it.
    pub location: Option<SourcePlace>,
    /// What they wait for.
    pub reason: String,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {} more at line {}", self.thread, self.lanes.saturating_sub(1), self.line)?;
        self.location.iter().try_for_each(|at| write!(f, " ({at})"))?;
        write!(f, ": {}", self.reason)
    }
}

/// A mistake of a kernel, with its location and thread.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Fault {
    /// The kind of mistake.
    pub kind: FaultKind,
    /// The kernel.
    pub kernel: String,
    /// The PTX line; 0 if no single line is responsible.
    pub line: u32,
    /// The opcode at that line.
    pub opcode: String,
    /// The source location of that line, if the PTX states it.
    pub location: Option<SourcePlace>,
    /// The thread.
    pub thread: Option<ThreadId>,
    /// The address, in the space that the access named.
    pub address: Option<(Space, u64)>,
    /// What was got and expected, or the other access of a race.
    pub detail: String,
    /// The waiting threads of a deadlock or livelock, with what they wait for.
    pub waiting: Vec<Waiting>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`", self.kernel)?;
        if self.line != 0 {
            write!(f, ", line {} (`{}`)", self.line, self.opcode)?;
        }
        if let Some(location) = &self.location {
            write!(f, ", {location}")?;
        }
        if let Some(thread) = &self.thread {
            write!(f, ", {thread}")?;
        }
        if let Some((space, address)) = &self.address {
            write!(f, ", {} address {address:#x}", space.name())?;
        }
        write!(f, ": {}: {}", self.kind, self.detail)?;
        self.waiting.iter().try_for_each(|w| write!(f, "\n  {w}"))
    }
}
