//! The formats of PTX ISA 5.2.2 and 5.2.3, and the unpacking of values.

/// Widths of a binary format's fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    /// Exponent bits.
    pub(crate) exponent: u32,
    /// Explicit mantissa bits.
    pub(crate) mantissa: u32,
    /// The quiet NaN that operations return.
    pub(crate) nan: u64,
    /// Whether the format has infinities. Without them, the greatest exponent encodes numbers, too, and NaN is all
    /// ones.
    pub(crate) infinities: bool,
}

pub(crate) const F16: Format = Format { exponent: 5, mantissa: 10, nan: 0x7fff, infinities: true };
pub(crate) const BF16: Format = Format { exponent: 8, mantissa: 7, nan: 0x7fff, infinities: true };
/// tf32 without the 13 low zero bits that it has in a register.
pub(crate) const TF32: Format = Format { exponent: 8, mantissa: 10, nan: 0x3ffff, infinities: true };
pub(crate) const F32: Format = Format { exponent: 8, mantissa: 23, nan: 0x7fff_ffff, infinities: true };
/// `e5m2`.
pub(crate) const E5M2: Format = Format { exponent: 5, mantissa: 2, nan: 0x7f, infinities: true };
/// `e4m3`, as `f8E4M3FN` of MLIR.
pub(crate) const E4M3: Format = Format { exponent: 4, mantissa: 3, nan: 0x7f, infinities: false };
pub(crate) const F64: Format = Format { exponent: 11, mantissa: 52, nan: 0xfff8_0000_0000_0000, infinities: true };

impl Format {
    /// Bits of the whole format.
    pub(crate) fn bits(self) -> u32 {
        1 + self.exponent + self.mantissa
    }

    /// The exponent field of infinities and NaNs.
    pub(crate) fn top(self) -> u64 {
        (1 << self.exponent) - 1
    }

    pub(crate) fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The power of two of the last mantissa bit of a subnormal.
    pub(crate) fn least(self) -> i32 {
        1 - self.bias() - self.mantissa as i32
    }

    pub(crate) fn sign_bit(self, negative: bool) -> u64 {
        u64::from(negative) << (self.bits() - 1)
    }

    /// Infinity, or the number of greatest magnitude if the format has no infinity.
    pub(crate) fn infinity(self, negative: bool) -> u64 {
        let all_ones = (1 << (self.exponent + self.mantissa)) - 1;
        self.sign_bit(negative) | if self.infinities { self.top() << self.mantissa } else { all_ones - 1 }
    }

    /// The finite value of greatest magnitude.
    pub(crate) fn largest(self, negative: bool) -> u64 {
        self.infinity(negative) - u64::from(self.infinities)
    }

    /// The NaN result of an operation: f64 propagates the first NaN of `inputs`, made quiet; the other formats have a
    /// single NaN. Callers order the inputs as a GPU of compute capability 9.0 does; the ISA leaves this open.
    pub(crate) fn nan_of(self, inputs: &[u64]) -> u64 {
        match inputs.iter().find(|&&bits| self == F64 && self.is_nan(bits)) {
            Some(bits) => bits | 1 << (self.mantissa - 1),
            None => self.nan,
        }
    }

    pub(crate) fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign_bit(true) > self.infinity(false)
    }

    /// Whether the value is a subnormal.
    pub(crate) fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & !self.sign_bit(true);
        magnitude != 0 && magnitude >> self.mantissa == 0
    }
}

/// A floating-point value; a finite one is `mantissa · 2^exponent`, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, exponent: i32, mantissa: u128 },
}

/// Unpacks `bits` of `format`. Zero has mantissa 0.
pub(crate) fn unpack(format: Format, bits: u64) -> Unpacked {
    let negative = bits >> (format.bits() - 1) & 1 == 1;
    let field = bits >> format.mantissa & format.top();
    let fraction = bits & ((1 << format.mantissa) - 1);
    if format.is_nan(bits) {
        return Unpacked::Nan;
    }
    if format.infinities && field == format.top() {
        return Unpacked::Infinite { negative };
    }
    let hidden = u64::from(field != 0) << format.mantissa;
    let exponent = format.least() + field.max(1) as i32 - 1;
    Unpacked::Finite { negative, exponent, mantissa: u128::from(hidden | fraction) }
}

impl Unpacked {
    pub(crate) fn is_negative(self) -> bool {
        match self {
            Self::Nan => false,
            Self::Infinite { negative } | Self::Finite { negative, .. } => negative,
        }
    }
}
