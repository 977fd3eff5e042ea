//! Why there is no map of a tile where it is wanted.

use thiserror::Error;
use tile_dialect::MAP_WORKSPACE;
use tile_plan::families::tensor_map::MAP_BYTES;

use crate::emit::error::EmitError;
use crate::launches::UnstridedArgument;
use crate::read::error::ReadError;

/// What keeps a map from being made, passed or changed.
#[derive(Debug, Error)]
pub enum MapError {
    #[error("is malformed")]
    Malformed,
    #[error("has no tile in global memory")]
    NoTile,
    #[error(
        "goes through a map of a part of a tile with run-time extents, whose dimensions were reordered after tile.subview; expected \
         tile.subview last"
    )]
    Reordered,
    #[error(
        "goes through the map of a tile that is made again in a loop, while copies through the map may not be complete; expected these \
         waited for before, as --tile-check-sync tells, a tile that is made once, or tile.update_map"
    )]
    Unordered,
    #[error("{unknown}; or {made}")]
    Neither { unknown: Box<MapError>, made: Box<MapError> },
    #[error("describes a tile by what {0} gives, expected arguments of the kernel, and what follows from them")]
    OfKernel(String),
    #[error("{0}; tile.update_map makes a map of such a tile describe another one")]
    Hint(Box<MapError>),
    #[error("is in a function that is no kernel, expected one that --tile-inline made part of its kernels")]
    InFunction,
    #[error("is passed too few arguments")]
    Arguments,
    #[error("has a map that cannot be written")]
    NoText,
    #[error("is of a tile that no op makes")]
    NotMade,
    #[error("is of a tile in what is no kernel of a gpu.module")]
    NoKernel,
    #[error("expected sm_90a or a later chip whose name ends in a or f, to change a map there; got {0}")]
    NoUpdates(String),
    #[error("needs sm_90a or a later chip or family, as sm_100a, with PTX 8.3 or later; got {0}")]
    Chip(String),
    #[error("expected a tile that the host knows: no kernel changes a map of pixels")]
    Pixels,
    #[error("expected a tile that all threads of the block make, which change its map together")]
    SomeThreads,
    #[error(
        "expected a tile of numbers that all threads agree on, proved or promised by tile.assume … uniform(cta); got one of type {0} that \
         is not known to be"
    )]
    Differs(String),
    #[error("expected a tile that is made in no loop")]
    InLoop,
    #[error(
        "expected a stride that is a multiple of 16 bytes, proved or promised by tile.assume … divisible_by; got one of {0} bytes"
    )]
    StrideBytes(i64),
    #[error("is of a tile that was not counted")]
    NotCounted,
    #[error("is of a tile that no template has the type of")]
    NoTemplate,
    #[error("has a workspace without rows of 128 bytes")]
    Rows,
    #[error("has a workspace that no tile is")]
    NoWorkspaceTile,
    #[error(
        "expected an argument memref<?x{MAP_BYTES}xi8> {{{MAP_WORKSPACE}}} of the kernel, memory for its maps, or tile.update_map"
    )]
    NoWorkspace,
    #[error("expected memref<?x{MAP_BYTES}xi8> {{{MAP_WORKSPACE}}} as the memory for maps of the kernel; got {0}")]
    Workspace(String),
    #[error("has no argument for one of its inputs")]
    NoArgument,
    #[error("passes tensor map {index} to {user}, expected copies and tile.update_map")]
    Passed { index: usize, user: String },
    #[error("is of a tile that is no view of memory")]
    NoView,
    #[error("is of a tile without such {0}")]
    NoNumber(&'static str),
    #[error("is in a kernel; expected one on the host, where --tile-make-maps moves it")]
    InKernel,
    #[error("is encoded by a function of the module; expected the pass to run on that")]
    NoModule,
    #[error("passes a tensor map that no tile.tensor_map of this function makes")]
    MadeElsewhere,
    #[error(transparent)]
    Launch(#[from] UnstridedArgument),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl From<MapError> for String {
    fn from(error: MapError) -> Self {
        error.to_string()
    }
}
