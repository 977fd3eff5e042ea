//! One digit of a layout.

use std::fmt;

use crate::Axis;
use crate::axis::Place;

/// One digit: `extent` positions, `stride` apart on `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iter {
    /// Number of positions, at least 1.
    pub extent: i64,
    /// Distance of neighbours on `axis`, in elements (or threads).
    pub stride: i64,
    /// Where the stride counts.
    pub axis: Axis,
}

impl Iter {
    /// An iter on a given axis.
    pub const fn new(extent: i64, stride: i64, axis: Axis) -> Self {
        Iter { extent, stride, axis }
    }

    /// An iter on the memory axis.
    pub const fn memory(extent: i64, stride: i64) -> Self {
        Iter::new(extent, stride, Axis::Memory)
    }
}

impl fmt::Display for Iter {
    /// `extent:stride`, and `@axis` unless it is memory.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.extent, Place(self.stride, self.axis))
    }
}
