//! Buffers of which only the run knows some extents.
//!
//! An open dimension ([`OPEN`]) has one iter, so a region begins a number of its strides from where the buffer does. What a
//! copy sees of the dimension is as long as the region; where it begins is a part of the buffer's origin:
//!
//! ```text
//!   (?, ?) : (1@s0, 1), region [%i, 64] [16, 32]      (16, 32) : (1@s0, 1) + 64, origin %i * 1@s0
//! ```

use tile_layout::{Iter, LayoutError, OPEN, counted};

use crate::problem::refusal::Refusal;
use crate::problem::scope::Which;
use crate::problem::{Begin, Operand};
use crate::sides::side::DynamicTerm;

impl Operand {
    /// The operand that a copy sees of one that may be open: open dimensions are as long as the region, which begins where
    /// they do, and the origin moves instead. `which` is its side.
    ///
    /// # Errors
    /// `layout-size-differs` where the layout does not fit the shape; `region-rank-differs`; `region-out-of-bounds` for a
    /// negative begin.
    pub fn closed(mut self, which: Which) -> Result<Operand, Refusal> {
        if !self.shape.contains(&OPEN) && !self.layout.is_open() {
            return Ok(self);
        }
        let rank = self.shape.len();
        if (self.begin.len(), self.extent.len()) != (rank, rank) {
            let (begins, extents) = (counted(self.begin.len(), "begin"), counted(self.extent.len(), "extent"));
            let reason = format!("got {begins} and {extents} for the {which}; its rank is {rank}");
            return Err(Refusal::of(which, "region-rank-differs", reason));
        }
        let differs = |error: LayoutError| Refusal::of(which, "layout-size-differs", error.to_string());
        let iters = self.layout.open_iters(&self.shape).map_err(differs)?;
        let mut extents = Vec::new();
        for (dimension, iter) in iters.into_iter().enumerate() {
            let Some(iter) = iter.map(|iter| self.layout.shard[iter]) else { continue };
            self.shape[dimension] = self.extent[dimension];
            extents.push(self.extent[dimension]);
            match std::mem::replace(&mut self.begin[dimension], Begin::Const(0)) {
                Begin::Const(begin) if begin < 0 => {
                    let reason =
                        format!("dimension {dimension} of the {which}'s region begins at {begin}; needed 0 or more");
                    return Err(Refusal::of(which, "region-out-of-bounds", reason));
                }
                Begin::Const(begin) => self.move_by(iter, begin),
                Begin::Dynamic { value, divisor, residue } => {
                    let Iter { stride, axis, .. } = iter;
                    self.origin.push(DynamicTerm { value, div: 1, stride, axis, divisor, residue });
                }
            }
        }
        self.layout = self.layout.closed(&extents).map_err(differs)?;
        self.origin.retain(|term| term.stride != 0);
        Ok(self)
    }

    /// Moves the layout by some steps of an iter.
    fn move_by(&mut self, iter: Iter, steps: i64) {
        let distance = iter.stride.saturating_mul(steps);
        if distance != 0 {
            let offset = self.layout.offset.entry(iter.axis).or_default();
            *offset = offset.saturating_add(distance);
        }
    }
}
