//! Matrices in the registers of a warp: which lane has which element (PTX ISA 9.7.14.5, 9.7.15.5.1).
//!
//! Four lanes share a row. A register of A or B holds adjacent elements along k; registers continue first below, where
//! there are 16 rows, and then along k:
//!
//! ```text
//! lane l, register r of A, p elements in each   row l / 4 + 8 (r % 2)   k from p (l % 4) + 4 p (r / 2) on
//! … of A of 8 rows, and of B (for row: column)  row l / 4               k from p (l % 4) + 4 p r on
//! lane l, element i of D                        row l / 4 + 8 (i / 2 % 2)   column 8 (i / 4) + 2 (l % 4) + i % 2
//! ```

use super::core::Core;
use super::rows::Rows;
use super::sums::{Sum, value};
use crate::code::{Element, LANES, Reg, Row, Src};

/// The row, and the first k, of a register of A or, with 8 rows, of B.
fn input(lane: usize, register: usize, packed: usize, rows: usize) -> (usize, usize) {
    let stacked = rows / 8;
    (lane / 4 + 8 * (register % stacked), packed * (lane % 4) + 4 * packed * (register / stacked))
}

/// The index in D, row by row of `columns` elements, of the first element of each lane.
fn firsts(columns: usize) -> [usize; LANES] {
    std::array::from_fn(|lane| lane / 4 * columns + 2 * (lane % 4))
}

/// The distance from there to element `i` of the lane.
fn distance(i: usize, columns: usize) -> usize {
    8 * (i / 2 % 2) * columns + 8 * (i / 4) + i % 2
}

impl Core<'_, '_> {
    /// The rows of A, of 8 or 16 rows, or the columns of B, from registers.
    pub(super) fn fragment(&self, element: Element, registers: &[Src], rows: usize) -> Rows {
        let packed = element.packed();
        let mut out = Rows::zeros(rows, registers.len() * packed * LANES / rows);
        for (n, &src) in registers.iter().enumerate() {
            for (lane, bits) in self.row(src).iter().enumerate() {
                let (row, k) = input(lane, n, packed, rows);
                for i in 0..packed {
                    out.row_mut(row)[k + i] = value(element, bits >> (i as u32 * element.bits()));
                }
            }
        }
        out
    }

    /// Computes D into registers; `starts` are the registers to which the products are added.
    pub(super) fn multiply_fragments(&mut self, d: &[Reg], starts: &[Row], a: &Rows, b: &Rows, sum: Sum) {
        let packed = sum.total.packed();
        let (columns, firsts) = (b.len(), firsts(b.len()));
        let mut totals = vec![0; a.len() * columns];
        for (n, starts) in starts.iter().enumerate() {
            for i in 0..packed {
                let moved = distance(packed * n + i, columns);
                firsts.iter().zip(starts).for_each(|(first, start)| totals[first + moved] = start >> (16 * i));
            }
        }
        sum.add(&mut totals, a, b);
        for (n, &d) in d.iter().enumerate() {
            let mut register = [0; LANES];
            for i in 0..packed {
                let moved = distance(packed * n + i, columns);
                register.iter_mut().zip(&firsts).for_each(|(all, first)| *all |= totals[first + moved] << (16 * i));
            }
            self.put(d, u32::MAX, &register);
        }
    }
}
