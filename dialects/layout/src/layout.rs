//! The layout itself: construction, checks and sizes.

use std::collections::BTreeMap;

use crate::{Axis, Iter, Swizzle};

/// `extent` positions from `begin` on, in one logical dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// First position.
    pub begin: i64,
    /// Number of positions.
    pub extent: i64,
}

impl Range {
    /// `extent` positions from `begin` on.
    pub const fn new(begin: i64, extent: i64) -> Self {
        Range { begin, extent }
    }
}

/// A map from logical elements to locations; see the crate's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The iters (digits) of the logical index, slowest first.
    pub shard: Vec<Iter>,
    /// Further copies of every element: each combination of digits is one more location.
    pub replica: Vec<Iter>,
    /// The offset on each axis; 0 on axes without an entry.
    pub offset: BTreeMap<Axis, i64>,
    /// Applied last, to the complete memory address.
    pub swizzle: Option<Swizzle>,
}

impl Layout {
    /// A layout with only a shard.
    pub fn new(shard: impl Into<Vec<Iter>>) -> Self {
        Layout { shard: shard.into(), ..Layout::default() }
    }

    /// A dense layout in memory, last dimension fastest.
    ///
    /// `row_major([2, 3])` is `(2, 3) : (3, 1)`. Strides saturate; [`Layout::validate`] refuses what does not fit.
    pub fn row_major(shape: &[i64]) -> Self {
        let mut stride = 1;
        let mut shard: Vec<Iter> = shape
            .iter()
            .rev()
            .map(|&extent| {
                let iter = Iter::memory(extent, stride);
                stride = stride.saturating_mul(extent);
                iter
            })
            .collect();
        shard.reverse();
        Layout::new(shard)
    }

    /// The same with a replica.
    #[must_use]
    pub fn with_replica(mut self, replica: impl Into<Vec<Iter>>) -> Self {
        self.replica = replica.into();
        self
    }

    /// The same with `value` as the offset on `axis`.
    #[must_use]
    pub fn with_offset(mut self, axis: Axis, value: i64) -> Self {
        self.offset.insert(axis, value);
        self
    }

    /// The same under a swizzle.
    #[must_use]
    pub fn with_swizzle(mut self, swizzle: Swizzle) -> Self {
        self.swizzle = Some(swizzle);
        self
    }

    /// Number of logical elements: the product of the shard's extents. Saturates on a layout that is not valid.
    pub fn size(&self) -> i64 {
        self.shard.iter().fold(1i64, |size, iter| size.saturating_mul(iter.extent))
    }

    /// The offset on `axis`.
    pub fn offset_on(&self, axis: Axis) -> i64 {
        self.offset.get(&axis).copied().unwrap_or(0)
    }
}
