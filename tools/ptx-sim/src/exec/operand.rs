//! Operands of matrix products in shared memory: the bytes that they occupy.
//!
//! Shared memory matrix descriptors (PTX ISA 9.7.15.5.1, 9.7.16.4.1, 9.7.16.5) describe the location of an operand:
//!
//! ```text
//! bits  0–13  start address / 16          bits 46–48  0b001, of `tcgen05` only
//!      16–29  leading dimension / 16           49–51  base offset (0 here)
//!      32–45  stride dimension / 16            61–63  swizzle: 0 none, 6 32 B, 4 64 B, 2 128 B
//! ```
//! `wgmma` has the same fields, but its swizzle is in bits 62 and 63; bit 61 is not used.
//!
//! Rows form groups of eight, which are a stride dimension apart. Within a group, a row takes 16 bytes without swizzle,
//! otherwise the number of bytes of the swizzle mode. Without swizzle, the second 16-byte column is a leading dimension
//! away; otherwise it is in the same row.

use std::ops::Range;

use super::problem::{Exec, invalid};
use super::rows::Rows;
use super::sums::value;
use crate::code::Element;
use crate::float::{BF16, F16};

/// Bytes of a row of A, or of a column of B.
pub(crate) const ROW_BYTES: u64 = 32;

/// A or B in shared memory, as `rows` rows (for B: columns) of 32 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operand {
    pub(crate) descriptor: Descriptor,
    pub(crate) element: Element,
    pub(crate) rows: u64,
    pub(crate) transposed: bool,
}

impl Operand {
    /// Adds the offsets of its pieces of 16 bytes.
    pub(crate) fn pieces(&self, to: &mut Vec<u64>) {
        let Self { descriptor, rows, transposed, .. } = self;
        if *transposed {
            let units = rows.div_ceil(self.unit());
            (0..self.depth()).for_each(|k| to.extend((0..units).map(|unit| descriptor.across(unit, k))));
        } else {
            (0..*rows).for_each(|row| to.extend([0, 1].map(|chunk| descriptor.offset(row, chunk))));
        }
    }

    /// Bits of an element.
    fn bits(&self) -> u64 {
        self.element.bits().into()
    }

    /// Elements of 16 bytes.
    fn unit(&self) -> u64 {
        8 * 16 / self.bits()
    }

    fn depth(&self) -> u64 {
        8 * ROW_BYTES / self.bits()
    }

    /// Some of its rows, from the bytes of shared memory.
    pub(crate) fn rows(&self, data: &[u8], rows: Range<usize>) -> Rows {
        match self.element {
            Element::Float(BF16) => self.numbers(data, rows, |bits| value(Element::Float(BF16), bits)),
            Element::Float(F16) => self.numbers(data, rows, |bits| value(Element::Float(F16), bits)),
            element => self.numbers(data, rows, |bits| value(element, bits)),
        }
    }

