//! Exact operations, rounded once; minimum and maximum.

use super::format::{Format, Unpacked, unpack};
use super::round::{Mode, round};

/// An exact finite value with a sticky bit below it.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    exponent: i32,
    mantissa: u128,
}

/// The sign of an exact zero sum: minus only where both are, or where rounding goes down.
fn zero_sign(a: bool, b: bool, mode: Mode) -> bool {
    if a == b { a } else { mode == Mode::Down }
}

/// Moves the leading bit to bit 124, so that a sum has room and every format keeps bits to spare.
fn normalized(value: Exact) -> Exact {
    let shift = value.mantissa.leading_zeros() as i32 - 3;
    Exact { exponent: value.exponent - shift, mantissa: value.mantissa << shift, ..value }
}

/// The rounded sum of two finite values, either of which may be zero.
fn sum(format: Format, a: Exact, b: Exact, mode: Mode) -> u64 {
    if a.mantissa == 0 && b.mantissa == 0 {
        return format.sign_bit(zero_sign(a.negative, b.negative, mode));
    }
    if a.mantissa == 0 || b.mantissa == 0 {
        let one = if a.mantissa == 0 { b } else { a };
        return round(format, one.negative, one.exponent, one.mantissa, false, mode);
    }
    let (a, b) = (normalized(a), normalized(b));
    let (big, small) = if (a.exponent, a.mantissa) >= (b.exponent, b.mantissa) { (a, b) } else { (b, a) };
    let distance = (big.exponent - small.exponent) as u32;
    let shifted = if distance < 128 { small.mantissa >> distance } else { 0 };
    let lost = if distance < 128 { shifted << distance != small.mantissa } else { true };
    if big.negative == small.negative {
        return round(format, big.negative, big.exponent, big.mantissa + shifted, lost, mode);
    }
    // If bits of the subtrahend were lost, the exact difference is between this value and the next: one less, plus a
    // fraction.
    let difference = big.mantissa - shifted - u128::from(lost);
    if difference == 0 && !lost {
        return format.sign_bit(mode == Mode::Down);
    }
    round(format, big.negative, big.exponent, difference, lost, mode)
}

pub(crate) fn add(format: Format, a: u64, b: u64, mode: Mode) -> u64 {
    plus(format, unpack(format, a), unpack(format, b), mode)
}

/// `a + b`, rounded once; products of two numbers may be summands.
fn plus(format: Format, a: Unpacked, b: Unpacked, mode: Mode) -> u64 {
    use Unpacked::*;
    match (a, b) {
        (Nan, _) | (_, Nan) => format.nan,
        (Infinite { negative: x }, Infinite { negative: y }) if x != y => format.nan,
        (Infinite { negative }, _) | (_, Infinite { negative }) => format.infinity(negative),
        (Finite { negative, exponent, mantissa }, Finite { negative: n, exponent: e, mantissa: m }) => {
            let a = Exact { negative, exponent, mantissa };
            sum(format, a, Exact { negative: n, exponent: e, mantissa: m }, mode)
        }
    }
}

pub(crate) fn multiply(format: Format, a: u64, b: u64, mode: Mode) -> u64 {
    match product(unpack(format, a), unpack(format, b)) {
        Unpacked::Nan => format.nan,
        Unpacked::Infinite { negative } => format.infinity(negative),
        Unpacked::Finite { negative, exponent, mantissa } => round(format, negative, exponent, mantissa, false, mode),
    }
}

fn product(a: Unpacked, b: Unpacked) -> Unpacked {
    use Unpacked::*;
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { .. }, Finite { mantissa: 0, .. }) | (Finite { mantissa: 0, .. }, Infinite { .. }) => Nan,
        (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
        (Finite { exponent, mantissa, .. }, Finite { exponent: e, mantissa: m, .. }) => {
            Finite { negative, exponent: exponent + e, mantissa: mantissa * m }
        }
    }
}

