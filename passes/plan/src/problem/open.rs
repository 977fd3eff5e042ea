//! How a copy sees dimensions that a region may leave: those with run-time extents, and masked ones.
//!
//! An open dimension ([`OPEN`]) has one iter, so a region starts a number of its strides from the start of the buffer.
//! For the copy, the dimension is as long as the region, and the start of the region becomes a part of the buffer's
//! origin:
//!
//! ```text
//!   (?, ?) : (1@s0, 1), region [%i, 64] [16, 32]      (16, 32) : (1@s0, 1) + 64, origin %i * 1@s0
//! ```
//!
//! The slowest iter of a masked dimension is treated likewise, since for addresses it has no end:
//!
//! ```text
//!   (100) : (1), masked region [90] [16]              (16) : (1) + 90
//!   (4, 16) : (1024, 1), masked region [%i] [32]      (2, 16) : (1024, 1), origin floor(%i / 16) * 1024
//! ```

use tile_layout::{Axis, Fusion, Iter, Layout, LayoutError, OPEN, counted};

use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, DynamicTerm};

impl Operand {
    /// The operand as a copy sees it. Open dimensions become as long as the region, which then starts at their start,
    /// and the origin moves instead; the same holds for the dimensions in `masked`, which the region may leave. `which`
    /// is the side of the operand.
    ///
    /// # Errors
    /// `layout-size-differs` where the layout does not fit the shape; `region-rank-differs`; `region-out-of-bounds` for
    /// a negative begin in a dimension that is not masked. For a masked dimension, `region-not-sliceable` where it has
    /// no iters of its own, and the causes of run-time begins.
    pub fn closed(mut self, role: Role, masked: &[usize]) -> Result<Operand, Refusal> {
        let open: Vec<bool> = self.shape.iter().map(|&extent| extent == OPEN).collect();
        if open.contains(&true) || self.layout.is_open() {
            self = self.close(role, masked)?;
        }
        let left = |dimension: &&usize| open.get(**dimension) == Some(&false);
        let bounded: Vec<usize> = masked.iter().filter(left).copied().collect();
        if bounded.is_empty() { Ok(self) } else { self.unbound(role, &bounded) }
    }

    /// Closes open dimensions.
    fn close(mut self, role: Role, masked: &[usize]) -> Result<Operand, Refusal> {
        let rank = self.shape.len();
        if (self.begin.len(), self.extent.len()) != (rank, rank) {
            let (begins, extents) = (counted(self.begin.len(), "begin"), counted(self.extent.len(), "extent"));
            let reason = format!("got {begins} and {extents} for the {role}; its rank is {rank}");
            return Err(Refusal::of(role, "region-rank-differs", reason));
        }
        let differs = |error: LayoutError| Refusal::of(role, "layout-size-differs", error.to_string());
        let iters = self.layout.open_iters(&self.shape).map_err(differs)?;
        let mut extents = Vec::new();
        for (dimension, iter) in iters.into_iter().enumerate() {
            let Some(iter) = iter.map(|iter| self.layout.shard[iter]) else { continue };
            self.shape[dimension] = self.extent[dimension];
            extents.push(self.extent[dimension]);
            match std::mem::replace(&mut self.begin[dimension], Begin::Const(0)) {
                Begin::Const(begin) if begin < 0 && !masked.contains(&dimension) => {
                    let reason =
                        format!("dimension {dimension} of the {role}'s region begins at {begin}; needed 0 or more");
                    return Err(Refusal::of(role, "region-out-of-bounds", reason));
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

    /// Removes the upper bounds of the dimensions in `masked`.
    fn unbound(mut self, role: Role, masked: &[usize]) -> Result<Operand, Refusal> {
        let span = self.layout.span(Axis::Memory);
        let grouped = self.layout.canonicalize(Fusion::None).group(&self.shape);
        let (grouped, seps) = grouped.map_err(|error| Refusal::of(role, "region-not-sliceable", error.to_string()))?;
        let mut shard = Vec::new();
        for dimension in 0..self.shape.len() {
            let ends = seps.get(dimension).zip(seps.get(dimension + 1));
            let block = ends.and_then(|(&begin, &end)| grouped.shard.get(begin..end)).unwrap_or_default();
            let mut block = Layout::new(block).canonicalize(Fusion::None).shard;
            if masked.contains(&dimension) {
                let slowest = block.first().copied().unwrap_or(Iter::memory(1, span));
                let extent = self.unbounded_dimension(role, dimension, slowest, &block)?;
                block.splice(..block.len().min(1), [Iter { extent, ..slowest }]);
            }
            shard.extend(block);
        }
        // Keep thread axes with a single position: they say that thread 0 of the axis holds the data, not every thread.
        let held = std::mem::replace(&mut self.layout.shard, shard);
        let lost = held.iter().filter(|iter| iter.axis.is_thread() && self.layout.axes().all(|axis| axis != iter.axis));
        let lost: Vec<Iter> = lost.map(|iter| Iter { extent: 1, ..*iter }).collect();
        self.layout.shard.splice(..0, lost);
        Ok(self)
    }

    /// Moves the region to the start of the slowest iter of a dimension, and returns the new extent of that iter.
    fn unbounded_dimension(
        &mut self,
        role: Role,
        dimension: usize,
        slowest: Iter,
        block: &[Iter],
    ) -> Result<i64, Refusal> {
        if !slowest.axis.is_address() {
            let reason = format!(
                "dimension {dimension} of the {role} is masked, and counts on axis '{}'; needed memory",
                slowest.axis
            );
            return Err(Refusal::of(role, "masked-thread-axis", reason));
        }
        let inner = block.iter().skip(1).fold(1i64, |inner, iter| inner.saturating_mul(iter.extent));
        let low = match self.begin[dimension] {
            Begin::Const(begin) => {
                self.move_by(slowest, begin.div_euclid(inner));
                begin.rem_euclid(inner)
            }
            Begin::Dynamic { divisor, residue, .. } if divisor % inner != 0 => {
                let reason = format!(
                    "dimension {dimension} of the {role} begins at a run-time value ≡ {residue} (mod {divisor}) inside \
                     iters of {inner} positions; needed a value known modulo a multiple of {inner}"
                );
                return Err(Refusal::of(role, "dynamic-begin-not-divisible", reason));
            }
            Begin::Dynamic { value, divisor, residue } => {
                let low = residue % inner;
                let Iter { stride, axis, .. } = slowest;
                let (divisor, residue) = (divisor / inner, (residue - low) / inner);
                let term = DynamicTerm { value, div: inner, stride, axis, divisor, residue };
                self.origin.extend((stride != 0).then_some(term));
                low
            }
        };
        let steps = low.saturating_add(self.extent[dimension]).saturating_add(inner - 1) / inner;
        self.begin[dimension] = Begin::Const(low);
        self.shape[dimension] = steps.saturating_mul(inner);
        Ok(steps)
    }

    /// Moves the layout by `steps` steps of an iter.
    fn move_by(&mut self, iter: Iter, steps: i64) {
        let distance = iter.stride.saturating_mul(steps);
        if distance != 0 {
            let offset = self.layout.offset.entry(iter.axis).or_default();
            *offset = offset.saturating_add(distance);
        }
    }
}
