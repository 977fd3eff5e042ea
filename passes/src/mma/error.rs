//! Why a product cannot be written as instructions.

use thiserror::Error;

use crate::emit::error::EmitError;
use crate::read::error::ReadError;

/// What a product lacks of what its instructions need.
#[derive(Debug, Error)]
pub enum MmaError {
    #[error("expected three tiles")]
    Tiles,
    #[error("got parts of one tile as {0} and c, expected different tiles: c is overwritten")]
    Overwritten(&'static str),
    #[error("expected scales in rows and columns")]
    Scales,
    #[error("has sums of type {got}, expected an LLVM struct of 4 fields for every {columns} columns")]
    Sums { got: String, columns: i64 },
    #[error("has no known elements")]
    Elements,
    #[error("adds to a part of a tile in tensor memory, expected all of it")]
    PartOfSums,
    #[error("multiplies a part of a tile in tensor memory, expected all of it")]
    PartOfLeft,
    #[error("multiplies by scales of which the address is not known, expected those of a tile.alloc or tile.tmem")]
    UnknownScales,
    #[error("is in no loop any more")]
    NoLoop,
    #[error("has factors that wgmma does not multiply")]
    Operands,
    #[error("has a plan whose left factor is elsewhere")]
    LeftElsewhere,
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl From<MmaError> for String {
    fn from(error: MmaError) -> Self {
        error.to_string()
    }
}
