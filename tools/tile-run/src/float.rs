//! The floating-point formats that Rust does not have: the number that a bit pattern represents, and the pattern
//! nearest to a number.

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half};
use rustc_apfloat::{Float, FloatConvert};

/// A format of at most 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// IEEE binary16.
    F16,
    /// The upper half of a binary32.
    BF16,
    /// OCP 8-bit format with four exponent bits; all patterns are finite except one NaN of each sign.
    F8E4M3FN,
    /// OCP 8-bit format with five exponent bits.
    F8E5M2,
}

/// Calls a function that is generic over the library's types with the type of a format.
macro_rules! call {
    ($function:ident::<$format:ident>($($argument:expr),*)) => {
        match $format {
            Format::F16 => $function::<Half>($($argument),*),
            Format::BF16 => $function::<BFloat>($($argument),*),
            Format::F8E4M3FN => $function::<Float8E4M3FN>($($argument),*),
            Format::F8E5M2 => $function::<Float8E5M2>($($argument),*),
        }
    };
}

impl Format {
    /// The number below which every whole number from 0 is exact: 2^11 for f16.
    pub fn exact_counts(self) -> u64 {
        call!(exact_counts::<self>())
    }

    /// The pattern nearest to a finite number; the largest finite one beyond the format's range.
    pub fn saturate(self, number: f64) -> u64 {
        self.encode(number).unwrap_or_else(|| call!(largest::<self>(number)))
    }

    /// Whether a pattern is neither infinite nor NaN.
    pub fn is_finite(self, bits: u64) -> bool {
        self.decode(bits).is_finite()
    }

    /// The number that a pattern represents; exact, because a double holds every number of these formats.
    pub fn decode(self, bits: u64) -> f64 {
        call!(decode::<self>(bits))
    }

    /// The pattern nearest to a number, ties to even; `None` if the format cannot hold it.
    pub fn encode(self, number: f64) -> Option<u64> {
        call!(encode::<self>(number))
    }
}

fn bits(number: impl Float) -> u64 {
    number.to_bits() as u64
}

fn double(number: f64) -> Double {
    Double::from_bits(number.to_bits().into())
}

fn decode<F: FloatConvert<Double>>(pattern: u64) -> f64 {
    f64::from_bits(bits(F::from_bits(pattern.into()).convert(&mut false).value))
}

/// Every NaN becomes the pattern of all ones without the sign. In a format without infinities, an overflow is NaN.
fn encode<F: Float>(number: f64) -> Option<u64>
where
    Double: FloatConvert<F>,
{
    if number.is_nan() {
        return Some((1 << (F::BITS - 1)) - 1);
    }
    let nearest: F = double(number).convert(&mut false).value;
    let is_held = nearest.is_finite() || nearest.is_infinite() && number.is_infinite();
    is_held.then(|| bits(nearest))
}

/// The largest finite number with the sign of `number`.
fn largest<F: Float>(number: f64) -> u64 {
    bits(if number.is_sign_negative() { -F::largest() } else { F::largest() })
}

fn exact_counts<F: Float>() -> u64 {
    1 << F::PRECISION
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The formats, each with its width.
    const ALL: [(Format, u32); 4] = [(Format::F16, 16), (Format::BF16, 16), (Format::F8E4M3FN, 8), (Format::F8E5M2, 8)];

    #[test]
    fn known_patterns() {
        assert_eq!(Format::F16.decode(0x3c00), 1.0);
        assert_eq!(Format::F16.decode(0x7bff), 65504.0);
        assert_eq!(Format::F16.decode(1), 2f64.powi(-24));
        assert_eq!(Format::BF16.decode(0xbfc0), -1.5);
        assert_eq!(Format::F8E4M3FN.decode(0x7e), 448.0);
        assert!(Format::F8E4M3FN.decode(0x7f).is_nan() && Format::F8E4M3FN.decode(0xff).is_nan());
        assert_eq!(Format::F8E5M2.decode(0x7b), 57344.0);
        assert_eq!(Format::F8E5M2.decode(0xfc), f64::NEG_INFINITY);
    }

    #[test]
    fn bf16_is_half_of_f32() {
        for bits in 0..=u16::MAX {
            let whole = f64::from(f32::from_bits(u32::from(bits) << 16));
            let ours = Format::BF16.decode(bits.into());
            assert!(ours == whole || (ours.is_nan() && whole.is_nan()), "{bits:#06x}: {ours} {whole}");
        }
    }

    #[test]
    fn every_number_encodes_as_itself() {
        for (format, width) in ALL {
            for bits in (0..1 << width).filter(|&b| format.is_finite(b)) {
                assert_eq!(format.encode(format.decode(bits)), Some(bits), "{format:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Format::F16.encode(65519.0), Some(0x7bff));
        assert_eq!(Format::F16.encode(65520.0), None);
        assert_eq!(Format::F8E4M3FN.encode(f64::INFINITY), None);
        // Half way between 448 and what would be the next number: a tie, which goes to the even pattern.
        assert_eq!(Format::F8E4M3FN.encode(464.0), Some(0x7e));
        assert_eq!(Format::F8E4M3FN.encode(464f64.next_up()), None);
        assert_eq!(Format::F8E5M2.encode(f64::NEG_INFINITY), Some(0xfc));
        for (format, _) in ALL {
            assert!(format.decode(format.encode(f64::NAN).unwrap()).is_nan());
        }
    }

    proptest! {
        /// No other pattern of an 8-bit format is nearer.
        #[test]
        fn encoding_is_nearest(number in -448.0..448f64) {
            for format in [Format::F8E4M3FN, Format::F8E5M2] {
                let distance = |bits: u64| (format.decode(bits) - number).abs();
                let ours = format.encode(number).unwrap();
                for other in (0..256).filter(|&b| format.is_finite(b)) {
                    prop_assert!(distance(ours) <= distance(other), "{format:?} {number}: {ours:#x} {other:#x}");
                }
            }
        }
    }
}
