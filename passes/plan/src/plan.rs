//! What the planner answers: the two stages of a plan, and why a variant declined.

use std::fmt;

use thiserror::Error;
use tile_layout::Layout;

use crate::cache::Cache;
use crate::problem::{Begin, Space, Which};

/// Why something cannot be done: a name per cause, and a sentence that says got and needed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Refusal {
    /// A distinct kebab-case name, for machines: `count-not-divisible`.
    pub cause: &'static str,
    /// For people.
    pub reason: String,
    /// The operand at fault, where it is one.
    pub operand: Option<Which>,
}

impl Refusal {
    /// A refusal that concerns the copy as a whole.
    pub fn new(cause: &'static str, reason: impl Into<String>) -> Self {
        Refusal { cause, reason: reason.into(), operand: None }
    }

    /// A refusal for what one operand is.
    pub fn of(operand: Which, cause: &'static str, reason: impl Into<String>) -> Self {
        Refusal { cause, reason: reason.into(), operand: Some(operand) }
    }

    /// The same as one variant's decline.
    pub fn by(self, variant: &'static str) -> Decline {
        Decline { variant, cause: self.cause, reason: self.reason, operand: self.operand }
    }
}

/// A variant's refusal to take a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    /// Who declined.
    pub variant: &'static str,
    /// A distinct kebab-case name per cause.
    pub cause: &'static str,
    /// Got and needed.
    pub reason: String,
    /// The operand at fault, where it is one.
    pub operand: Option<Which>,
}

impl fmt::Display for Decline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} declined: {}", self.variant, self.reason)
    }
}

/// A run-time part of a memory address: `floor(values[value] / div) * stride` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicTerm {
    /// Index into the operand's run-time values.
    pub value: usize,
    /// At least 1; more than 1 only where the value's remainder is already in the static offset.
    pub div: i64,
    /// Elements per step of the quotient.
    pub stride: i64,
    /// The quotient is `residue` modulo this.
    pub divisor: i64,
    /// In `0..divisor`.
    pub residue: i64,
}

/// One side of a planned copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Where it lives.
    pub space: Space,
    /// Linear position in the copy's order → location. No replica; the offset is the static part of the
    /// region's begin; the swizzle, if any, is applied to the complete address.
    pub layout: Layout,
    /// What is added to the memory address at run time, before the swizzle.
    pub dynamic: Vec<DynamicTerm>,
    /// Proven alignment of the storage's first element, in bytes.
    pub align_bytes: i64,
}

/// A condition on the scope-relative thread `t`: only threads with `(t / div) % extent == 0` take part.
///
/// `Guard { div: 32, extent: 4 }` leaves the first of four warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// At least 1.
    pub div: i64,
    /// At least 2.
    pub extent: i64,
}

impl Guard {
    /// Does thread `t` take part?
    pub fn admits(self, t: i64) -> bool {
        (t / self.div) % self.extent == 0
    }
}

/// What stage 1 decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aligned {
    /// Vectors of a partition; `vectorize` chooses their width.
    Partition(AlignedCopy),
    /// 8x8 matrices through `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy),
    /// One element at a time.
    Scalar(ScalarCopy),
}

impl Aligned {
    /// The variant that took the copy.
    pub fn variant(&self) -> &'static str {
        match self {
            Aligned::Partition(copy) => copy.variant,
            Aligned::Matrix(_) => "ldstmatrix",
            Aligned::Scalar(_) => "fallback",
        }
    }
}

/// Both sides in one order, before the vector width is chosen.
///
/// Position `x` of `0..size` is the same element on both sides. The two lists of extents are the same.
/// For `reg` the leading iters are the thread part: the register side's carry their thread axis, and the
/// scope-relative thread id is the linear index of that part.
///
/// ```text
///   reg, warp, 32x8 f32, lane i owns row i
///     registers  (32, 8) : (1@laneid, 1)
///     shared     (32, 8) : (8, 1)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedCopy {
    /// Who planned it.
    pub variant: &'static str,
    /// Threads that share the copy.
    pub threads: i64,
    /// Leading iters that are the thread part; 0 where the partition is still to be made.
    pub thread_iters: usize,
    /// Width of an element.
    pub element_bits: u32,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
    /// The one legal vector width, where a width was forced.
    pub forced_bits: Option<u32>,
    /// Threads that take part; all of them where the list is empty.
    pub guards: Vec<Guard>,
    /// Hints for loads from global memory.
    pub cache: Cache,
}

/// Rounds of vectors: what each thread does.
///
/// Both layouts are over the same extents, `[rounds…, threads…, vector]`. In round `f` thread `t` moves
/// the `vector` elements from position `(f * threads + t) * vector` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorCopy {
    /// Who planned it.
    pub variant: &'static str,
    /// Vectors per thread.
    pub rounds: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// Elements of a vector.
    pub vector: i64,
    /// Width of an element.
    pub element_bits: u32,
    /// Iters just before the last that decode `t` alone, those before them `f` alone. 0 where `threads`
    /// is 1, or where no cut between two iters parts rounds from threads: then all iters but the last
    /// decode `f * threads + t`.
    pub thread_iters: usize,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
    /// Threads that take part; all of them where the list is empty.
    pub guards: Vec<Guard>,
    /// Hints for loads from global memory.
    pub cache: Cache,
}

impl VectorCopy {
    /// Width of one access.
    pub fn vector_bits(&self) -> i64 {
        self.vector * i64::from(self.element_bits)
    }

