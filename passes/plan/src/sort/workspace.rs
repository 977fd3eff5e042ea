//! The memory that kernels of a sort share.

use super::{DIGIT_BITS, ROW_BYTES, SortProblem};
use crate::scan::workspace::STATES;

/// Rows of counts that a thread reads at a time when it looks back.
pub const LOOKBACK_ROWS: i64 = 4;

/// The workspace of a sort of `n` elements in `t` tiles.
///
/// ```text
///   fields of a scan   256 bytes
///   totals             the counts of all digits of each pass: for even epochs, then for odd ones
///   padding            rows in front of the first tile, which are read and not used
///   rows               t rows of 256 counts of 4 bytes: for each digit, how many keys with it
///   keys               n, between passes
///   values             n, between passes
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortWorkspace {
    /// Passes.
    pub passes: i64,
    /// Bytes of a key and of a value between passes; 0 where one pass is enough.
    pub element_bytes: [i64; 2],
}

impl SortWorkspace {
    pub(super) fn new(problem: &SortProblem) -> Self {
        let passes = problem.key_bytes * 8 / DIGIT_BITS;
        let bytes = [problem.key_bytes, problem.value_bytes.unwrap_or(0)];
        SortWorkspace { passes, element_bytes: if passes == 1 { [0; 2] } else { bytes } }
    }

    /// The offset of the totals of epochs of that parity.
    pub fn totals(&self, parity: i64) -> i64 {
        STATES + parity * self.passes * ROW_BYTES
    }

    /// The offset of the first tile's row.
    pub fn rows(&self) -> i64 {
        self.totals(2) + LOOKBACK_ROWS * ROW_BYTES
    }

    /// Bytes for `n` elements in tiles of so many.
    ///
    /// ```
    /// # use tile_plan::sort::SortWorkspace;
    /// let workspace = SortWorkspace { passes: 4, element_bytes: [4, 0] };
    /// assert_eq!(workspace.bytes(1025, 1024), 256 + 8192 + 4096 + 2 * 1024 + 4112);
    /// ```
    pub fn bytes(&self, n: i64, tile: i64) -> i64 {
        let arrays = self.element_bytes.map(|bytes| (n * bytes + 15) / 16 * 16);
        self.rows() + (n + tile - 1) / tile * ROW_BYTES + arrays.iter().sum::<i64>()
    }
}
