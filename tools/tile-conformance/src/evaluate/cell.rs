//! Places.

use std::fmt;

use tile_plan::Space;

/// Where an element can be, in elements of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// In memory, from the buffer's first element on.
    Memory(i64),
    /// In a register of a thread of the block.
    Register {
        /// The thread.
        thread: i64,
        /// The register.
        register: i64,
    },
    /// In tensor memory.
    Tensor {
        /// The lane.
        lane: i64,
        /// The column, in elements.
        column: i64,
    },
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Memory(address) => write!(f, "element {address}"),
            Cell::Register { thread, register } => write!(f, "register {register} of thread {thread}"),
            Cell::Tensor { lane, column } => write!(f, "column {column} of lane {lane}"),
        }
    }
}

/// An address as a place of a thread.
pub(super) fn cell(space: Space, thread: i64, address: i64) -> Cell {
    match space {
        Space::Local => Cell::Register { thread, register: address },
        _ => Cell::Memory(address),
    }
}
