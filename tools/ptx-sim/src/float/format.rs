//! The formats of PTX ISA 5.2.2 and 5.2.3.

use rustc_apfloat::ieee::{self, IeeeFloat, Semantics};

/// A binary format of sign, exponent and mantissa.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    F16,
    BF16,
    /// tf32 without the 13 low zero bits that it has in a register.
    TF32,
    F32,
    F64,
    /// `e5m2`.
    E5M2,
    /// `e4m3`, as `f8E4M3FN` of MLIR. Without infinities, the greatest exponent encodes numbers, too, and NaN is all
    /// ones.
    E4M3,
}

pub(crate) use Format::{BF16, E4M3, E5M2, F16, F32, F64, TF32};

/// The format that holds every number of the others.
pub(super) type Exact = ieee::Quad;

/// The meaning of the bits of tf32.
pub(super) struct Tf32;

impl Semantics for Tf32 {
    const BITS: usize = 19;
    const EXP_BITS: usize = 8;
}

/// The numbers of tf32.
pub(super) type Tf32Number = IeeeFloat<Tf32>;

/// Evaluates an expression with a name for the type of a format's numbers.
macro_rules! number {
    ($format:expr, $number:ident => $value:expr) => {{
        use rustc_apfloat::ieee;
        match $format {
            $crate::float::F16 => $crate::float::format::number!($number = ieee::Half; $value),
            $crate::float::BF16 => $crate::float::format::number!($number = ieee::BFloat; $value),
            $crate::float::TF32 => $crate::float::format::number!($number = $crate::float::format::Tf32Number; $value),
            $crate::float::F32 => $crate::float::format::number!($number = ieee::Single; $value),
            $crate::float::F64 => $crate::float::format::number!($number = ieee::Double; $value),
            $crate::float::E5M2 => $crate::float::format::number!($number = ieee::Float8E5M2; $value),
            $crate::float::E4M3 => $crate::float::format::number!($number = ieee::Float8E4M3FN; $value),
        }
    }};
    ($number:ident = $type:ty; $value:expr) => {{
        type $number = $type;
        $value
    }};
}
pub(super) use number;

impl Format {
    /// Bits of the whole format.
    pub(crate) fn bits(self) -> u32 {
        match self {
            E5M2 | E4M3 => 8,
            F16 | BF16 => 16,
            TF32 => 19,
            F32 => 32,
            F64 => 64,
        }
    }

    /// Exponent bits.
    pub(crate) fn exponent(self) -> u32 {
        match self {
            E4M3 => 4,
            E5M2 | F16 => 5,
            BF16 | TF32 | F32 => 8,
            F64 => 11,
        }
    }

    /// Explicit mantissa bits.
    pub(crate) fn mantissa(self) -> u32 {
        self.bits() - 1 - self.exponent()
    }

    /// The quiet NaN that operations return.
    pub(crate) fn nan(self) -> u64 {
        match self {
            F64 => 0xfff8_0000_0000_0000,
            _ => self.sign_bit(true) - 1,
        }
    }

    pub(crate) fn has_infinities(self) -> bool {
        self != E4M3
    }

    /// The exponent field of infinities and NaNs.
    pub(crate) fn top(self) -> u64 {
        (1 << self.exponent()) - 1
    }

    pub(crate) fn bias(self) -> i32 {
        (1 << (self.exponent() - 1)) - 1
    }

    pub(crate) fn sign_bit(self, negative: bool) -> u64 {
        u64::from(negative) << (self.bits() - 1)
    }

    /// Infinity, or the number of greatest magnitude if the format has no infinity.
    pub(crate) fn infinity(self, negative: bool) -> u64 {
        let all_ones = (1 << (self.exponent() + self.mantissa())) - 1;
        self.sign_bit(negative) | if self.has_infinities() { self.top() << self.mantissa() } else { all_ones - 1 }
    }

    /// The finite value of greatest magnitude.
    pub(crate) fn largest(self, negative: bool) -> u64 {
        self.infinity(negative) - u64::from(self.has_infinities())
    }

    /// The NaN result of an operation: f64 propagates the first NaN of `inputs`, made quiet; the other formats have a
    /// single NaN. Callers order the inputs as a GPU of compute capability 9.0 does; the ISA leaves this open.
    pub(crate) fn nan_of(self, inputs: &[u64]) -> u64 {
        match inputs.iter().find(|&&bits| self == F64 && self.is_nan(bits)) {
            Some(bits) => bits | 1 << (self.mantissa() - 1),
            None => self.nan(),
        }
    }

    pub(crate) fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign_bit(true) > self.infinity(false)
    }

    /// Whether the value is a subnormal.
    pub(crate) fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & !self.sign_bit(true);
        magnitude != 0 && magnitude >> self.mantissa() == 0
    }
}
