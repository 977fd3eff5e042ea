//! What is to be chosen: a tile, the accesses to it, and the layouts that it may have; and why no layout can be chosen.

use thiserror::Error;
use tile_layout::check::shape_size;
use tile_layout::{Layout, LayoutError, Swizzle};

use super::phases::PhaseTable;

/// Accesses of warps to a tile that differ only in where in the tile they start. One of them stands for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedAccess {
    /// For each lane the elements that it moves in one access, in the order in which it holds them; empty for a lane that does nothing.
    /// An element is its row-major number in the tile's shape.
    ///
    /// `ldmatrix.x4` of 16-bit elements is 32 lanes of 8 elements: the rows of its matrices, by the lanes that give their addresses.
    pub lanes: Vec<Vec<i64>>,
    /// How many times it is executed, by all warps together.
    pub weight: i64,
}

impl SharedAccess {
    /// An access.
    pub fn new(lanes: Vec<Vec<i64>>, weight: i64) -> Self {
        SharedAccess { lanes, weight }
    }

    /// Elements that a lane moves in one access.
    pub(super) fn vector(&self) -> usize {
        self.lanes.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The layouts among which one is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutFamily {
    /// Any order, with a swizzle or padding.
    Free,
    /// Only these, because an engine accesses the tile, too: what TMA or a matrix descriptor can express.
    Modes {
        /// The engine's name, for the certificate.
        engine: &'static str,
        /// Its layouts of the tile; see [`swizzle_modes`].
        layouts: Vec<Layout>,
    },
}

/// A tile in shared memory whose layout is to be chosen.
#[derive(Clone, Debug)]
pub struct LayoutProblem {
    /// The tile's extents, slowest first.
    pub shape: Vec<i64>,
    /// Bytes of an element: 1, 2, 4, 8 or 16.
    pub element_bytes: i64,
    /// All accesses to the tile.
    pub accesses: Vec<SharedAccess>,
    /// How shared memory serves them.
    pub phases: &'static PhaseTable,
    /// The layouts that it may have.
    pub family: LayoutFamily,
    /// The most elements that it may span, padding included; `None` where nothing limits them.
    pub max_elements: Option<i64>,
}

/// The largest tile that is looked at: what the largest shared memory holds of bytes, rounded up.
const MAX_ELEMENTS: i64 = 1 << 18;

impl LayoutProblem {
    /// The number of elements of the tile.
    pub(super) fn elements(&self) -> Result<i64, ChooseError> {
        let elements = shape_size(&self.shape)?;
        if elements > MAX_ELEMENTS {
            return Err(ChooseError::Elements { got: elements, most: MAX_ELEMENTS });
        }
        Ok(elements)
    }

    /// Checks that the numbers describe accesses to the tile.
    pub(super) fn validate(&self) -> Result<(), ChooseError> {
        if ![1, 2, 4, 8, 16].contains(&self.element_bytes) {
            return Err(ChooseError::ElementBytes(self.element_bytes));
        }
        let elements = self.elements()?;
        self.accesses.iter().enumerate().try_for_each(|(index, access)| self.validate_access(index, access, elements))
    }

    fn validate_access(&self, index: usize, access: &SharedAccess, elements: i64) -> Result<(), ChooseError> {
        let vector = access.vector();
        let ragged = access.lanes.iter().find(|lane| !lane.is_empty() && lane.len() != vector);
        if let Some(lane) = ragged {
            return Err(ChooseError::Ragged { access: index, got: lane.len(), expected: vector });
        }
        if access.lanes.len() > self.phases.lanes {
            return Err(ChooseError::Lanes { access: index, got: access.lanes.len(), most: self.phases.lanes });
        }
        if let Some(&element) = access.lanes.iter().flatten().find(|&&element| !(0..elements).contains(&element)) {
            return Err(ChooseError::Outside { access: index, element, elements });
        }
        if !(0..=1 << 40).contains(&access.weight) {
            return Err(ChooseError::Weight { access: index, got: access.weight });
        }
        let bytes = vector as i64 * self.element_bytes;
        match self.phases.phase(bytes) {
            Some(_) => Ok(()),
            None => Err(ChooseError::Width { access: index, got: bytes, table: self.phases }),
        }
    }
}

/// The four modes of TMA and matrix descriptors over a layout without a swizzle: none, and 32, 64 and 128 bytes, which exchange pieces of
/// 16 bytes. Whether the engine accepts the layout itself is for its planner to say.
pub fn swizzle_modes(unswizzled: &Layout, element_bytes: i64) -> Vec<Layout> {
    let base = (16 / element_bytes.clamp(1, 16)).ilog2();
    let modes = (0..=3).filter_map(|bits| Some((bits, Swizzle::new(base, bits, 3, true).ok()?)));
    modes.map(|(bits, swizzle)| Layout { swizzle: (bits > 0).then_some(swizzle), ..unswizzled.clone() }).collect()
}

/// Numbers that describe no accesses to a tile, or layouts that the tile can not have. The text says got and expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChooseError {
    /// A malformed shape, or a malformed layout of an engine.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A width that no access has.
    #[error("got elements of {0} bytes, expected 1, 2, 4, 8 or 16")]
    ElementBytes(i64),
    /// A tile larger than any shared memory.
    #[error("got a tile of {got} elements, expected at most {most}")]
    Elements {
        /// Elements of the tile.
        got: i64,
        /// The limit.
        most: i64,
    },
    /// Lanes that move different numbers of elements.
    #[error("access {access}: got a lane of {got} elements beside one of {expected}, expected the same number or none")]
    Ragged {
        /// The access.
        access: usize,
        /// Elements of one lane.
        got: usize,
        /// Elements of another.
        expected: usize,
    },
    /// More lanes than a warp has.
    #[error("access {access}: got {got} lanes, expected at most {most}")]
    Lanes {
        /// The access.
        access: usize,
        /// Its lanes.
        got: usize,
        /// Lanes of a warp.
        most: usize,
    },
    /// An element that the tile does not have.
    #[error("access {access}: got element {element}, expected 0 to {}", elements - 1)]
    Outside {
        /// The access.
        access: usize,
        /// The element's number.
        element: i64,
        /// Elements of the tile.
        elements: i64,
    },
    /// A number of executions that is negative or absurd.
    #[error("access {access}: got {got} executions, expected 0 to 2^40")]
    Weight {
        /// The access.
        access: usize,
        /// The number given.
        got: i64,
    },
    /// A width whose phases are not known.
    #[error("access {access}: got {got} bytes a lane, expected {}", widths(table))]
    Width {
        /// The access.
        access: usize,
        /// Its bytes.
        got: i64,
        /// The target's phases.
        table: &'static PhaseTable,
    },
    /// No layout at all to choose from.
    #[error("got no layout of {engine} for the tile that spans at most {most} elements, expected one")]
    NoModes {
        /// The engine.
        engine: &'static str,
        /// The most elements that the tile may span.
        most: i64,
    },
    /// A tile that does not fit.
    #[error("got a limit of {most} elements, expected at least the {elements} of the tile")]
    TooSmall {
        /// The most elements that the tile may span.
        most: i64,
        /// Elements of the tile.
        elements: i64,
    },
}

fn widths(table: &PhaseTable) -> String {
    let mut widths: Vec<i64> = table.phases.iter().map(|phase| phase.bytes).collect();
    widths.sort_unstable();
    let widths: Vec<String> = widths.iter().map(i64::to_string).collect();
    format!("{}, for which {} has phases", widths.join(", "), table.name)
}
