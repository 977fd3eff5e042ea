//! A block's tensor memory: 128 lanes of 512 columns of 32 bits (PTX ISA 9.7.16.1), and its allocations.

use std::collections::BTreeMap;

use super::problem::{Exec, problem};
use crate::check::TENSOR;
use crate::code::Group;
use crate::fault::FaultKind;
use crate::memory::Segment;

pub(crate) const COLUMNS: u64 = 512;
pub(crate) const ROWS: u64 = 128;

/// One block's tensor memory.
#[derive(Debug, Default)]
pub(crate) struct TensorMemory {
    /// The cells, row by row; allocated when first needed.
    cells: Option<Box<Segment>>,
    /// Allocations: the first column of each and its number of columns.
    pub(crate) allocations: BTreeMap<u64, u64>,
    /// The `.cta_group` of the block's instructions so far.
    pub(crate) group: Option<Group>,
    /// The block's number.
    number: u32,
    /// The block can no longer allocate.
    pub(crate) relinquished: bool,
}

/// The byte offset of a cell.
pub(crate) fn cell(row: u64, column: u64) -> usize {
    ((row * COLUMNS + column) * 4) as usize
}

/// The lane of a byte offset.
pub(crate) fn lane(offset: usize) -> usize {
    offset / cell(1, 0)
}

impl TensorMemory {
    /// The tensor memory of a block, by the block's number.
    pub(crate) fn of(number: u32) -> Self {
        Self { number, ..Self::default() }
    }

    pub(crate) fn cells(&mut self) -> &mut Segment {
        let number = self.number;
        self.cells.get_or_insert_with(|| {
            let mut cells = Segment::new(cell(ROWS, 0), 0xcd);
            cells.shadow.memory = TENSOR | u64::from(number);
            Box::new(cells)
        })
    }

    /// The first column with room for `columns` columns.
    pub(crate) fn room(&self, columns: u64) -> Option<u64> {
        let free = |start: u64| self.allocations.iter().all(|(&at, &n)| at + n <= start || start + columns <= at);
        (0..=COLUMNS - columns).step_by(32).find(|&start| free(start))
    }

    /// Checks that `columns` columns from `first` on belong to one allocation, and that `rows` rows from `row` on
    /// exist.
    pub(crate) fn check(&self, row: u64, rows: u64, first: u64, columns: u64) -> Exec<()> {
        let inside = |(&at, &n): (&u64, &u64)| at <= first && first + columns <= at + n;
        if row + rows <= ROWS && self.allocations.iter().any(inside) {
            return Ok(());
        }
        let detail = format!(
            "lanes {row} to {} and columns {first} to {} of tensor memory are not inside an allocation",
            row + rows - 1,
            first + columns - 1
        );
        Err(problem(FaultKind::OutOfBounds, detail))
    }
}

/// Some bytes of a cell; with `init`, they must have a value.
pub(crate) fn word(cells: &Segment, at: usize, bytes: usize, init: bool) -> Exec<u64> {
    if init && cells.init.first_missing(at..at + bytes).is_some() {
        let (cell, columns) = (at / 4, COLUMNS as usize);
        let (lane, column) = (cell / columns, cell % columns);
        let detail = format!("lane {lane}, column {column} of tensor memory, which the product reads, has no value");
        return Err(problem(FaultKind::Uninitialized, detail));
    }
    Ok(cells.data[at..at + bytes].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_fill_the_columns() {
        let mut t = TensorMemory::default();
        for want in [0, 128, 256, 384] {
            let at = t.room(128).unwrap();
            assert_eq!(at, want);
            t.allocations.insert(at, 128);
        }
        assert_eq!(t.room(32), None);
        t.allocations.remove(&128);
        assert_eq!(t.room(64), Some(128));
        assert!(t.check(0, 128, 100, 28).is_ok() && t.check(0, 128, 100, 29).is_err());
        assert!(t.check(97, 32, 0, 1).is_err());
    }
}