    /// Some of its rows; `value` is that of an element by its bits, which those of others may follow.
    fn numbers(&self, data: &[u8], rows: Range<usize>, value: impl Fn(u64) -> f64) -> Rows {
        let (unit, first) = (self.unit() as usize, rows.start);
        let elements = |piece: u64| {
            let mut out = [0; 32];
            for (half, part) in out[..unit].chunks_exact_mut(unit / 2).zip(data[piece as usize..].chunks_exact(8)) {
                let mut all = part.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
                for bits in half {
                    (*bits, all) = (all, all.wrapping_shr(self.bits() as u32));
                }
            }
            out
        };
        let mut out = Rows::zeros(rows.len(), self.depth() as usize);
        if !self.transposed {
            for row in rows {
                for (chunk, line) in out.row_mut(row - first).chunks_exact_mut(unit).enumerate() {
                    let elements = elements(self.descriptor.offset(row as u64, chunk as u64));
                    line.iter_mut().zip(elements).for_each(|(to, bits)| *to = value(bits));
                }
            }
            return out;
        }
        for k in 0..self.depth() {
            for part in first / unit..rows.end.div_ceil(unit) {
                let elements = elements(self.descriptor.across(part as u64, k));
                let (low, high) = (first.max(part * unit), rows.end.min(part * unit + unit));
                for (row, &bits) in (low - first..high - first).zip(&elements[low - part * unit..]) {
                    out.row_mut(row)[k as usize] = value(bits);
                }
            }
        }
        out
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptor {
    start: u64,
    leading: u64,
    stride: u64,
    /// Bytes of a row of a group.
    row: u64,
    /// The mask of the swizzle: these bits, from bit 7 of the address on, are XORed into the bits from bit 4 on.
    swizzle: u64,
}

impl Descriptor {
    pub(crate) fn decode(bits: u64) -> Exec<Self> {
        let field = |at: u32, width: u32| bits >> at & ((1 << width) - 1);
        let fields = Self::fields(bits)?;
        if field(46, 3) != 1 {
            return Err(invalid(format!("bits 46 to 48 of the descriptor are {:#05b}, expected 0b001", field(46, 3))));
        }
        if field(49, 3) != 0 || field(52, 1) != 0 {
            return Err(invalid("a descriptor with a base offset or an absolute leading dimension is not supported"));
        }
        Ok(fields)
    }

    /// Decodes the descriptor of an operand of `wgmma`.
    pub(crate) fn of_wgmma(bits: u64) -> Exec<Self> {
        if bits >> 49 & 7 != 0 {
            return Err(invalid("a descriptor with a base offset is not supported"));
        }
        Self::fields(bits & !(1 << 61))?.begins()
    }

    /// Decodes the descriptor of an operand of `tcgen05.mma`.
    pub(crate) fn of_tensor(bits: u64) -> Exec<Self> {
        Self::decode(bits)?.begins()
    }

    /// Checks that the operand starts in the first row of the swizzle pattern, which repeats every eight rows; any
    /// other start would need a base offset.
    fn begins(self) -> Exec<Self> {
        let (fields, repeat) = (self, 8 * self.row);
        if fields.swizzle != 0 && fields.start % repeat >= fields.row {
            return Err(invalid(format!(
                "the descriptor begins at byte {} of shared memory, expected one of the first {} bytes after a multiple of \
                 {repeat}, where the pattern of its swizzle begins",
                fields.start, fields.row
            )));
        }
        Ok(fields)
    }

    fn fields(bits: u64) -> Exec<Self> {
        let field = |at: u32, width: u32| bits >> at & ((1 << width) - 1);
        let (row, swizzle) = match field(61, 3) {
            0 => (16, 0),
            6 => (32, 1),
            4 => (64, 3),
            2 => (128, 7),
            other => return Err(invalid(format!("the descriptor's swizzle mode {other} is not supported"))),
        };
        Ok(Self { start: field(0, 14) * 16, leading: field(16, 14) * 16, stride: field(32, 14) * 16, row, swizzle })
    }

    /// The offset in shared memory of the 16 bytes in `row` and 16-byte column `column`.
    pub(crate) fn offset(&self, row: u64, column: u64) -> u64 {
        let across = if self.swizzle == 0 { column * self.leading } else { column * 16 };
        let linear = self.start + row / 8 * self.stride + row % 8 * self.row + across;
        linear ^ (linear >> 7 & self.swizzle) << 4
    }

    /// The offset for a transposed matrix: the 16 bytes in column `k` of the rows of a unit, which are eight rows of 16-bit
    /// elements, or 16 of 8-bit elements.
    ///
    /// Columns form groups of eight. Within a group, a column takes as many bytes as a row does in [`Self::offset`].
    /// Units that do not fit are a leading dimension away, and the next eight columns a stride dimension; without
    /// swizzle, the two dimensions are swapped.
    pub(crate) fn across(&self, unit: u64, k: u64) -> u64 {
        let units = self.row / 16;
        let (along, groups) = if self.swizzle == 0 { (self.stride, self.leading) } else { (self.leading, self.stride) };
        let linear = self.start + unit % units * 16 + unit / units * along + k % 8 * self.row + k / 8 * groups;
        linear ^ (linear >> 7 & self.swizzle) << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(start: u64, leading: u64, stride: u64, mode: u64) -> u64 {
        start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | 1 << 46 | mode << 61
    }

    #[test]
    fn unswizzled_rows_are_core_matrices() {
        let d = Descriptor::decode(bits(1024, 2048, 128, 0)).unwrap();
        assert_eq!([d.offset(0, 0), d.offset(7, 0), d.offset(8, 0), d.offset(9, 1)], [1024, 1136, 1152, 3216]);
    }

    #[test]
    fn swizzled_columns_are_a_permutation_of_each_row() {
        for (mode, row, xor) in [(6, 32, 1), (4, 64, 3), (2, 128, 7)] {
            let d = Descriptor::decode(bits(0, 16, 8 * row, mode)).unwrap();
            for r in 0..32u64 {
                for c in 0..2 {
                    let at = r * row + c * 16;
                    let want = at ^ ((at >> 7 & xor) << 4);
                    assert_eq!(d.offset(r, c), want);
                    assert_eq!(d.offset(r, c) / row, r, "stays in its row");
                }
            }
        }
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for bad in [bits(0, 0, 0, 1), bits(0, 0, 0, 0) & !(1 << 46), bits(0, 0, 0, 0) | 1 << 49] {
            assert!(Descriptor::decode(bad).is_err());
        }
    }
}