    /// Bytes that one thread moves.
    pub fn bytes_per_thread(&self) -> i64 {
        self.rounds * self.vector_bits() / 8
    }
}

/// 8x8 matrices of 16-bit elements between shared memory and the registers of warps.
///
/// Both layouts are over `shape = [warps, 8, 4, steps, num, 2]`; iters of each part multiply to its extent.
/// Warp `w`, lane `l`, step `s` of the copy:
///
/// ```text
///   shared row address   position (w, 0, 0, s, l/8 where num > 1, 0), plus (l mod 8) * row_stride
///   register i < num     position (0, 0, 0, s, i, 0) / 2, in 32-bit registers
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixCopy {
    /// Shared → registers (`ldmatrix`), or registers → shared (`stmatrix`)?
    pub load: bool,
    /// Is each matrix transposed on the way?
    pub trans: bool,
    /// Matrices per instruction: 1, 2 or 4.
    pub num: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// `[threads/32, 8, 4, M/(2 num), num, 2]` with `M` elements per thread.
    pub shape: [i64; 6],
    /// Elements between two rows of a matrix in shared memory, before the swizzle.
    pub row_stride: i64,
    /// The shared side.
    pub shared: Side,
    /// The register side.
    pub registers: Side,
    /// Warps that take part; all of them where the list is empty. Whole warps only.
    pub guards: Vec<Guard>,
}

impl MatrixCopy {
    /// Instructions per warp.
    pub fn steps(&self) -> i64 {
        self.shape[3]
    }

    /// The PTX instruction: `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`.
    pub fn instruction(&self) -> String {
        let name = if self.load { "ldmatrix" } else { "stmatrix" };
        let trans = if self.trans { ".trans" } else { "" };
        format!("{name}.sync.aligned.m8n8.x{}{trans}.shared.b16", self.num)
    }
}

/// One element at a time, by whoever owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarCopy {
    /// Which threads copy what.
    pub owner: Owner,
    /// Extents of the region's dimensions that are not 1: the copy's loop nest, the same for both sides.
    pub extents: Vec<i64>,
    /// Width of an element.
    pub element_bits: u32,
    /// Where the elements come from.
    pub src: ScalarSide,
    /// Where they go.
    pub dst: ScalarSide,
}

/// One side of a scalar copy: the layout of the whole buffer, evaluated per element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarSide {
    /// Where it lives.
    pub space: Space,
    /// Layout of the whole buffer, replica included: a source is read at replica 0, a destination is
    /// written at all.
    pub layout: Layout,
    /// Shape of the whole buffer.
    pub shape: Vec<i64>,
    /// Where the region begins.
    pub begin: Vec<Begin>,
    /// Per dimension the loop of [`ScalarCopy::extents`] that walks it; `None` where the extent is 1.
    pub walked: Vec<Option<usize>>,
    /// Proven alignment of the storage's first element, in bytes.
    pub align_bytes: i64,
}

/// Who does a scalar copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Every thread, the whole of it (thread scope; or every thread into its own registers).
    Everyone,
    /// The thread of this scope-relative index does all of it.
    ScopeThread(i64),
    /// The threads of these block-linear indices do all of it, one per scope.
    BlockThreads(Vec<i64>),
    /// Each thread copies the elements that it owns in registers.
    Distributed(Distributed),
}

/// Which elements of a register buffer a thread owns, by decoding its scope-relative id `t`.
///
/// ```text
///   t - offset  ->  digits, strides descending:  d = rest / stride, rest = rest mod stride
///                   the thread owns something only if every d < extent and the last rest is 0
///   element     x = Σ thread digit * weight + Σ serial digit * weight     linear in `domain`
///   register    offset + Σ serial digit * stride
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distributed {
    /// The register operand.
    pub local: Which,
    /// Subtracted from `t`; a negative rest owns nothing.
    pub thread_offset: i64,
    /// Decoded in this order.
    pub digits: Vec<ThreadDigit>,
    /// Loops over what a thread holds.
    pub serial: Vec<SerialDigit>,
    /// Added to every register index.
    pub register_offset: i64,
    /// The shape that `x` is linear in, one entry per dimension of the register operand.
    pub domain: Vec<i64>,
    /// Per dimension of `domain`, what is subtracted from the coordinate to get the position in the
    /// region, and whether `0 <= position < extent` must be checked.
    pub windows: Vec<Window>,
}

/// One digit of a thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadDigit {
    /// Threads between neighbours, at least 1.
    pub stride: i64,
    /// Number of values.
    pub extent: i64,
    /// Elements per step; 0 for a replica.
    pub weight: i64,
    /// Must the digit be 0 (a replica, when registers are the source)?
    pub only_zero: bool,
}

/// One loop over the registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialDigit {
    /// Number of values.
    pub extent: i64,
    /// Registers per step.
    pub stride: i64,
    /// Elements per step; 0 for a replica.
    pub weight: i64,
}

/// How a coordinate of a register operand relates to the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// Where the region begins.
    pub begin: Begin,
    /// How far it goes.
    pub extent: i64,
    /// Can the coordinate lie outside?
    pub check: bool,
}

/// Why a vector could not be twice as wide (or wider).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowing {
    /// The width that failed, in bits.
    pub bits: u32,
    /// A distinct kebab-case name per cause.
    pub cause: &'static str,
    /// Needed, and what is proven instead.
    pub reason: String,
    /// The operand at fault, where it is one.
    pub operand: Option<Which>,
}
