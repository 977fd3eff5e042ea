//! Rounding of an exact value to a format.

use super::format::Format;

/// Rounding modes (PTX ISA 6.5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `rn`: to nearest, ties to even.
    Nearest,
    /// `rna`: to nearest, ties away from zero.
    Away,
    /// `rz`.
    Zero,
    /// `rm`.
    Down,
    /// `rp`.
    Up,
}

impl Mode {
    /// Whether a magnitude is rounded up, given its last kept bit, its first dropped bit and whether more is below.
    fn up(self, negative: bool, odd: bool, half: bool, below: bool) -> bool {
        match self {
            Self::Nearest => half && (below || odd),
            Self::Away => half,
            Self::Zero => false,
            Self::Down => negative && (half || below),
            Self::Up => !negative && (half || below),
        }
    }

    /// The result of overflow: infinity, or the largest finite value.
    fn overflow(self, format: Format, negative: bool) -> u64 {
        let infinite = match self {
            Self::Nearest | Self::Away => true,
            Self::Zero => false,
            Self::Down => negative,
            Self::Up => !negative,
        };
        if infinite { format.infinity(negative) } else { format.largest(negative) }
    }
}

/// `mantissa >> by` rounded; with `sticky`, the true value is slightly above `mantissa`.
pub(crate) fn shift_round(mantissa: u128, by: u32, sticky: bool, negative: bool, mode: Mode) -> u128 {
    if by == 0 {
        let up = mode.up(negative, mantissa & 1 == 1, false, sticky);
        return mantissa + u128::from(up);
    }
    let (kept, half, below) = match by {
        1..=127 => (mantissa >> by, mantissa >> (by - 1) & 1 == 1, mantissa & ((1 << (by - 1)) - 1) != 0),
        128 => (0, mantissa >> 127 == 1, mantissa << 1 != 0),
        _ => (0, false, mantissa != 0),
    };
    kept + u128::from(mode.up(negative, kept & 1 == 1, half, below || sticky))
}

/// The value `± mantissa · 2^exponent` (slightly more in magnitude, if `sticky`) rounded to `format`.
///
/// `sticky` needs a mantissa with at least two bits more than the format keeps, which every caller's alignment ensures.
pub(crate) fn round(format: Format, negative: bool, exponent: i32, mantissa: u128, sticky: bool, mode: Mode) -> u64 {
    if mantissa == 0 && !sticky {
        return format.sign_bit(negative);
    }
    let length = 128 - mantissa.leading_zeros() as i32;
    // The exponent of the last bit kept: the format's precision below the leading bit, but never below subnormals.
    let last = (exponent + length - 1 - format.mantissa as i32).max(format.least());
    let by = last - exponent;
    let mut last = last;
    let mut kept =
        if by >= 0 { shift_round(mantissa, by as u32, sticky, negative, mode) } else { mantissa << (-by) as u32 };
    if kept >> (format.mantissa + 1) != 0 {
        kept >>= 1;
        last += 1;
    }
    let normal = kept >> format.mantissa == 1;
    let field = if normal { (last - format.least() + 1) as u64 } else { 0 };
    let magnitude = field << format.mantissa | (kept as u64 & ((1 << format.mantissa) - 1));
    if magnitude > format.largest(false) {
        return mode.overflow(format, negative);
    }
    format.sign_bit(negative) | magnitude
}