/// `a · b + c`, rounded once.
pub(crate) fn fma(format: Format, a: u64, b: u64, c: u64, mode: Mode) -> u64 {
    plus(format, product(unpack(format, a), unpack(format, b)), unpack(format, c), mode)
}

pub(crate) fn divide(format: Format, a: u64, b: u64, mode: Mode) -> u64 {
    use Unpacked::*;
    let (a, b) = (unpack(format, a), unpack(format, b));
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => format.nan,
        (Finite { mantissa: 0, .. }, Finite { mantissa: 0, .. }) => format.nan,
        (Infinite { .. }, _) | (_, Finite { mantissa: 0, .. }) => format.infinity(negative),
        (_, Infinite { .. }) => format.sign_bit(negative),
        (Finite { exponent, mantissa, .. }, Finite { exponent: e, mantissa: m, .. }) => {
            let shift = mantissa.leading_zeros() as i32;
            let top = if mantissa == 0 { 0 } else { mantissa << shift };
            round(format, negative, exponent - shift - e, top / m, top % m != 0, mode)
        }
    }
}

pub(crate) fn square_root(format: Format, a: u64, mode: Mode) -> u64 {
    match unpack(format, a) {
        Unpacked::Nan => format.nan,
        Unpacked::Finite { mantissa: 0, .. } => a,
        Unpacked::Infinite { negative } | Unpacked::Finite { negative, .. } if negative => format.nan,
        Unpacked::Infinite { .. } => a,
        Unpacked::Finite { exponent, mantissa, .. } => {
            // An even exponent, and as many mantissa bits as fit.
            let shift = (mantissa.leading_zeros() as i32 - 1) & !1;
            let shift = shift - ((exponent - shift) & 1);
            let top = mantissa << shift;
            let root = top.isqrt();
            round(format, false, (exponent - shift) / 2, root, root * root != top, mode)
        }
    }
}

