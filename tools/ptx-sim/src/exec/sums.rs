//! The arithmetic of matrix products, which `mma.sync`, `wgmma` and `tcgen05.mma` share: D = A · B + C, element by
//! element.
//!
//! | D | here |
//! | --- | --- |
//! | f32 | each product is rounded to f32, which all types but bf16 and tf32 with tiny or huge products represent exactly; products are added to C one after the other in the order of k, and each sum is rounded to f32, to nearest even |
//! | f16 | the same in f32, beginning with C; the end is rounded to f16, to nearest even |
//! | f64 | a chain of `fma` in the order of k, each rounded to nearest even |
//! | s32 | the exact sum; then it wraps around or, with `.satfinite`, is clamped |
//!
//! Elements of tf32 are used without their 13 low bits. A NaN of f32 or f16 is the one NaN that operations return.
//!
//! PTX fixes the result of integers, and says that a product of f64 is as precise as `fma`. It leaves open the order and
//! the precision of the other sums, and a GPU differs there: published measurements of tensor cores find that products
//! of f16, bf16 and tf32 are exact, that groups of four to sixteen of them and C are aligned to the largest of them and
//! cut off below about 24 bits, without rounding, and that a sum of f32 is cut off, not rounded to nearest. For `e4m3`
//! and `e5m2`, those of compute capability 8.9 and 9.0 are found to keep about 14 bits only. So bits agree where every
//! partial sum in every order is exact, as with small integers. Otherwise, with K products and
//! S = |C| + Σ |a · b|, the result here is within K · 2⁻²⁴ · S of the exact sum, to first order; truncation to 24 bits at each
//! step is within 2 K · 2⁻²⁴ · S, and to 14 bits within 2 K · 2⁻¹⁴ · S.

use crate::code::{Element, Total};
use crate::float::{F16, F32, F64, Mode, TF32, resize};

/// Rows of A, or columns of B, as numbers: f64 represents those of all types.
pub(crate) type Rows = Vec<Vec<f64>>;

/// The number that the low bits of an element represent.
pub(crate) fn value(element: Element, bits: u64) -> f64 {
    match element {
        Element::Float(F64) => f64::from_bits(bits),
        Element::Float(TF32) => f64::from(f32::from_bits(bits as u32 & 0xffff_e000)),
        Element::Float(format) => {
            let low = bits & ((1 << format.bits()) - 1);
            f64::from(f32::from_bits(resize(format, F32, low, Mode::Nearest) as u32))
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
}

impl Sum {
    /// `start` plus the products of a row of A and a column of B, as bits. Bits of `start` above its type are ignored.
    pub(crate) fn of(self, start: u64, a: &[f64], b: &[f64]) -> u64 {
        match self.total {
            Total::F32 => self.single(start, a, b),
            Total::F16 => {
                let start = resize(F16, F32, start & 0xffff, Mode::Nearest);
                resize(F32, F16, self.single(start, a, b), Mode::Nearest)
            }
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
        let sum =
            a.iter().zip(b).fold(f32::from_bits(start as u32), |sum, (a, b)| sum + (self.sign() * (a * b)) as f32);
        if sum.is_nan() { F32.nan() } else { sum.to_bits().into() }
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

    fn of(total: Total, start: u64, a: &[f64], b: &[f64]) -> u64 {
        Sum { total, negative: false }.of(start, a, b)
    }

    #[test]
    fn integers_wrap_or_are_clamped_at_the_end() {
        let high = i32::MAX as u64;
        assert_eq!(of(INTEGERS, high, &[2.0, 1.0], &[3.0, -7.0]), high - 1);
        assert_eq!(of(INTEGERS, high, &[1.0], &[1.0]), 1 << 31);
        let clamped = Total::S32 { saturates: true };
        assert_eq!(of(clamped, high, &[1.0], &[1.0]), high);
        assert_eq!(of(clamped, 1 << 31, &[1.0], &[-1.0]), 1 << 31);
        assert_eq!(of(clamped, high, &[1.0, -1.0], &[1.0, 1.0]), high);
    }

    #[test]
    fn floats_are_rounded_at_each_step() {
        let tiny = 2f64.powi(-24);
        let one = u64::from(1f32.to_bits());
        assert_eq!(of(Total::F32, one, &[tiny; 2], &[1.0; 2]), one);
        assert_eq!(of(Total::F32, 0, &[tiny, tiny, 1.0], &[1.0; 3]), one + 1);
        // f16 has 11 bits, but the sum is rounded to it once.
        assert_eq!(of(Total::F16, 0x3c00, &[2f64.powi(-11); 2], &[1.0; 2]), 0x3c01);
        let fused = of(Total::F64, (-1f64).to_bits(), &[1.0 + f64::EPSILON], &[1.0 + f64::EPSILON]);
        assert_eq!(f64::from_bits(fused), f64::EPSILON * (2.0 + f64::EPSILON));
        assert_eq!(of(Total::F32, 0, &[f64::INFINITY], &[0.0]), 0x7fff_ffff);
        assert_eq!(of(Total::F16, 0, &[65504.0], &[2.0]), 0x7c00);
    }

    #[test]
    fn values_of_low_bits() {
        let signed = |bits| Element::Integer { bits, signed: true };
        assert_eq!((value(signed(8), 0x1ff), value(signed(4), 0x18)), (-1.0, -8.0));
        assert_eq!(value(Element::Integer { bits: 4, signed: false }, 0x1f), 15.0);
        assert_eq!(value(Element::Float(TF32), 0x3f80_1fff), 1.0);
        assert_eq!(value(Element::Float(crate::float::E4M3), 0xff7e), 448.0);
    }
}
