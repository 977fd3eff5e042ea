//! How far a loop may move a region between two accesses that have an element in common.
//!
//! Regions lie inside their buffers. So two accesses through one buffer touch a common element only if their coordinates are
//! equal in each dimension, and a loop that moves the region along one of them has not moved it further than the region is
//! long. Without that, the last columns of a row would meet the first ones of the next:
//!
//! ```text
//!   32x64 of a 32x8192 tile, from column 64 * k on        rows are 8192 elements apart
//!   k = 0 and k = 128: element (0, 8192) would be (1, 0), but the region of k = 128 has left the buffer
//! ```

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The region of an access in the one dimension that a loop moves it along.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// The buffer, by a number, and its dimension.
    pub dimension: (usize, usize),
    /// What the region's start adds besides the loop, as [`Shift::fixed`](crate::sync::Shift::fixed).
    pub fixed: BTreeMap<usize, i64>,
    /// The least and the largest number of bytes that threads add to it.
    pub start: (i64, i64),
    /// Bytes from the region's first coordinate to its last.
    pub width: i64,
}

impl Reach {
    /// The distances in bytes that the loop may add between this access and a later one with a common element; `None` where any
    /// may be, since the two are of different dimensions.
    ///
    /// ```
    /// use tile_plan::sync::Reach;
    ///
    /// // 64 columns of 2 bytes: 63 columns on, the last one is common.
    /// let reach = Reach { dimension: (0, 1), fixed: [].into(), start: (0, 0), width: 63 * 2 };
    /// assert_eq!(reach.between(&reach), Some(-126..=126));
    /// ```
    pub fn between(&self, later: &Reach) -> Option<RangeInclusive<i64>> {
        if (self.dimension, &self.fixed) != (later.dimension, &later.fixed) {
            return None;
        }
        let width = self.width.max(later.width);
        let least = self.start.0.checked_sub(later.start.1)?.checked_sub(width)?;
        let largest = self.start.1.checked_sub(later.start.0)?.checked_add(width)?;
        Some(least..=largest)
    }
}
