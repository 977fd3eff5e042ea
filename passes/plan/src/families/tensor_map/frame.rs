//! What all boxes of a copy have in common.

use super::element::MapElement;
use super::form::MapForm;
use super::map::MAX_BOX;
use super::swizzle::MapSwizzle;
use crate::problem::tensor_map::{OutOfBounds, Promotion};

/// What all boxes of a copy have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub form: MapForm,
    /// Bytes of an element of the tensor.
    pub bytes: i64,
    pub element: MapElement,
    pub swizzle: MapSwizzle,
    pub fill: OutOfBounds,
    pub promotion: Option<Promotion>,
    /// Whether several elements may be moved as one.
    pub widens: bool,
    /// Whether dimensions of the map stay apart, as coordinates are computed at run time that depend on which is which.
    pub apart: bool,
    /// Elements of shared storage, up to the end of the buffer.
    pub shared_end: i64,
}

impl Frame {
    /// The longest piece of a box, in elements of the tensor.
    pub(super) fn longest(&self, innermost: bool) -> i64 {
        match self.swizzle.span() {
            _ if !innermost => MAX_BOX,
            Some(span) => span / self.bytes,
            None if self.widens => MAX_BOX * (8 / self.bytes).max(1),
            None => MAX_BOX,
        }
    }
}
