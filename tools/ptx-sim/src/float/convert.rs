//! Conversions between formats and integers (PTX ISA 9.7.9, `cvt`).

use std::cmp::Ordering;

use rustc_apfloat::{Float, FloatConvert};

use super::format::{BF16, E4M3, E5M2, Exact, F16, F32, F64, Format, TF32, number};
use super::round::Mode;

/// Converts a NaN of `from` to one of `to`: to and from f64 it keeps its sign and the leading bits of its payload and
/// is made quiet; from bf16 to f32 its bits move up unchanged; otherwise the result is the one NaN of `to`. This is the
/// behaviour of a GPU of compute capability 9.0; the ISA leaves it open.
///
/// ```text
/// f32  ffc00777          sign, 8 bits of exponent, payload 400777
/// f64  fff800eee0000000  sign, 11 bits of exponent, the same payload on the left
/// ```
fn nan(from: Format, to: Format, bits: u64) -> u64 {
    if (from, to) == (BF16, F32) {
        return bits << 16;
    }
    if from != F64 && to != F64 {
        return to.nan();
    }
    let payload = bits & ((1 << from.mantissa()) - 1);
    let moved = payload << (64 - from.mantissa()) >> (64 - to.mantissa());
    let negative = bits & from.sign_bit(true) != 0;
    to.infinity(negative) | moved | 1 << (to.mantissa() - 1)
}

/// A value of `format`, which is not NaN.
fn exact(format: Format, bits: u64) -> Exact {
    number!(format, F => F::from_bits(bits.into()).convert(&mut false).value)
}

/// `bits` of `from` as a value of `to`.
pub(crate) fn resize(from: Format, to: Format, bits: u64, mode: Mode) -> u64 {
    if from.is_nan(bits) {
        return nan(from, to, bits);
    }
    let out = number!(from, F => {
        let exact = F::from_bits(bits.into());
        number!(to, T => FloatConvert::<T>::convert_r(exact, mode.round(), &mut false).value.to_bits() as u64)
    });
    // A number too large for a format without infinities.
    if to.is_nan(out) { mode.overflow(to, bits & from.sign_bit(true) != 0) } else { out }
}

/// The number that the low bits of `bits`, as many as the format has, stand for: f64 holds those of all formats. What NaN
/// it is for a NaN is not specified.
pub(crate) fn number(format: Format, bits: u64) -> f64 {
    match format {
        F64 => f64::from_bits(bits),
        F32 => f32::from_bits(bits as u32).into(),
        TF32 => f32::from_bits((bits << 13) as u32).into(),
        BF16 => f32::from_bits((bits << 16) as u32).into(),
        F16 | E5M2 | E4M3 => {
            let magnitude = bits & (format.sign_bit(true) - 1);
            // With the bias of f64 instead of the format's, a subnormal number is one of f64, too.
            let scale = f64::from_bits(((2 * F64.bias() - format.bias()) as u64) << F64.mantissa());
            let size = match magnitude.cmp(&format.infinity(false)) {
                Ordering::Greater => f64::NAN,
                Ordering::Equal if format.has_infinities() => f64::INFINITY,
                _ => f64::from_bits(magnitude << (F64.mantissa() - format.mantissa())) * scale,
            };
            if bits & format.sign_bit(true) == 0 { size } else { -size }
        }
    }
}

/// An integer as a value of `to`.
pub(crate) fn from_integer(to: Format, value: i128, mode: Mode) -> u64 {
    number!(to, F => F::from_i128_r(value, mode.round()).value.to_bits() as u64)
}

/// The integer that `bits` rounds to, clamped to `low ..= high`. NaN gives 0, but only the top bit set if either type
/// has 64 bits: this is what the hardware does, while the ISA says 0.
pub(crate) fn to_integer(from: Format, bits: u64, mode: Mode, low: i128, high: i128) -> i128 {
    if from.is_nan(bits) {
        let wide = from == F64 || high - low > i128::from(u32::MAX);
        return if wide { (high - low + 1) / 2 } else { 0 };
    }
    exact(from, bits).to_i128_r(128, mode.round(), &mut false).value.clamp(low, high)
}

