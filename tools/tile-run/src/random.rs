//! A small deterministic generator of random bits.

/// SplitMix64: every seed gives a different sequence, the same on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A multiple of 2^-53 from 0 to just below 1; all are equally likely.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// A normally distributed number with mean 0 and standard deviation 1, by Marsaglia's polar method.
    ///
    /// It uses only sums, products, quotients and square roots, which IEEE 754 defines to the last bit, so that the
    /// result is the same on every machine. The logarithm of a C library is not.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * logarithm(square) / square).sqrt();
            }
        }
    }
}

/// The natural logarithm of a positive normal number: the exponent times ln 2, plus the series of artanh for the
/// fraction.
fn logarithm(number: f64) -> f64 {
    let bits = number.to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let fraction = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let (exponent, fraction) =
        if fraction > std::f64::consts::SQRT_2 { (exponent + 1, fraction / 2.0) } else { (exponent, fraction) };
    let ratio = (fraction - 1.0) / (fraction + 1.0);
    let square = ratio * ratio;
    // The ratio is below 0.172, so term 12 is below 2^-60.
    let series = (0..12).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * ratio * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_seed_0_is_the_published_one() {
        let mut random = Random::new(0);
        assert_eq!(random.bits(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.bits(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn logarithms_are_those_of_the_library() {
        let mut random = Random::new(2);
        for number in (0..10_000).map(|_| random.unit() + 1e-300).chain([1e-307, 1e-17, 0.5, 1.0, 1.5]) {
            let (ours, theirs) = (logarithm(number), number.ln());
            assert!((ours - theirs).abs() <= 4e-16 * theirs.abs().max(0.5), "{number}: {ours} {theirs}");
        }
    }

    #[test]
    fn normal_numbers_have_their_moments_and_tails() {
        let mut random = Random::new(1);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let moment = |power| numbers.iter().map(|x: &f64| x.powi(power)).sum::<f64>() / 1e5;
        let moments = [1, 2, 3, 4].map(moment);
        let expected = [0.0, 1.0, 0.0, 3.0];
        assert!(moments.iter().zip(expected).all(|(m, e)| (m - e).abs() < 0.1), "{moments:?}");
        let beyond = numbers.iter().filter(|x| x.abs() > 2.0).count();
        assert!((4_350..4_750).contains(&beyond), "{beyond} of 100000 beyond two deviations");
    }
}
