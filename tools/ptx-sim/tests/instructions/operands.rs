//! A model of the operands of matrix products, written from the ISA's figures.

use super::fragments::Type;

#[derive(Clone, Copy)]
pub struct Side {
    /// Bytes of a row of the swizzle's pattern; 16 for no swizzle.
    pub row_bytes: usize,
    pub transposed: bool,
}

impl Side {
    /// Leading and stride dimension.
    pub fn dimensions(self) -> (usize, usize) {
        match (self.row_bytes, self.transposed) {
            (16, _) => (128, 512),
            (row, false) => (16, 8 * row),
            (row, true) => (32 * row, 8 * row),
        }
    }

    /// The offset of element (`row`, `k`) of `bytes` bytes, from the ISA's figures of the canonical layouts.
    pub fn at(self, row: usize, k: usize, bytes: usize) -> usize {
        let (leading, stride) = self.dimensions();
        let each = 16 / bytes;
        let mixed = |line: usize| match self.row_bytes {
            128 => line % 8,
            64 => line / 2 % 4,
            32 => line / 4 % 2,
            _ => 0,
        };
        match (self.row_bytes, self.transposed) {
            (16, false) => row / 8 * stride + row % 8 * 16 + k * bytes / 16 * leading + k * bytes % 16,
            (16, true) => row / each * stride + k / 8 * leading + k % 8 * 16 + row % each * bytes,
            (width, false) => row * width + ((k * bytes / 16) ^ mixed(row)) * 16 + k * bytes % 16,
            (width, true) => {
                let (line, unit) = (row / (width / bytes), row % (width / bytes) / each);
                line * leading + k / 8 * stride + k % 8 * width + (unit ^ mixed(k)) * 16 + row % each * bytes
            }
        }
    }
}

pub fn a(row: usize, k: usize) -> i32 {
    ((row * 3 + k * 5) % 7) as i32 - 3
}

pub fn b(k: usize, column: usize) -> i32 {
    ((column * 2 + k * 3) % 5) as i32 - 2
}

/// A small integer in a type.
pub fn encode(ty: &'static str, value: i32) -> u32 {
    Type::of(ty).bits_of(value.into()) as u32
}