/// `bits` rounded to an integral value of the same format (`cvt.rni.f32.f32` and similar).
pub(crate) fn round_to_integral(format: Format, bits: u64, mode: Mode) -> u64 {
    if format.is_nan(bits) {
        return format.nan_of(&[bits]);
    }
    number!(format, F => F::from_bits(bits.into()).round_to_integral(mode.round()).value.to_bits() as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn casts_agree_with_the_host(bits in any::<u64>(), single in any::<u32>(), n in any::<i64>()) {
            let (d, s) = (f64::from_bits(bits), f32::from_bits(single));
            if !d.is_nan() {
                prop_assert_eq!(resize(F64, F32, bits, Mode::Nearest), u64::from((d as f32).to_bits()));
            }
            if !s.is_nan() {
                prop_assert_eq!(resize(F32, F64, single.into(), Mode::Nearest), f64::from(s).to_bits());
            }
            let (low, high) = (i128::from(i32::MIN), i128::from(i32::MAX));
            prop_assert_eq!(to_integer(F32, single.into(), Mode::Zero, low, high), i128::from(s as i32));
            if !d.is_nan() {
                prop_assert_eq!(to_integer(F64, bits, Mode::Zero, 0, i128::from(u64::MAX)), i128::from(d as u64));
            }
            prop_assert_eq!(from_integer(F32, n.into(), Mode::Nearest), u64::from((n as f32).to_bits()));
            if !s.is_nan() {
                let ties_even = u64::from(s.round_ties_even().to_bits());
                prop_assert_eq!(round_to_integral(F32, single.into(), Mode::Nearest), ties_even);
                prop_assert_eq!(round_to_integral(F32, single.into(), Mode::Up), u64::from(s.ceil().to_bits()));
                prop_assert_eq!(round_to_integral(F32, single.into(), Mode::Down), u64::from(s.floor().to_bits()));
            }
        }
    }

    /// The number that the fields of a pattern stand for; the pattern is not NaN.
    fn by_definition(format: Format, bits: u64) -> f64 {
        let (mantissa, magnitude) = (format.mantissa(), bits & !format.sign_bit(true));
        let sign = if bits == magnitude { 1.0 } else { -1.0 };
        if format != E4M3 && magnitude == format.infinity(false) {
            return sign * f64::INFINITY;
        }
        let (exponent, fraction) = (magnitude >> mantissa, magnitude & ((1 << mantissa) - 1));
        let hidden = u64::from(exponent > 0) << mantissa;
        let scale = exponent.max(1) as i32 - format.bias() - mantissa as i32;
        sign * (hidden + fraction) as f64 * 2f64.powi(scale)
    }

    #[test]
    fn numbers_are_what_apfloat_says() {
        for format in SHORT.into_iter().chain([TF32]) {
            for bits in 0..1u64 << format.bits() {
                let (got, above) = (number(format, bits), number(format, bits | 1 << 40));
                let want = f64::from_bits(resize(format, F64, bits, Mode::Nearest));
                assert!(
                    got == want && above == want || got.is_nan() && above.is_nan() && want.is_nan(),
                    "{format:?} {bits:#x}"
                );
                assert!(got.is_nan() || got.is_sign_negative() == want.is_sign_negative(), "{format:?} {bits:#x}");
            }
        }
    }

    const SHORT: [Format; 4] = [E5M2, E4M3, F16, BF16];
    const MODES: [Mode; 5] = [Mode::Nearest, Mode::Away, Mode::Zero, Mode::Down, Mode::Up];

    #[test]
    fn every_short_pattern_is_the_number_of_its_fields() {
        for format in SHORT {
            for bits in (0..1 << format.bits()).filter(|&bits| !format.is_nan(bits)) {
                let wide = resize(format, F64, bits, Mode::Nearest);
                assert_eq!(f64::from_bits(wide), by_definition(format, bits), "{format:?} {bits:#x}");
                for mode in MODES {
                    assert_eq!(resize(F64, format, wide, mode), bits, "{format:?} {bits:#x} {mode:?}");
                }
            }
        }
    }

    /// What is a quarter, a half and three quarters of the way between neighbours becomes one of these.
    #[test]
    fn every_gap_between_short_patterns_is_rounded_by_the_mode() {
        for format in SHORT {
            for bits in 0..format.largest(false) {
                let (low, high) = (by_definition(format, bits), by_definition(format, bits + 1));
                for (quarter, ahead) in [(0.25, false), (0.5, bits % 2 == 1), (0.75, true)] {
                    let between = (low + quarter * (high - low)).to_bits();
                    let away = quarter >= 0.5;
                    let expected = [ahead, away, false, false, true].map(|up| bits + u64::from(up));
                    assert_eq!(MODES.map(|mode| resize(F64, format, between, mode)), expected, "{format:?} {bits:#x}");
                }
            }
        }
    }

    /// The results of an H200.
    #[test]
    fn payloads_of_nan() {
        let cvt = |from, to, bits| resize(from, to, bits, Mode::Nearest);
        assert_eq!(cvt(F32, F64, 0xffc0_0777), 0xfff8_00ee_e000_0000);
        assert_eq!(cvt(F32, F64, 0x7f80_0123), 0x7ff8_0024_6000_0000);
        assert_eq!(cvt(F16, F64, 0xfd02), 0xfffc_0800_0000_0000);
        assert_eq!(cvt(BF16, F64, 0xff82), 0xfff8_4000_0000_0000);
        assert_eq!(cvt(F64, F32, 0xfff4_0000_0000_0055), 0xffe0_0000);
        assert_eq!(cvt(F64, F16, 0xfff4_0000_0000_0055), 0xff00);
        assert_eq!(cvt(F64, BF16, 0x7ff8_0000_0000_1234), 0x7fc0);
        assert_eq!(cvt(BF16, F32, 0xff82), 0xff82_0000);
        assert_eq!(cvt(F16, F32, 0xfe01), 0x7fff_ffff);
        assert_eq!(cvt(F32, BF16, 0xffc0_0777), 0x7fff);
    }

    #[test]
    fn tf32_keeps_ten_bits_and_rounds_ties_away() {
        let tie = u64::from(1f32.to_bits()) | 1 << 12;
        assert_eq!(resize(F32, TF32, tie, Mode::Away) << 13, u64::from(1f32.to_bits()) + (1 << 13));
        assert_eq!(resize(F32, TF32, tie, Mode::Nearest) << 13, u64::from(1f32.to_bits()));
    }

    #[test]
    fn large_halves_overflow() {
        let f = |v: f32, mode| resize(F32, F16, v.to_bits().into(), mode);
        assert_eq!(f(65520.0, Mode::Nearest), 0x7c00);
        assert_eq!(f(65519.0, Mode::Nearest), 0x7bff);
        assert_eq!(f(1e9, Mode::Zero), 0x7bff);
        assert_eq!(f(6e-8, Mode::Nearest), 1);
    }
}
