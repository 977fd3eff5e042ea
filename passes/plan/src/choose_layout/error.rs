//! Why no layout can be chosen.

use thiserror::Error;
use tile_layout::LayoutError;

use super::phases::PhaseTable;

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