/// The smaller or larger of two values; -0 is smaller than +0. If one is NaN, the result is the other, or NaN if `nan`.
pub(crate) fn extremum(format: Format, a: u64, b: u64, min: bool, nan: bool) -> u64 {
    match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => return format.nan_of(&[b, a]),
        (true, false) | (false, true) if nan => return format.nan,
        (true, false) => return b,
        (false, true) => return a,
        _ => {}
    }
    // Maps sign and magnitude to integers of the same order.
    let key = |bits: u64| {
        let magnitude = (bits & !format.sign_bit(true)) as i64;
        if bits & format.sign_bit(true) != 0 { -magnitude - 1 } else { magnitude }
    };
    if (key(a) <= key(b)) == min { a } else { b }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{BF16, F16, F32, F64};
    use super::*;

    /// Tests the bits, not the value: the optimizer may replace one NaN by another while the value is a float, and
    /// would then drop the choice between a root that is NaN and the constant.
    fn canonical(value: f64) -> u64 {
        let bits = std::hint::black_box(value).to_bits();
        if F64.is_nan(bits) { F64.nan } else { bits }
    }

    fn canonical32(value: f32) -> u64 {
        let bits = u64::from(std::hint::black_box(value).to_bits());
        if F32.is_nan(bits) { F32.nan } else { bits }
    }

    /// Bits that include special values, subnormals and close exponents.
    fn doubles() -> impl Strategy<Value = u64> {
        let near =
            (any::<bool>(), 1000u64..1060, any::<u64>()).prop_map(|(s, e, m)| u64::from(s) << 63 | e << 52 | m >> 12);
        let special =
            prop::sample::select(vec![0, 1 << 63, 1, F64.infinity(false), F64.infinity(true), F64.nan, 1 << 52]);
        prop_oneof![any::<u64>(), near, special]
    }

    fn singles() -> impl Strategy<Value = u32> {
        let near =
            (any::<bool>(), 110u32..145, any::<u32>()).prop_map(|(s, e, m)| u32::from(s) << 31 | e << 23 | m >> 9);
        prop_oneof![any::<u32>(), near, prop::sample::select(vec![0, 1 << 31, 1, 0x7f80_0000, 0xff80_0000, 1 << 23])]
    }

    proptest! {
        #[test]
        fn double_agrees_with_the_host(a in doubles(), b in doubles(), c in doubles()) {
            let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            prop_assert_eq!(add(F64, a, b, Mode::Nearest), canonical(x + y));
            prop_assert_eq!(multiply(F64, a, b, Mode::Nearest), canonical(x * y));
            prop_assert_eq!(divide(F64, a, b, Mode::Nearest), canonical(x / y));
            prop_assert_eq!(square_root(F64, a, Mode::Nearest), canonical(x.sqrt()));
            prop_assert_eq!(fma(F64, a, b, c, Mode::Nearest), canonical(x.mul_add(y, z)));
        }

        #[test]
        fn single_agrees_with_the_host(a in singles(), b in singles(), c in singles()) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let (a, b, c) = (u64::from(a), u64::from(b), u64::from(c));
            prop_assert_eq!(add(F32, a, b, Mode::Nearest), canonical32(x + y));
            prop_assert_eq!(multiply(F32, a, b, Mode::Nearest), canonical32(x * y));
            prop_assert_eq!(divide(F32, a, b, Mode::Nearest), canonical32(x / y));
            prop_assert_eq!(square_root(F32, a, Mode::Nearest), canonical32(x.sqrt()));
            prop_assert_eq!(fma(F32, a, b, c, Mode::Nearest), canonical32(x.mul_add(y, z)));
        }

        /// Down and up enclose the exact value, and are adjacent if it is not representable.
        #[test]
        fn directed_modes_enclose(a in doubles(), b in doubles()) {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            prop_assume!((x * y).is_finite() && (x + y).is_finite());
            for f in [add, multiply] {
                let low = f64::from_bits(f(F64, a, b, Mode::Down));
                let high = f64::from_bits(f(F64, a, b, Mode::Up));
                let near = f64::from_bits(f(F64, a, b, Mode::Nearest));
                let zero = f64::from_bits(f(F64, a, b, Mode::Zero));
                prop_assert!(low <= near && near <= high);
                prop_assert!(low == high || low.next_up() == high);
                prop_assert_eq!(zero, if near.is_sign_negative() { high } else { low });
            }
        }
    }

    #[test]
    fn directed_single_additions() {
        let one = u64::from(1f32.to_bits());
        let tiny = u64::from(1e-20f32.to_bits());
        assert_eq!(add(F32, one, tiny, Mode::Up), one + 1);
        assert_eq!(add(F32, one, tiny, Mode::Zero), one);
        assert_eq!(add(F32, one, tiny | 1 << 31, Mode::Zero), one - 1);
        assert_eq!(add(F32, one, tiny | 1 << 31, Mode::Nearest), one);
        assert_eq!(add(F32, one, one | 1 << 31, Mode::Down), 1 << 31);
    }

    #[test]
    fn halves() {
        // 1 + 2^-11 is a tie and goes to even; 1 + 3·2^-11 is a tie and goes up.
        assert_eq!(add(F16, 0x3c00, 0x1000, Mode::Nearest), 0x3c00);
        assert_eq!(add(F16, 0x3c01, 0x1000, Mode::Nearest), 0x3c02);
        // 65504 + 16 rounds to infinity, 65504 + 15 does not.
        assert_eq!(add(F16, 0x7bff, 0x4c00, Mode::Nearest), 0x7c00);
        assert_eq!(add(F16, 0x7bff, 0x4b80, Mode::Nearest), 0x7bff);
        assert_eq!(multiply(BF16, 0x3f80, 0x4049, Mode::Nearest), 0x4049);
        assert_eq!(fma(F16, 0x3c01, 0x3c01, 0xbc02, Mode::Nearest), 0x0010);
    }
}
