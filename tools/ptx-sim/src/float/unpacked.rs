//! A value taken apart.

use super::format::Format;

/// A floating-point value; a finite one is `mantissa · 2^exponent`, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, exponent: i32, mantissa: u128 },
}

/// Takes `bits` of `format` apart. Zero has mantissa 0.
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
