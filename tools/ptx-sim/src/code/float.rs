//! Floating-point instructions in their general form; the common ones have functions over lanes instead.

use super::operand::{Pred, Reg, Src};
use crate::float::{Format, Mode};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatKind {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Sqrt,
    Rcp,
    Min,
    Max,
    Abs,
    Neg,
    /// The magnitude of `b` with the sign of `a`.
    CopySign,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
}

/// One floating-point instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FloatOp {
    pub(crate) kind: FloatKind,
    pub(crate) format: Format,
    /// Values packed into a register.
    pub(crate) packed: u32,
    pub(crate) mode: Mode,
    /// Subnormal inputs and results become zero.
    pub(crate) ftz: bool,
    /// The result is clamped to 0 … 1, NaN to 0.
    pub(crate) sat: bool,
    /// A negative result becomes 0, NaN stays NaN.
    pub(crate) relu: bool,
    /// `min`, `max`: the result is NaN if either input is NaN.
    pub(crate) nan: bool,
    /// `min`, `max`: magnitudes are compared, and signs multiplied.
    pub(crate) xorsign: bool,
    /// `min`, `max`: magnitudes are compared, and one is the result.
    pub(crate) magnitude: bool,
    /// `min`, `max`: `c` is a third input.
    pub(crate) three: bool,
    pub(crate) d: Reg,
    pub(crate) a: Src,
    pub(crate) b: Src,
    pub(crate) c: Src,
}

/// One side of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    /// The width in bits, and whether it is signed.
    Integer(u32, bool),
    Float(Format),
    /// tf32: ten mantissa bits at the top of an f32.
    Tf32,
}

/// `cvt` of one value, or of two packed ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Convert {
    pub(crate) from: Number,
    pub(crate) to: Number,
    pub(crate) mode: Mode,
    /// The value is rounded to an integer (`.rni` and similar).
    pub(crate) integral: bool,
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
    pub(crate) relu: bool,
    /// Overflow gives the largest finite value; NaN gives NaN.
    pub(crate) satfinite: bool,
    /// The width of the destination register in bits, to which a signed result is extended.
    pub(crate) register: u32,
    pub(crate) d: Reg,
    pub(crate) a: Src,
    /// Whether a register holds two values, so that both values of `a` are converted.
    pub(crate) packed: bool,
    /// The source of the lower half if two values come from two registers; `a` is then the source of the upper half.
    pub(crate) b: Option<Src>,
}

/// `testp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatTest {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TestFloat {
    pub(crate) test: FloatTest,
    pub(crate) format: Format,
    pub(crate) d: Pred,
    pub(crate) a: Src,
}
