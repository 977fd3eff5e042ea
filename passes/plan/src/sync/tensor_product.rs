//! The tensor memory that a dense `tcgen05.mma` touches, according to its instruction descriptor.
//!
//! ```text
//! bits 4–5  type of D        15, 16  A, B transposed
//!                            17–22   N / 8
//!                            24–28   M / 16
//!
//!            columns 0 … N                        columns 0 … N
//!   lane   0 ┌──────────┐            lane   0 … 15 ┌──────────┐ rows  0 … 15
//!            │ row 0    │            lane  32 … 47 ├──────────┤ rows 16 … 31
//!            │ …        │            lane  64 … 79 ├──────────┤ rows 32 … 47
//!   lane 127 └──────────┘            lane 96 … 111 └──────────┘ rows 48 … 63
//!            D of M = 128                         D of M = 64; it may begin in lane 16, too
//! ```
//! A in tensor memory has the lanes of D and 8 columns: 32 bytes along K (PTX ISA 9.7.16.2.1, 9.7.16.4.2). Scales have all lanes, and a
//! column for 32 rows of A, or columns of B.

use thiserror::Error;
use tile_isa::TENSOR_LANES;
use tile_isa::tcgen05_mma::{self, InstructionDescriptor, ROWS, WARP_LANES};

use crate::problem::threads::ThreadSet;
use crate::sync::descriptor::ROW;
use crate::touch::footprint::Footprint;
use crate::touch::{TENSOR_COLUMN_BYTES, TENSOR_LANE_BYTES};

/// The part of an instruction descriptor's shape that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnsupportedProduct {
    /// A is sparse.
    #[error("its instruction descriptor says that A is sparse")]
    Sparse,
    /// M.
    #[error("its instruction descriptor says M = {0}, expected 64 or 128")]
    Rows(i64),
    /// N.
    #[error("its instruction descriptor says N = {0}, expected 8 to 256")]
    Columns(i64),
}

/// A dense `tcgen05.mma` of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorProduct {
    /// Rows of A and of D: 64 or 128.
    pub rows: i64,
    /// Columns of B and of D.
    pub columns: i64,
    /// Whether A, and B, are transposed: the rows of A, or the columns of B, are contiguous in shared memory.
    pub transposed: [bool; 2],
    /// The type of D.
    sum: u8,
}

impl TensorProduct {
    /// Decodes an instruction descriptor.
    ///
    /// # Errors
    /// The part of the shape that is not supported.
    pub fn new(instruction: i64) -> Result<Self, UnsupportedProduct> {
        use InstructionDescriptor as Of;
        let bits = instruction.cast_unsigned();
        let (rows, columns) = (16 * Of::ROWS.get(bits), 8 * Of::COLUMNS.get(bits));
        if Of::SPARSE.get(bits) != 0 {
            return Err(UnsupportedProduct::Sparse);
        }
        if !ROWS.contains(&rows) {
            return Err(UnsupportedProduct::Rows(rows));
        }
        if !(8..=256).contains(&columns) {
            return Err(UnsupportedProduct::Columns(columns));
        }
        let transposed = Of::TRANSPOSED.map(|field| field.get(bits) == 1);
        Ok(TensorProduct { rows, columns, transposed, sum: Of::SUM.get(bits) as u8 })
    }

    /// Decodes the instruction descriptor of a product with scales, whose sums are `f32`.
    ///
    /// # Errors
    /// The part of the shape that is not supported.
    pub fn with_scales(instruction: i64) -> Result<Self, UnsupportedProduct> {
        Ok(TensorProduct { sum: 1, ..Self::new(instruction)? })
    }

    /// A number that products of the same `kind` and type of D share.
    pub fn pipe(&self, kind: u64) -> u64 {
        (kind << 2) | u64::from(self.sum)
    }

    /// The bytes of D that threads touch, relative to its address.
    pub fn sum(&self, threads: ThreadSet) -> Footprint {
        self.lanes(self.columns * TENSOR_COLUMN_BYTES, threads)
    }

    /// The bytes of A in tensor memory that threads touch, relative to its address.
    pub fn left(&self, threads: ThreadSet) -> Footprint {
        self.lanes(ROW, threads)
    }

    /// The bytes of the scales of that many rows or columns that threads touch, relative to their address.
    pub fn scales(lines: i64, threads: ThreadSet) -> Footprint {
        let bytes = (lines + WARP_LANES - 1) / WARP_LANES * TENSOR_COLUMN_BYTES;
        let lane = |lane: i64| (lane * TENSOR_LANE_BYTES, lane * TENSOR_LANE_BYTES + bytes);
        Footprint::alike((0..TENSOR_LANES).map(lane), threads)
    }

    fn lanes(&self, bytes: i64, threads: ThreadSet) -> Footprint {
        let row = |row: i64| {
            let begin = tcgen05_mma::lane(self.rows, row) * TENSOR_LANE_BYTES;
            (begin, begin + bytes)
        };
        Footprint::alike((0..self.rows).map(row), threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instruction(rows: i64, columns: i64) -> i64 {
        1 << 4 | (columns / 8) << 17 | (rows / 16) << 24
    }

    #[test]
    fn shapes_come_from_the_instruction_descriptor() {
        let product = TensorProduct::new(instruction(128, 16) | 1 << 16).unwrap();
        assert_eq!((product.rows, product.columns, product.transposed), (128, 16, [false, true]));
        for (bits, part) in [
            (instruction(128, 16) | 4, "sparse"),
            (instruction(256, 16), "M = 256, expected 64 or 128"),
            (instruction(64, 0), "N = 0, expected 8 to 256"),
            (instruction(64, 264), "N = 264"),
        ] {
            assert!(TensorProduct::new(bits).is_err_and(|why| why.to_string().contains(part)), "{part}");
        }
    }

    #[test]
    fn sixty_four_rows_are_half_of_each_quarter() {
        let product = TensorProduct::new(instruction(64, 8)).unwrap();
        let one = ThreadSet::range(0, 1);
        let lanes = |footprint: Footprint| -> Vec<i64> {
            footprint.segments().iter().map(|segment| segment.begin / TENSOR_LANE_BYTES).collect()
        };
        let expected: Vec<i64> = (0..4).flat_map(|quarter| 32 * quarter..32 * quarter + 16).collect();
        assert_eq!(lanes(product.sum(one)), expected);
        let first = product.left(one).segments()[0];
        assert_eq!((first.begin, first.end), (0, 32));
    }

    #[test]
    fn scales_are_in_all_lanes() {
        let [of_bytes, others] = [3 << 4, 1 << 4].map(|bits| TensorProduct::with_scales(instruction(128, 16) | bits));
        assert_eq!(of_bytes, others, "the byte of the scales is no type of D");
        let found = TensorProduct::scales(72, ThreadSet::range(0, 1));
        let segments = found.segments();
        assert_eq!(segments.len(), 128);
        assert_eq!((segments[1].begin, segments[1].end), (TENSOR_LANE_BYTES, TENSOR_LANE_BYTES + 12));
    }
}
