//! Operands of matrix products as numbers, and the sums of the products of all their rows and columns.

use super::sums::Sum;
use crate::code::Total;

/// Columns of B that are summed together.
const PANEL: usize = 16;

/// Rows of A, or columns of B, one after the other, as numbers: f64 represents those of all types.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    depth: usize,
    numbers: Vec<f64>,
}

impl Rows {
    /// This many rows of `depth` zeros.
    pub(crate) fn zeros(rows: usize, depth: usize) -> Self {
        Self { depth, numbers: vec![0.0; rows * depth] }
    }

    /// Adds rows of the same depth at the end.
    pub(crate) fn append(&mut self, other: Self) {
        self.depth = other.depth;
        self.numbers.extend(other.numbers);
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.depth..][..self.depth]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.numbers[row * self.depth..][..self.depth]
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len() / self.depth.max(1)
    }

    /// All numbers as f32, if each of them is one or NaN.
    fn singles(&self) -> Option<Vec<f32>> {
        let singles: Vec<f32> = self.numbers.iter().map(|&number| number as f32).collect();
        let is_same = |(&single, &number): (&f32, &f64)| f64::from(single) == number || number.is_nan();
        singles.iter().zip(&self.numbers).fold(true, |all, pair| all & is_same(pair)).then_some(singles)
    }
}

impl Sum {
    /// Adds to each element of `totals`, row by row of as many elements as B has columns, the products of its row of A
    /// and its column of B.
    pub(crate) fn add(self, totals: &mut [u64], a: &Rows, b: &Rows) {
        let float = matches!(self.total, Total::F32 | Total::F16);
        match (a.singles(), b.singles()) {
            (Some(left), Some(right)) if float => self.add_singles(totals, &left, &Panels::new(&right, b.depth)),
            _ => {
                for (at, total) in totals.iter_mut().enumerate() {
                    *total = self.of(*total, a.row(at / b.len()), b.row(at % b.len()));
                }
            }
        }
    }

    /// The product of two numbers of f32, rounded to f32, is that of f32 itself.
    fn add_singles(self, totals: &mut [u64], a: &[f32], b: &Panels) {
        let sign = if self.negative { -1.0 } else { 1.0 };
        for (row, totals) in a.chunks_exact(b.depth).zip(totals.chunks_exact_mut(b.columns)) {
            for (panel, totals) in b.lines.chunks_exact(b.depth).zip(totals.chunks_mut(PANEL)) {
                let mut sums = [0.0; PANEL];
                sums.iter_mut().zip(&*totals).for_each(|(sum, &start)| *sum = self.start(start));
                for (&a, line) in row.iter().zip(panel) {
                    let a = sign * a;
                    sums.iter_mut().zip(line).for_each(|(sum, b)| *sum += a * b);
                }
                totals.iter_mut().zip(sums).for_each(|(total, sum)| *total = self.end(sum));
            }
        }
    }
}

/// The columns of B side by side: for each panel of columns, a line of their numbers for each k.
struct Panels {
    depth: usize,
    columns: usize,
    lines: Vec<[f32; PANEL]>,
}

impl Panels {
    fn new(columns: &[f32], depth: usize) -> Self {
        let count = columns.len() / depth;
        let mut lines = vec![[0.0; PANEL]; count.div_ceil(PANEL) * depth];
        for (column, numbers) in columns.chunks_exact(depth).enumerate() {
            let panel = &mut lines[column / PANEL * depth..][..depth];
            panel.iter_mut().zip(numbers).for_each(|(line, &number)| line[column % PANEL] = number);
        }
        Self { depth, columns: count, lines }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(depth: usize, numbers: Vec<f64>) -> Rows {
        Rows { depth, numbers }
    }

    proptest! {
        /// Many columns at once give the same bits as one element at a time, whatever the numbers are.
        #[test]
        fn all_elements_at_once(bits in prop::collection::vec(any::<u32>(), 3 * 4 + 18 * 4 + 3 * 18), short in any::<bool>(),
                                half in any::<bool>(), negative in any::<bool>(), shift in 0u32..4) {
            let number = |&bits: &u32| f64::from(f32::from_bits(if short { bits & 0xffff_0000 } else { bits }));
            let a = rows(4, bits[..12].iter().map(number).collect());
            let b = rows(4, bits[12..84].iter().map(number).collect());
            let sum = Sum { total: if half { Total::F16 } else { Total::F32 }, negative, shift };
            let mut totals: Vec<u64> = bits[84..].iter().map(|&bits| bits.into()).collect();
            let each = totals.iter().enumerate().map(|(at, &total)| sum.of(total, a.row(at / 18), b.row(at % 18)));
            let expected: Vec<u64> = each.collect();
            sum.add(&mut totals, &a, &b);
            prop_assert_eq!(totals, expected);
        }
    }

    #[test]
    fn numbers_beyond_f32_keep_their_bits() {
        let (a, b) = (rows(1, vec![1.0 + f64::EPSILON]), rows(1, vec![1.0 + f64::EPSILON]));
        let mut totals = [(-1f64).to_bits()];
        Sum { total: Total::F64, negative: false, shift: 0 }.add(&mut totals, &a, &b);
        assert_eq!(f64::from_bits(totals[0]), f64::EPSILON * (2.0 + f64::EPSILON));
    }
}
