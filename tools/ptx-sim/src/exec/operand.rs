//! Operands of matrix products: which bytes of shared memory they are, and the arithmetic that `wgmma` and `tcgen05.mma` share.
//!
//! Products are exact in f32; they are added one after the other in the order of k, each sum rounded to f32 to nearest even,
//! and a D of f16 is rounded at the end. A GPU may add in another order, and with other bits.

use std::ops::Range;

use super::descriptor::Descriptor;
use crate::float::{F32, Format, Mode, TF32, resize};

/// Rows of an operand, as numbers.
pub(crate) type Rows = Vec<Vec<f32>>;

/// Bytes of a row of A, or of a column of B.
pub(crate) const ROW_BYTES: u64 = 32;

/// A or B in shared memory, as `rows` rows (of B: columns) of 32 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operand {
    pub(crate) descriptor: Descriptor,
    pub(crate) rows: u64,
    pub(crate) transposed: bool,
}

impl Operand {
    /// Where its pieces of 16 bytes are.
    pub(crate) fn pieces(&self) -> Vec<u64> {
        let Self { descriptor, rows, transposed } = self;
        if *transposed {
            return (0..16).flat_map(|k| (0..rows / 8).map(move |unit| descriptor.across(unit, k))).collect();
        }
        (0..*rows).flat_map(|row| (0..2).map(move |chunk| descriptor.offset(row, chunk))).collect()
    }

    /// Where an element of `bytes` bytes is.
    fn element(&self, bytes: u64, row: u64, k: u64) -> u64 {
        if self.transposed {
            self.descriptor.across(row / 8, k) + row % 8 * bytes
        } else {
            self.descriptor.offset(row, k * bytes / 16) + k * bytes % 16
        }
    }

    /// Some of its rows, from the bytes of shared memory.
    pub(crate) fn rows(&self, data: &[u8], inputs: Format, rows: Range<usize>) -> Rows {
        let bytes = bytes(inputs);
        let element = |row: usize, k: u64| {
            let at = self.element(bytes, row as u64, k) as usize;
            let bytes = &data[at..at + bytes as usize];
            value(inputs, bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
        };
        rows.map(|row| (0..ROW_BYTES / bytes).map(|k| element(row, k)).collect()).collect()
    }
}

/// Bytes of an element in memory: 4 of `tf32`, else 2.
pub(crate) fn bytes(inputs: Format) -> u64 {
    if inputs == TF32 { 4 } else { 2 }
}

/// The number that the low bits of an element are.
pub(crate) fn value(inputs: Format, bits: u64) -> f32 {
    let bits = if inputs == TF32 { bits & 0xffff_e000 } else { resize(inputs, F32, bits & 0xffff, Mode::Nearest) };
    f32::from_bits(bits as u32)
}

/// `start` and the products of a row and a column, each negated where `negative`.
pub(crate) fn sum(start: f32, a: &[f32], b: &[f32], negative: bool) -> f32 {
    let sign = if negative { -1.0 } else { 1.0 };
    a.iter().zip(b).fold(start, |sum, (a, b)| sum + sign * (a * b))
}
