//! A scan along a dimension, and its levels.

use crate::elementwise::coordinates::digits_of;
use crate::elementwise::operand::RegisterOperand;
use crate::elementwise::reduced::WarpTiles;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// A scan to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockScanProblem {
    /// The tiles that are scanned together, of one shape; at least one.
    pub sources: Vec<RegisterOperand>,
    /// As many results of that shape.
    pub results: Vec<RegisterOperand>,
    /// The dimension.
    pub dim: usize,
    /// Whether the operator is defined for all values, so that threads that hold nothing may compute with what they have.
    pub is_total: bool,
    /// The threads that scan.
    pub threads: Threads,
}

/// A scan in steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockScanPlan {
    /// The elements of a thread, by row, in the order of their coordinate along the dimension.
    pub rows: Vec<Vec<ElementRegisters>>,
    /// The digits of that coordinate, fastest first.
    pub levels: Vec<ScanLevel>,
}

/// The registers of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementRegisters {
    /// By source.
    pub terms: Vec<usize>,
    /// By result.
    pub results: Vec<usize>,
}

/// One digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanLevel {
    /// Registers of each thread.
    Registers {
        /// Values of the digit.
        extent: usize,
    },
    /// Lanes of each warp.
    Lanes(ThreadDigit),
    /// Warps.
    Warps(Box<WarpLevel>),
}

/// `number / stride % extent`, of a lane of its warp or of a thread of its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadDigit {
    /// Lanes or threads from one value to the next.
    pub stride: i64,
    /// Values.
    pub extent: i64,
}

impl ThreadDigit {
    /// Its value for that lane or thread.
    pub fn at(self, number: i64) -> i64 {
        number / self.stride % self.extent
    }
}

/// The exchange of totals among warps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpLevel {
    /// The digit of the thread's number in its scope.
    pub digit: ThreadDigit,
    /// The tiles.
    pub tiles: WarpTiles,
    /// The registers of the totals in the partial tile, by row and run.
    pub totals: Vec<Vec<usize>>,
    /// The registers of the totals of all warps in the gathered tile, by row, run and warp.
    pub gathered: Vec<Vec<Vec<usize>>>,
}

impl BlockScanProblem {
    /// The refusal where a thread does not hold an element as thread 0 does.
    pub(super) fn elsewhere(&self, operand: &RegisterOperand, thread: usize, element: i64) -> Refusal {
        let reason = format!(
            "thread {thread} does not hold element {:?} of {}, or not in the register in which thread 0 does; needed the \
             layout of {}: #tile.layout<{}>",
            digits_of(element, &operand.shape),
            operand.name,
            self.sources[0].name,
            self.sources[0].layout
        );
        Refusal::new("operand-elsewhere", reason)
    }
}

impl BlockScanPlan {
    /// The number of shuffles, and of warps that exchange totals.
    pub fn cost(&self) -> (i64, i64) {
        let runs_after = |level: usize| -> i64 {
            let slower = self.levels[level..].iter().filter_map(|level| match level {
                ScanLevel::Registers { extent } => Some(*extent as i64),
                _ => None,
            });
            slower.product::<i64>() * self.rows.len() as i64
        };
        let last = self.levels.len().saturating_sub(1);
        self.levels.iter().enumerate().fold((0, 1), |(shuffles, warps), (number, level)| match level {
            ScanLevel::Registers { .. } => (shuffles, warps),
            ScanLevel::Lanes(digit) => {
                let steps = i64::from((digit.extent - 1).checked_ilog2().map_or(0, |log| log + 1));
                (shuffles + runs_after(number) * (steps + 1 + i64::from(number < last)), warps)
            }
            ScanLevel::Warps(level) => (shuffles, warps * level.digit.extent),
        })
    }
}
