//! Why an op, where it stands, is not read.

use thiserror::Error;
use tile_dialect::error::VerifyError;
use tile_dialect::{BY_HAND, NOALIAS, ORDER};
use tile_isa::red::RedError;
use tile_layout::LayoutError;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::threads::MAX_BLOCK;
use tile_plan::sides::begin::BeginError;
use tile_plan::target::UnknownChip;
use tile_plan::target::features::UnknownFeature;

/// Why what is in a role has no threads in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RoleError {
    /// Other threads take the arm than the first ones.
    #[error("is in a role of {threads} threads, which {taken} threads take, expected threads 0 to {}", .threads - 1)]
    Others {
        /// The threads of the role.
        threads: i64,
        /// The number of those that take the arm.
        taken: i64,
    },
    /// It is not known which threads take it.
    #[error("is in a role of {threads} threads, but it is not known which threads take it")]
    Unknown {
        /// The threads of the role.
        threads: i64,
    },
}

/// What is not understood of an op, or of the kernel around it.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("has {NOALIAS} = {0}, expected true or false")]
    NoAlias(String),
    #[error("has {ORDER} = {0}, expected \"{BY_HAND}\"")]
    Order(String),
    #[error("is not inside a function")]
    NoFunction,
    #[error("got block size {0:?}, expected up to 3 extents of at least 1 and at most {MAX_BLOCK} threads")]
    BlockSize(Vec<i64>),
    #[error("has scope cta, but the function's block size is not known; give it known_block_size = array<i32: …>")]
    UnknownBlockSize,
    #[error("is in a gpu.module for {0}, expected one chip: what is planned for one may not exist on another")]
    Chips(String),
    #[error(
        "got {asked} for option 'chip', but the gpu.module around it names {named}; run the pass on the gpu.module or around it, \
         where it can be retargeted"
    )]
    OtherChip { asked: String, named: String },
    #[error(transparent)]
    Chip(#[from] UnknownChip),
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    #[error("uses a value that is not a buffer")]
    NotABuffer,
    #[error("takes apart a value that is not a tile")]
    NotATile,
    #[error("is not what its type says")]
    OtherTile,
    #[error("steps by strides that are not known")]
    UnknownStrides,
    #[error("uses a malformed {0}")]
    View(String),
    #[error("uses a tile.cast of another layout")]
    Cast,
    #[error("begins beyond 64 bits")]
    Begin,
    #[error("steps beyond 64 bits")]
    Stride,
    #[error("has a malformed region")]
    Region,
    #[error("has a buffer whose extent in dimension {dimension} is {extent}, expected at least 0")]
    Extent { dimension: usize, extent: i64 },
    #[error("uses a buffer that {0}; expected one defined by tile.view, tile.alloc or tile.tmem")]
    Undefined(String),
    #[error(
        "uses a buffer that is an argument of the kernel; --canonicalize before --gpu-kernel-outlining takes views into the launch, \
         so that the kernel's argument is the memref"
    )]
    KernelArgument,
    #[error(
        "uses a tile.alloc outside the gpu.launch, expected it inside: shared memory belongs to a block, registers to a thread"
    )]
    OutsideLaunch,
    #[error("copies {0}, which has no width")]
    Width(String),
    #[error("is stored from {0} on, expected 0 or more: the engine stores no box that starts before its tensor")]
    StoreStart(i64),
    #[error("begins at row {0}, expected 0 or more: rows that end at another one are counted from there")]
    FirstRow(i64),
    #[error("is masked by the bounds of a part of a tile, expected those of the whole: a tensor map knows these")]
    PartMasked,
    #[error("has {got} as offset {index} of its filter, expected 0 to {most} for images of {rank} dimensions")]
    FilterOffset { got: i64, index: usize, most: i64, rank: usize },
    #[error(
        "begins at pixel {got} in dimension {dimension}, expected one of the pixels that im2col walks through, {first} to {}",
        .last.map_or("its end".to_owned(), |last| last.to_string())
    )]
    Pixel { got: i64, dimension: usize, first: i64, last: Option<i64> },
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Start(#[from] BeginError),
    #[error(transparent)]
    Red(#[from] RedError),
    #[error(transparent)]
    Role(#[from] RoleError),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error(transparent)]
    Plan(#[from] Refusal),
}

impl From<ReadError> for String {
    fn from(error: ReadError) -> Self {
        error.to_string()
    }
}
