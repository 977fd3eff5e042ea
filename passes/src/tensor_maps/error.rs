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
    /// An op that its verifier would refuse.
    #[error("is malformed")]
    Malformed,
    /// A copy between shared memories.
    #[error("has no tile in global memory")]
    NoTile,
    /// A part whose run-time extents are not those of the tile that the map describes.
    #[error(
        "goes through a map of a part of a tile with run-time extents, whose dimensions were reordered after tile.subview; expected \
         tile.subview last"
    )]
    Reordered,
    /// A map that changes before copies through it are complete.
    #[error(
        "goes through the map of a tile that is made again in a loop, while copies through the map may not be complete; expected these \
         waited for before, as --tile-check-sync tells, a tile that is made once, or tile.update_map"
    )]
    Unordered,
    /// A tile that only the kernel knows, and of which it cannot make a map itself.
    #[error("{unknown}; or {own}")]
    Neither { unknown: Box<MapError>, own: Box<MapError> },
    /// A tile that the host cannot make.
    #[error("describes a tile by what {0} gives, expected arguments of the kernel, and what follows from them")]
    OfKernel(String),
    /// The same, of a map that is to be made on the host.
    #[error("{0}; tile.update_map makes a map of such a tile describe another one")]
    Hint(Box<MapError>),
    /// A map in code that no launch names.
    #[error("is in a function that is no kernel, expected one that --tile-inline made part of its kernels")]
    InFunction,
    /// A launch with other operands than its kernel has arguments.
    #[error("is passed too few arguments")]
    Arguments,
    /// A map that has no text.
    #[error("has a map that cannot be written")]
    NoText,
    /// A tile that is passed to a block.
    #[error("is of a tile that no op makes")]
    NotMade,
    /// A tile of a function that is not launched.
    #[error("is of a tile in what is no kernel of a gpu.module")]
    NoKernel,
    /// A chip that does not change maps, for a tile that only the kernel knows.
    #[error("expected sm_90a or a later chip whose name ends in a or f, to change a map there; got {0}")]
    NoUpdates(String),
    /// The same, for an op that changes one.
    #[error("needs sm_90a or a later chip or family, as sm_100a, with PTX 8.3 or later; got {0}")]
    Chip(String),
    /// Pixels, which no instruction replaces.
    #[error("expected a tile that the host knows: no kernel changes a map of pixels")]
    Pixels,
    /// A tile that some threads make.
    #[error("expected a tile that all threads of the block make, which change its map together")]
    SomeThreads,
    /// A tile that differs between threads.
    #[error(
        "expected a tile of numbers that all threads agree on, proved or promised by tile.assume … uniform(cta); got one of type {0} that \
         is not known to be"
    )]
    Differs(String),
    /// A tile that is made several times where one map is wanted.
    #[error("expected a tile that is made in no loop")]
    InLoop,
    /// A stride that the engine does not have.
    #[error(
        "expected a stride that is a multiple of 16 bytes, proved or promised by tile.assume … divisible_by; got one of {0} bytes"
    )]
    StrideBytes(i64),
    /// A map that was not counted.
    #[error("is of a tile that was not counted")]
    NotCounted,
    /// A tile of a type that the memory of a workspace has not.
    #[error("is of a tile that no template has the type of")]
    NoTemplate,
    /// Memory for maps of another type.
    #[error("has a workspace without rows of 128 bytes")]
    Rows,
    /// Memory for maps that is no tile.
    #[error("has a workspace that no tile is")]
    NoWorkspaceTile,
    /// A kernel without memory for maps.
    #[error(
        "expected an argument memref<?x{MAP_BYTES}xi8> {{{MAP_WORKSPACE}}} of the kernel, memory for its maps, or tile.update_map"
    )]
    NoWorkspace,
    /// A kernel with memory for maps of another type.
    #[error("expected memref<?x{MAP_BYTES}xi8> {{{MAP_WORKSPACE}}} as the memory for maps of the kernel; got {0}")]
    Workspace(String),
    /// A kernel whose type and body differ.
    #[error("has no argument for one of its inputs")]
    NoArgument,
    /// A map that is used otherwise than by copies.
    #[error("passes tensor map {index} to {user}, expected copies and tile.update_map")]
    Passed { index: usize, user: String },
    /// A tile without memory.
    #[error("is of a tile that is no view of memory")]
    NoView,
    /// A map that refers to another tile's numbers.
    #[error("is of a tile without such {0}")]
    NoNumber(&'static str),
    /// A map that is still in a kernel.
    #[error("is in a kernel; expected one on the host, where --tile-make-maps moves it")]
    InKernel,
    /// A pass that may not declare the encoder.
    #[error("is encoded by a function of the module; expected the pass to run on that")]
    NoModule,
    /// A launch that passes a map from elsewhere.
    #[error("passes a tensor map that no tile.tensor_map of this function makes")]
    MadeElsewhere,
    /// An argument of a kernel that is not passed as numbers.
    #[error(transparent)]
    Launch(#[from] UnstridedArgument),
    /// An op that is not read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Ops that cannot be written.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl From<MapError> for String {
    fn from(error: MapError) -> Self {
        error.to_string()
    }
}
