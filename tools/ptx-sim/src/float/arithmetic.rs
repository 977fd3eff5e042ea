//! Operations, rounded once; minimum and maximum.

use rustc_apfloat::{Float, FloatConvert};

use super::format::{Exact, Format, number};
use super::round::Mode;

/// The bits of a result; the format has one NaN.
fn bits<F: Float>(format: Format, result: F) -> u64 {
    if result.is_nan() { format.nan() } else { result.to_bits() as u64 }
}

pub(crate) fn add(format: Format, a: u64, b: u64, mode: Mode) -> u64 {
    number!(format, F => bits(format, F::from_bits(a.into()).add_r(F::from_bits(b.into()), mode.round()).value))
}

pub(crate) fn multiply(format: Format, a: u64, b: u64, mode: Mode) -> u64 {
    number!(format, F => bits(format, F::from_bits(a.into()).mul_r(F::from_bits(b.into()), mode.round()).value))
}

/// `a · b + c`, rounded once.
pub(crate) fn fma(format: Format, a: u64, b: u64, c: u64, mode: Mode) -> u64 {
    number!(format, F => {
        let [a, b, c] = [a, b, c].map(|bits| F::from_bits(bits.into()));
        bits(format, a.mul_add_r(b, c, mode.round()).value)
    })
}

pub(crate) fn divide(format: Format, a: u64, b: u64, mode: Mode) -> u64 {
    number!(format, F => bits(format, F::from_bits(a.into()).div_r(F::from_bits(b.into()), mode.round()).value))
}

pub(crate) fn square_root(format: Format, a: u64, mode: Mode) -> u64 {
    number!(format, F => {
        let exact: Exact = F::from_bits(a.into()).convert(&mut false).value;
        if exact.is_nan() || exact.is_negative() && !exact.is_zero() {
            return format.nan();
        }
        if !exact.is_finite_non_zero() {
            return a;
        }
        bits(format, root(exact).convert_r(mode.round(), &mut false).value as F)
    })
}

/// The root of a positive number, to more than 60 bits, of which the last is set if the root has more. So a conversion
/// to a shorter format rounds it as it would round the root itself.
fn root(number: Exact) -> Exact {
    // The number times an even power of two, as an integer of 126 or 127 bits.
    let shift = (126 - number.ilogb()) & !1;
    let integer = number.scalbn(shift).to_u128(128).value;
    let root = integer.isqrt();
    let more = root * root != integer;
    Exact::from_u128(root << 1 | u128::from(more)).value.scalbn(-shift / 2 - 1)
}

/// The smaller or larger of two values; -0 is smaller than +0. If one is NaN, the result is the other, or NaN if `nan`.
pub(crate) fn extremum(format: Format, a: u64, b: u64, min: bool, nan: bool) -> u64 {
    match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => return format.nan_of(&[b, a]),
        (true, false) | (false, true) if nan => return format.nan(),
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
        if F64.is_nan(bits) { F64.nan() } else { bits }
    }

    fn canonical32(value: f32) -> u64 {
        let bits = u64::from(std::hint::black_box(value).to_bits());
        if F32.is_nan(bits) { F32.nan() } else { bits }
    }

    /// Bits that include special values, subnormals and close exponents.
    fn doubles() -> impl Strategy<Value = u64> {
        let near =
            (any::<bool>(), 1000u64..1060, any::<u64>()).prop_map(|(s, e, m)| u64::from(s) << 63 | e << 52 | m >> 12);
        let special =
            prop::sample::select(vec![0, 1 << 63, 1, F64.infinity(false), F64.infinity(true), F64.nan(), 1 << 52]);
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
