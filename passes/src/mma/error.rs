//! Why a product cannot be written as instructions.

use thiserror::Error;

use crate::emit::error::EmitError;
use crate::read::error::ReadError;

/// What a product lacks of what its instructions need.
#[derive(Debug, Error)]
pub enum MmaError {
    /// An op without its three tiles.
    #[error("expected three tiles")]
    Tiles,
    /// Tiles that are written while they are read.
    #[error("got parts of one tile as {0} and c, expected different tiles: c is overwritten")]
    Overwritten(&'static str),
    /// Scales of another rank.
    #[error("expected scales in rows and columns")]
    Scales,
    /// Sums of an instruction in a type that does not hold them.
    #[error("has sums of type {got}, expected an LLVM struct of 4 fields for every {columns} columns")]
    Sums { got: String, columns: i64 },
    /// Elements that PTX has no name for.
    #[error("has no known elements")]
    Elements,
    /// Sums in a part of a tile.
    #[error("adds to a part of a tile in tensor memory, expected all of it")]
    PartOfSums,
    /// The left operand in a part of a tile.
    #[error("multiplies a part of a tile in tensor memory, expected all of it")]
    PartOfLeft,
    /// Scales of a tile that is not in sight.
    #[error("multiplies by scales of which the address is not known, expected those of a tile.alloc or tile.tmem")]
    UnknownScales,
    /// A loop that another pattern has taken away.
    #[error("is in no loop any more")]
    NoLoop,
    /// Operands of a type that the instruction does not multiply.
    #[error("has factors that wgmma does not multiply")]
    Operands,
    /// A plan for other operands.
    #[error("has a plan whose left factor is elsewhere")]
    LeftElsewhere,
    /// An op that is not read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Ops that cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl From<MmaError> for String {
    fn from(error: MmaError) -> Self {
        error.to_string()
    }
}
