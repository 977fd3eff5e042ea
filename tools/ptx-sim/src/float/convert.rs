//! Conversions between formats and integers (PTX ISA 9.7.9, `cvt`).

use super::format::{BF16, F32, F64, Format, Unpacked, unpack};
use super::round::{Mode, round, shift_round};

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
        return to.nan;
    }
    let payload = bits & ((1 << from.mantissa) - 1);
    let moved = payload << (64 - from.mantissa) >> (64 - to.mantissa);
    let negative = bits & from.sign_bit(true) != 0;
    to.infinity(negative) | moved | 1 << (to.mantissa - 1)
}

/// `bits` of `from` as a value of `to`.
pub(crate) fn resize(from: Format, to: Format, bits: u64, mode: Mode) -> u64 {
    match unpack(from, bits) {
        Unpacked::Nan => nan(from, to, bits),
        Unpacked::Infinite { negative } => to.infinity(negative),
        Unpacked::Finite { negative, exponent, mantissa } => round(to, negative, exponent, mantissa, false, mode),
    }
}

/// An integer as a value of `to`.
pub(crate) fn from_integer(to: Format, value: i128, mode: Mode) -> u64 {
    round(to, value < 0, 0, value.unsigned_abs(), false, mode)
}

/// The integer that `bits` rounds to, clamped to `low ..= high`. NaN gives 0, but only the top bit set if either type
/// has 64 bits: this is what the hardware does, while the ISA says 0.
pub(crate) fn to_integer(from: Format, bits: u64, mode: Mode, low: i128, high: i128) -> i128 {
    match unpack(from, bits) {
        Unpacked::Nan if from == F64 || high - low > i128::from(u32::MAX) => (high - low + 1) / 2,
        Unpacked::Nan => 0,
        Unpacked::Infinite { negative } => {
            if negative {
                low
            } else {
                high
            }
        }
        Unpacked::Finite { negative, exponent, mantissa } => {
            let magnitude = integral(negative, exponent, mantissa, mode);
            let signed = i128::try_from(magnitude).unwrap_or(i128::MAX);
            (if negative { -signed } else { signed }).clamp(low, high)
        }
    }
}

/// The magnitude of a finite value rounded to an integer; values of 2^100 and more, which are integers, saturate.
fn integral(negative: bool, exponent: i32, mantissa: u128, mode: Mode) -> u128 {
    match exponent {
        ..0 => shift_round(mantissa, exponent.unsigned_abs(), false, negative, mode),
        0..64 => mantissa << exponent,
        _ if mantissa == 0 => 0,
        _ => u128::MAX,
    }
}

/// `bits` rounded to an integral value of the same format (`cvt.rni.f32.f32` and similar).
pub(crate) fn round_to_integral(format: Format, bits: u64, mode: Mode) -> u64 {
    match unpack(format, bits) {
        Unpacked::Nan => format.nan_of(&[bits]),
        Unpacked::Finite { negative, exponent: exponent @ ..0, mantissa } => {
            let magnitude = shift_round(mantissa, exponent.unsigned_abs(), false, negative, mode);
            round(format, negative, 0, magnitude, false, Mode::Zero)
        }
        _ => bits,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{F16, TF32};
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

        #[test]
        fn widening_and_narrowing_a_half_is_the_identity(bits in any::<u16>()) {
            for format in [F16, BF16] {
                if !format.is_nan(bits.into()) {
                    let wide = resize(format, F32, bits.into(), Mode::Nearest);
                    prop_assert_eq!(resize(F32, format, wide, Mode::Zero), u64::from(bits));
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
