//! The arithmetic of matrix products, which `mma.sync`, `wgmma` and `tcgen05.mma` share: D = A · B + C, element by
//! element.
//!
//! | D | here |
//! | --- | --- |
//! | f32 | a product is rounded to f32, which is exact but for tiny and huge ones of bf16, tf32 or with scales; products are added to C in the order of k, and each sum is rounded to nearest even |
//! | f16 | the same in f32, beginning with C; the end is rounded to f16, to nearest even |
//! | f64 | a chain of `fma` in the order of k, each rounded to nearest even |
//! | s32 | the exact sum; then it wraps around or, with `.satfinite`, is clamped |
//!
//! Elements of tf32 are used without their 13 low bits. Subnormal numbers are used as they are. A result that is NaN is
//! the one NaN that operations return.
//!
//! PTX fixes the results of integers, and says that a product of f64 is as precise as `fma`. It leaves open the order of
//! sums and, for the other types, their precision. A GPU differs there. Published measurements of tensor cores, which
//! have not been repeated here, find that products are exact; that C and groups of four to sixteen products are aligned
//! to the greatest of them and cut off below about 24 bits; and that a D of f32 is cut off, too, but one of f16 rounded
//! to nearest. With `e4m3` and `e5m2`, compute capability 8.9 and 9.0 are found to keep only about 14 bits.
//!
//! So bits agree where partial sums in all orders are exact, as those of small integers. Otherwise, let S be the sum of
//! |C| and of all |a · b|, for K products without overflow or underflow. To first order, the distance from the exact sum is
//! at most K · 2⁻²⁴ · S here, 2 (K + 1) · 2⁻²⁴ · S with 24 bits that are cut off at each step, and 2 (K + 1) · 2⁻¹⁴ · S with 14 bits;
//! a D of f16 adds half a unit of its last place.

use crate::code::{Element, Total};
use crate::float::{F16, F32, F64, Mode, TF32, number, resize};

/// The number that the low bits of an element represent.
pub(crate) fn value(element: Element, bits: u64) -> f64 {
    match element {
        Element::Float(TF32) => number(TF32, bits >> 13),
        Element::Float(format) => number(format, bits),
        Element::E2m1 => {
            let magnitude = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][(bits & 7) as usize];
            if bits & 8 == 0 { magnitude } else { -magnitude }
        }
        Element::Integer { bits: width, signed } => {
            let above = 64 - width;
            if signed { ((bits << above) as i64 >> above) as f64 } else { (bits << above >> above) as f64 }
        }
    }
}

/// How products are summed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sum {
    pub(crate) total: Total,
    /// Whether the products are negated.
    pub(crate) negative: bool,
    /// C of f32 or f16 is divided by two to the power of this first.
    pub(crate) shift: u32,
}

impl Sum {
    /// `start` plus the products of a row of A and a column of B, as bits. Bits of `start` above its type are ignored.
    pub(crate) fn of(self, start: u64, a: &[f64], b: &[f64]) -> u64 {
        match self.total {
            Total::F32 | Total::F16 => self.single(start, a, b),
            Total::F64 => self.double(start, a, b),
            Total::S32 { saturates } => {
                let sum = a.iter().zip(b).fold(i64::from(start as i32), |sum, (a, b)| sum + (a * b) as i64);
                let clamped = sum.clamp(i32::MIN.into(), i32::MAX.into());
                u64::from(if saturates { clamped } else { sum } as u32)
            }
        }
    }

    fn sign(self) -> f64 {
        if self.negative { -1.0 } else { 1.0 }
    }

    fn single(self, start: u64, a: &[f64], b: &[f64]) -> u64 {
        self.end(a.iter().zip(b).fold(self.start(start), |sum, (a, b)| sum + (self.sign() * (a * b)) as f32))
    }

    /// C of f32 or f16, to which products are added.
    pub(super) fn start(self, bits: u64) -> f32 {
        let start = if self.total == Total::F16 { number(F16, bits) as f32 } else { f32::from_bits(bits as u32) };
        if self.shift == 0 { start } else { start * 2f32.powi(-(self.shift as i32)) }
    }

    /// D of f32 or f16, for the sum of C and the products.
    pub(super) fn end(self, sum: f32) -> u64 {
        let bits = if sum.is_nan() { F32.nan() } else { sum.to_bits().into() };
        if self.total == Total::F16 { resize(F32, F16, bits, Mode::Nearest) } else { bits }
    }

    fn double(self, start: u64, a: &[f64], b: &[f64]) -> u64 {
        let sum = a.iter().zip(b).fold(f64::from_bits(start), |sum, (a, b)| a.mul_add(self.sign() * b, sum));
        if sum.is_nan() { F64.nan() } else { sum.to_bits() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTEGERS: Total = Total::S32 { saturates: false };

    fn sum(total: Total, start: u64, a: &[f64], b: &[f64]) -> u64 {
        Sum { total, negative: false, shift: 0 }.of(start, a, b)
    }

    #[test]
    fn integers_wrap_or_are_clamped_at_the_end() {
        let high = i32::MAX as u64;
        assert_eq!(sum(INTEGERS, high, &[2.0, 1.0], &[3.0, -7.0]), high - 1);
        assert_eq!(sum(INTEGERS, high, &[1.0], &[1.0]), 1 << 31);
        let clamped = Total::S32 { saturates: true };
        assert_eq!(sum(clamped, high, &[1.0], &[1.0]), high);
        assert_eq!(sum(clamped, 1 << 31, &[1.0], &[-1.0]), 1 << 31);
        assert_eq!(sum(clamped, high, &[1.0, -1.0], &[1.0, 1.0]), high);
    }

    #[test]
    fn floats_are_rounded_at_each_step() {
        let tiny = 2f64.powi(-24);
        let one = u64::from(1f32.to_bits());
        assert_eq!(sum(Total::F32, one, &[tiny; 2], &[1.0; 2]), one);
        assert_eq!(sum(Total::F32, 0, &[tiny, tiny, 1.0], &[1.0; 3]), one + 1);
        // f16 has 11 bits, but the sum is rounded to it once.
        assert_eq!(sum(Total::F16, 0x3c00, &[2f64.powi(-11); 2], &[1.0; 2]), 0x3c01);
        let fused = sum(Total::F64, (-1f64).to_bits(), &[1.0 + f64::EPSILON], &[1.0 + f64::EPSILON]);
        assert_eq!(f64::from_bits(fused), f64::EPSILON * (2.0 + f64::EPSILON));
        let shifted = Sum { total: Total::F32, negative: true, shift: 3 };
        assert_eq!(shifted.of(one, &[2.0], &[1.0]), u64::from((-1.875f32).to_bits()));
        assert_eq!(sum(Total::F32, 0, &[f64::INFINITY], &[0.0]), 0x7fff_ffff);
        assert_eq!(sum(Total::F16, 0, &[65504.0], &[2.0]), 0x7c00);
    }

    #[test]
    fn values_of_low_bits() {
        let signed = |bits| Element::Integer { bits, signed: true };
        assert_eq!((value(signed(8), 0x1ff), value(signed(4), 0x18)), (-1.0, -8.0));
        assert_eq!(value(Element::Integer { bits: 4, signed: false }, 0x1f), 15.0);
        assert_eq!(value(Element::Float(TF32), 0x3f80_1fff), 1.0);
        assert_eq!([0x11, 7, 10, 15].map(|bits| value(Element::E2m1, bits)), [0.5, 6.0, -1.0, -6.0]);
        assert_eq!(value(Element::Float(crate::float::E4M3), 0xff7e), 448.0);
    }
}
