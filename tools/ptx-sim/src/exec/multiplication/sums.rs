//! Which products follow each other without being waited for (PTX ISA 9.7.16.6.2).

use super::super::tensor_memory::cell;
use crate::code::Kind;

/// Rows and columns of tensor memory. 64 rows are 16 of each 32 lanes (PTX ISA 9.7.16.10.5, layouts D and F).
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

    /// Where its rows begin in tensor memory.
    pub(crate) fn beginnings(&self) -> Vec<usize> {
        (0..self.rows).map(|row| cell(self.lane_of(row), self.column)).collect()
    }

    /// Have both a cell?
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
    pub(crate) kind: Kind,
    /// D is f32; else f16.
    pub(crate) wide: bool,
}

/// Whether a product follows all that its thread's products have done to its D: they have had the same D, of the same shape and
/// kind. `sums` are those that can be followed; `a` is what the product reads of tensor memory.
pub(crate) fn follow(sums: &mut Vec<Sum>, sum: Sum, a: Option<Region>) -> bool {
    sums.retain(|it| !a.is_some_and(|a| a.overlaps(&it.region)));
    let touching: Vec<Sum> = sums.iter().copied().filter(|it| it.region.overlaps(&sum.region)).collect();
    sums.retain(|it| !it.region.overlaps(&sum.region));
    sums.push(sum);
    touching == [sum]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(lane: u64, rows: u64, column: u64, columns: u64) -> Sum {
        Sum { region: Region { lane, rows, column, columns }, kind: Kind::F16, wide: true }
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
        let steps =
            [(d, None), (d, None), (sum(0, 128, 32, 32), None), (d, None), (sum(0, 128, 16, 16), None), (d, None)];
        assert_eq!(steps.map(|(d, a)| follow(&mut sums, d, a)), [false, true, false, true, false, false]);
        // What is read of the sum is not followed by what writes it.
        let reads = Region { lane: 0, rows: 128, column: 8, columns: 8 };
        assert!(!follow(&mut sums, sum(0, 128, 64, 32), Some(reads)) && !follow(&mut sums, d, None));
        assert!(follow(&mut sums, d, None));
    }
}
