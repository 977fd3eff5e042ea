//! One element at a time.

use tile_layout::{Axis, Iter, Layout};

use crate::plan::Owner;
use crate::problem::{Begin, Space};

/// One element at a time, by whoever owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarCopy {
    /// Which threads copy what.
    pub owner: Owner,
    /// Extents of the region's dimensions that are not 1: the copy's loop nest, the same for both sides.
    pub extents: Vec<i64>,
    /// Width of an element.
    pub element_bits: u32,
    /// Where the elements come from.
    pub src: ScalarSide,
    /// Where they go.
    pub dst: ScalarSide,
}

/// One side of a scalar copy: the layout of the whole buffer, evaluated per element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarSide {
    /// Where it lives.
    pub space: Space,
    /// Layout of the whole buffer, replica included: a source is read at replica 0, a destination is
    /// written at all.
    pub layout: Layout,
    /// Shape of the whole buffer.
    pub shape: Vec<i64>,
    /// Where the region begins.
    pub begin: Vec<Begin>,
    /// Per dimension the loop of [`ScalarCopy::extents`] that walks it; `None` where the extent is 1.
    pub walked: Vec<Option<usize>>,
    /// Proven alignment of the storage's first element, in bytes.
    pub align_bytes: i64,
}

impl ScalarSide {
    /// Memory iters of the replica: a destination is written at every combination of their digits.
    pub fn copies(&self) -> impl Iterator<Item = Iter> + '_ {
        let copies = self.layout.replica.iter().copied();
        copies.filter(|iter| iter.axis == Axis::Memory && iter.extent != 1 && iter.stride != 0)
    }
}
