//! Copies of boxes of tensors that a tensor map describes (PTX ISA 9.7.9.27).

use super::memory::Reduction;
use super::operand::{Addr, Src};
use crate::parse::Space;
use crate::tensor_map::TensorElement;

/// `[map, {coordinates}]`.
#[derive(Debug)]
pub(crate) struct Corner {
    /// The generic address of the map.
    pub(crate) map: Addr,
    /// The innermost coordinate first.
    pub(crate) coordinates: Box<[Src]>,
    pub(crate) rows: BoxRows,
    /// The offsets of a filter, without channels and images, the innermost first; none where the instruction names none.
    pub(crate) filter: Box<[Src]>,
}

/// Which rows of the tensor form a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxRows {
    /// All rows of the box whose corner the coordinates are (`.tile`).
    Tile,
    /// The four rows that the coordinates after the first name (`.tile::gather4`, `.tile::scatter4`).
    Four,
    /// The pixels from the one that the coordinates name on, as a filter visits them (`.im2col`, `.im2col_no_offs`).
    Pixels,
}

#[derive(Debug)]
pub(crate) struct BoxCopy {
    pub(crate) corner: Corner,
    pub(crate) side: BoxSide,
}

/// Shared memory, and the direction in which a box is copied.
#[derive(Debug)]
pub(crate) enum BoxSide {
    Load {
        space: Space,
        dst: Addr,
        barrier: Addr,
        /// Whether the barrier may be in the other block of a pair than the data (`.cta_group::2`).
        pair: bool,
        /// The blocks of the cluster that receive the data.
        multicast: Option<Src>,
    },
    Store {
        src: Addr,
        reduction: Option<BoxReduction>,
    },
}

/// A reduction for each element type that a tensor may have.
pub(crate) type BoxReduction = Box<[(TensorElement, Reduction)]>;
