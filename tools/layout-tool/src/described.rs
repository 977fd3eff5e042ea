//! A layout with its tile.

use tile_layout::Layout;

/// A layout and the shape of its tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The layout.
    pub layout: Layout,
    /// The tile's extents, slowest first.
    pub shape: Vec<i64>,
}
