//! The floating-point formats that Rust does not have: the number that a bit pattern represents, and the pattern
//! nearest to a number.

/// A format of sign, exponent and mantissa bits.
///
/// ```text
/// f8E4M3FN   s eeee mmm      1.5 = 1.5 * 2^0: exponent 0 + bias 7, mantissa .100    →  0 0111 100
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    exponent: u32,
    mantissa: u32,
    /// Whether patterns with all exponent bits set are infinity or NaN, as in IEEE 754; otherwise only the last pattern
    /// is NaN.
    infinity: bool,
}

impl Format {
    /// IEEE binary16.
    pub const F16: Self = Self { exponent: 5, mantissa: 10, infinity: true };
    /// The upper half of a binary32.
    pub const BF16: Self = Self { exponent: 8, mantissa: 7, infinity: true };
    /// OCP 8-bit format with four exponent bits; all patterns are finite except one NaN of each sign.
    pub const F8E4M3FN: Self = Self { exponent: 4, mantissa: 3, infinity: false };
    /// OCP 8-bit format with five exponent bits.
    pub const F8E5M2: Self = Self { exponent: 5, mantissa: 2, infinity: true };

    /// The number of patterns without the sign bit, which are `0 .. magnitudes()`.
    fn magnitudes(self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

    fn largest_finite(self) -> u64 {
        if self.infinity { self.magnitudes() - (1 << self.mantissa) - 1 } else { self.magnitudes() - 2 }
    }

    /// The number below which every whole number from 0 is exact: 2^11 for f16.
    pub fn exact_counts(self) -> u64 {
        1 << (self.mantissa + 1)
    }

    /// The pattern nearest to a finite number; the largest finite one beyond the format's range.
    pub fn saturate(self, number: f64) -> u64 {
        let sign = if number.is_sign_negative() { self.magnitudes() } else { 0 };
        self.encode(number).unwrap_or(sign | self.largest_finite())
    }

    /// Whether a pattern is neither infinite nor NaN.
    pub fn is_finite(self, bits: u64) -> bool {
        bits & (self.magnitudes() - 1) <= self.largest_finite()
    }

    /// The number that a pattern represents; exact, because a double holds every number of these formats.
    pub fn decode(self, bits: u64) -> f64 {
        let magnitude = bits & (self.magnitudes() - 1);
        let sign = if bits & self.magnitudes() != 0 { -1.0 } else { 1.0 };
        if !self.is_finite(bits) {
            let infinite = self.infinity && magnitude == self.largest_finite() + 1;
            return if infinite { sign * f64::INFINITY } else { f64::NAN };
        }
        let (exponent, fraction) = (magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1));
        let bias = (1 << (self.exponent - 1)) - 1;
        let scale = 2f64.powi(exponent.max(1) as i32 - bias - self.mantissa as i32);
        let hidden = u64::from(exponent > 0) << self.mantissa;
        sign * (hidden + fraction) as f64 * scale
    }

    /// The pattern nearest to a number, ties to even; `None` if the format cannot hold it.
    ///
    /// Patterns without sign have the same order as their numbers, so the nearest is found by bisection.
    pub fn encode(self, number: f64) -> Option<u64> {
        let sign = if number.is_sign_negative() { self.magnitudes() } else { 0 };
        let (number, last) = (number.abs(), self.largest_finite());
        if number.is_nan() {
            return Some(self.magnitudes() - 1);
        }
        if number.is_infinite() {
            return self.infinity.then_some(sign | (last + 1));
        }
        if number > self.decode(last) {
            let half = (self.decode(last) - self.decode(last - 1)) / 2.0;
            return (number < self.decode(last) + half).then_some(sign | last);
        }
        let (mut below, mut above) = (0, last);
        while below < above {
            let middle = (below + above) / 2;
            if self.decode(middle) < number { below = middle + 1 } else { above = middle }
        }
        let lower = above.saturating_sub(1);
        let (down, up) = (number - self.decode(lower), self.decode(above) - number);
        let nearest = if down < up || (down == up && lower.is_multiple_of(2)) { lower } else { above };
        Some(sign | nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Format; 4] = [Format::F16, Format::BF16, Format::F8E4M3FN, Format::F8E5M2];

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
        for format in ALL {
            for bits in (0..2 * format.magnitudes()).filter(|&b| format.is_finite(b)) {
                assert_eq!(format.encode(format.decode(bits)), Some(bits), "{format:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Format::F16.encode(65519.0), Some(0x7bff));
        assert_eq!(Format::F16.encode(65520.0), None);
        assert_eq!(Format::F8E4M3FN.encode(f64::INFINITY), None);
        assert_eq!(Format::F8E5M2.encode(f64::NEG_INFINITY), Some(0xfc));
        for format in ALL {
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
