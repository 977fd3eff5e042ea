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

/// What is not understood of an op, or of the kernel around it.
#[derive(Debug, Error)]
pub enum ReadError {
    /// A promise about overlaps that is neither made nor refused.
    #[error("has {NOALIAS} = {0}, expected true or false")]
    NoAlias(String),
    /// An order that is not known.
    #[error("has {ORDER} = {0}, expected \"{BY_HAND}\"")]
    Order(String),
    /// An op that no function contains.
    #[error("is not inside a function")]
    NoFunction,
    /// Blocks that no GPU has.
    #[error("got block size {0:?}, expected up to 3 extents of at least 1 and at most {MAX_BLOCK} threads")]
    BlockSize(Vec<i64>),
    /// Scope cta in blocks of an unknown size.
    #[error("has scope cta, but the function's block size is not known; give it known_block_size = array<i32: …>")]
    UnknownBlockSize,
    /// Several chips.
    #[error("is in a gpu.module for {0}, expected one chip: what is planned for one may not exist on another")]
    Chips(String),
    /// Another chip than the option names.
    #[error(
        "got {asked} for option 'chip', but the gpu.module around it names {named}; run the pass on the gpu.module or around it, \
         where it can be retargeted"
    )]
    OtherChip { asked: String, named: String },
    /// A chip that does not exist.
    #[error(transparent)]
    Chip(#[from] UnknownChip),
    /// A feature that chips do not have.
    #[error(transparent)]
    Feature(#[from] UnknownFeature),
    /// A value that is no tile.
    #[error("uses a value that is not a buffer")]
    NotABuffer,
    /// A value that is no tile, of which the parts are asked for.
    #[error("takes apart a value that is not a tile")]
    NotATile,
    /// A tile that its type does not describe.
    #[error("is not what its type says")]
    OtherTile,
    /// A tile with strides that are nowhere.
    #[error("steps by strides that are not known")]
    UnknownStrides,
    /// A view, by its op, that its verifier would refuse.
    #[error("uses a malformed {0}")]
    View(String),
    /// A cast to the type of another tile.
    #[error("uses a tile.cast of another layout")]
    Cast,
    /// A start that overflows.
    #[error("begins beyond 64 bits")]
    Begin,
    /// A stride that overflows.
    #[error("steps beyond 64 bits")]
    Stride,
    /// A region that does not fit its buffer.
    #[error("has a malformed region")]
    Region,
    /// An extent below 0.
    #[error("has a buffer whose extent in dimension {dimension} is {extent}, expected at least 0")]
    Extent { dimension: usize, extent: i64 },
    /// A tile whose definition is not in sight.
    #[error("uses a buffer that {0}; expected one defined by tile.view, tile.alloc or tile.tmem")]
    Undefined(String),
    /// A tile that is passed to a kernel.
    #[error(
        "uses a buffer that is an argument of the kernel; --canonicalize before --gpu-kernel-outlining takes views into the launch, \
         so that the kernel's argument is the memref"
    )]
    KernelArgument,
    /// A tile of shared memory or registers that belongs to no kernel.
    #[error(
        "uses a tile.alloc outside the gpu.launch, expected it inside: shared memory belongs to a block, registers to a thread"
    )]
    OutsideLaunch,
    /// An element type without a width.
    #[error("copies {0}, which has no width")]
    Width(String),
    /// A masked store through a map that begins before its tensor.
    #[error("is stored from {0} on, expected 0 or more: the engine stores no box that starts before its tensor")]
    StoreStart(i64),
    /// Rows that are counted from before the tensor.
    #[error("begins at row {0}, expected 0 or more: rows that end at another one are counted from there")]
    FirstRow(i64),
    /// A mask that a map does not know.
    #[error("is masked by the bounds of a part of a tile, expected those of the whole: a tensor map knows these")]
    PartMasked,
    /// An offset of a filter that the engine does not take.
    #[error("has {got} as offset {index} of its filter, expected 0 to {most} for images of {rank} dimensions")]
    FilterOffset { got: i64, index: usize, most: i64, rank: usize },
    /// A pixel that no walk reaches.
    #[error(
        "begins at pixel {got} in dimension {dimension}, expected one of the pixels that im2col walks through, {first} to {}",
        .last.map_or("its end".to_owned(), |last| last.to_string())
    )]
    Pixel { got: i64, dimension: usize, first: i64, last: Option<i64> },
    /// A layout that cannot be changed as a view asks for.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A start where no pointer can point.
    #[error(transparent)]
    Start(#[from] BeginError),
    /// An operator that its type does not have.
    #[error(transparent)]
    Red(#[from] RedError),
    /// An op that its verifier would refuse.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A region that no plan takes.
    #[error(transparent)]
    Plan(#[from] Refusal),
}

impl From<ReadError> for String {
    fn from(error: ReadError) -> Self {
        error.to_string()
    }
}
