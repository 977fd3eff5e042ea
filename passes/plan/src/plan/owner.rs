//! Who does a scalar copy.

use crate::problem::{Begin, Which};

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
