//! Threads that take turns in rows of a destination that begin anywhere, so that the stores of a warp fill lines.
//!
//! ```text
//!   a row of 128 words that begins at word 5 of a line
//!     threads          0 … 31 | 32 … 63 | 64 … 95 | 96 … 127
//!     elements as they are  0 … 31 | …                            two lines a warp, which each warp fills in part
//!     rotated    123 … 127, 0 … 26 | 27 … 58 | 59 … 90 | 91 … 122      a line a warp; but for the two ends of the row
//! ```

use tile_isa::{Space, WARP};
use tile_layout::IndexArith;

use super::address::vector_address;
use super::plan::VectorCopy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::traffic::LINE_BYTES;

/// The fewest elements of a row in which threads rotate. On an H200, words of a transpose whose rows begin anywhere, in percent of the
/// driver's copy: rows of 128 words 80.6 as they are, 87.5 rotated; rows of 64 words 82.6 and 75.3.
pub(crate) const LEAST_ROW: i64 = 128;

impl VectorCopy {
    /// The elements of a row among which threads may rotate, each with one element of it; `None` where stores would fill no more lines.
    pub(super) fn rotating_row(&self) -> Option<i64> {
        let is_word = i64::from(self.element_bits / 8) * WARP == LINE_BYTES && self.conversion.is_none();
        let iters = self.dst.layout.shard.split_last()?.1.iter().rev();
        let row = iters.copied().find(|iter| iter.extent != 1)?;
        let length = row.extent.min(self.threads);
        let is_row = row.stride == 1 && row.axis.is_address() && length.count_ones() == 1 && length >= LEAST_ROW;
        let is_shared = self.ranks.is_none()
            && self.threads % length.max(1) == 0
            && row.extent % length.max(1) == 0
            && self.is_even();
        let stores = self.src.as_ref().is_some_and(|src| src.space == Space::Shared) && self.dst.space == Space::Global;
        (is_word && is_row && is_shared && stores && self.vector == 1).then_some(length)
    }
}

/// The thread whose elements thread `t` moves in round `f`: itself, unless threads rotate. `values` are those of the destination, which
/// begins at a line.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn rotated<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    (f, t): (A::Value, A::Value),
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    if copy.rotation <= 1 {
        return Ok(t);
    }
    let last = a.constant(copy.rotation - 1);
    let place = a.and(t.clone(), last.clone());
    let first = a.sub(t, place.clone());
    let begin = vector_address(a, copy, Role::Dst, f, first.clone(), values)?;
    let moved = a.sub(place, begin);
    let moved = a.and(moved, last);
    Ok(a.add(first, moved))
}
