//! Regions of tensor memory that products access, and the products that are ordered after each other without a wait (PTX
//! ISA 9.7.16.6.2).

use super::tensor_memory::cell;
use crate::code::{Form, TensorMmaKind, Total};

/// Rows and columns of tensor memory. 64 rows occupy 16 of each 32 lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    /// The first lane.
    pub(crate) lane: u64,
    pub(crate) rows: u64,
    pub(crate) column: u64,
    pub(crate) columns: u64,
}

impl Region {
    /// The lane that a row is in.
    pub(crate) fn lane_of(&self, row: u64) -> u64 {
        self.lane + if self.rows == 64 { row / 16 * 32 + row % 16 } else { row }
    }

    /// The last lane.
    pub(crate) fn last(&self) -> u64 {
        self.lane_of(self.rows - 1)
    }

    /// The byte offsets in tensor memory at which its rows start.
    pub(crate) fn beginnings(&self) -> Vec<usize> {
        (0..self.rows).map(|row| cell(self.lane_of(row), self.column)).collect()
    }

    /// Whether the two regions have a cell in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let columns = self.column < other.column + other.columns && other.column < self.column + self.columns;
        let lanes = self.rows != 64 || other.rows != 64 || self.lane == other.lane;
        columns && lanes
    }
}

/// The D of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) region: Region,
    pub(crate) form: Form,
    /// Rows of D in all blocks.
    pub(crate) rows: u64,
    pub(crate) kind: TensorMmaKind,
    pub(crate) total: Total,
}

/// Whether a product is ordered after all earlier products of its thread that access its D: this is so if they had the
/// same D, of the same shape and kind. `sums` are those after which a product can be ordered; `inputs` are the regions of
/// tensor memory that the product reads.
pub(crate) fn follow(sums: &mut Vec<Sum>, sum: Sum, inputs: &[Region]) -> bool {
    sums.retain(|earlier| !inputs.iter().any(|input| input.overlaps(&earlier.region)));
    let touching: Vec<Sum> = sums.iter().copied().filter(|earlier| earlier.region.overlaps(&sum.region)).collect();
    sums.retain(|earlier| !earlier.region.overlaps(&sum.region));
    sums.push(sum);
    touching == [sum]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(lane: u64, rows: u64, column: u64, columns: u64) -> Sum {
        let region = Region { lane, rows, column, columns };
        Sum { region, form: Form::Block, rows, kind: TensorMmaKind::F16, total: Total::F32 }
    }

    #[test]
    fn rows_are_in_every_part_of_the_lanes() {
        let lanes = |sum: Sum| [0, 15, 16, 63].map(|row| sum.region.lane_of(row));
        assert_eq!(lanes(sum(0, 64, 0, 8)), [0, 15, 32, 111]);
        assert_eq!(lanes(sum(16, 64, 0, 8)), [16, 31, 48, 127]);
        assert_eq!(lanes(sum(0, 128, 0, 8)), [0, 15, 16, 63]);
        assert!(!sum(0, 64, 0, 8).region.overlaps(&sum(16, 64, 0, 8).region));
        assert!(sum(0, 128, 0, 8).region.overlaps(&sum(16, 64, 7, 8).region));
    }

    #[test]
    fn only_products_of_one_sum_follow_each_other() {
        let mut sums = Vec::new();
        let d = sum(0, 128, 0, 32);
        let steps = [d, d, sum(0, 128, 32, 32), d, sum(0, 128, 16, 16), d];
        assert_eq!(steps.map(|d| follow(&mut sums, d, &[])), [false, true, false, true, false, false]);
        // A product that writes D is not ordered after one that reads from it.
        let reads = Region { lane: 0, rows: 128, column: 8, columns: 8 };
        assert!(!follow(&mut sums, sum(0, 128, 64, 32), &[reads]) && !follow(&mut sums, d, &[]));
        assert!(follow(&mut sums, d, &[]));
    }
}
