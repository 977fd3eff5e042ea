//! Why an op cannot be written as others.

use thiserror::Error;
use tile_isa::Space;
use tile_isa::matrix_descriptor::DescriptorError;
use tile_layout::{LayoutError, counted};
use tile_plan::families::registers::places::ThreadBitError;
use tile_plan::problem::refusal::Refusal;
use tile_plan::sides::ranks::RanksError;

use crate::read::error::ReadError;

/// What an op, or what is around it, lacks of what its instructions need.
#[derive(Debug, Error)]
pub enum EmitError {
    #[error("has sides that do not fit its operands")]
    Sides,
    #[error("has too few operands")]
    Operands,
    #[error("has an scf.if without a result")]
    NoResult,
    #[error("expected tiles in registers")]
    NotInRegisters,
    #[error("needs a tile of a layout that no tile has")]
    NoTileType,
    #[error("is exclusive, and needs an initial value")]
    NoInit,
    #[error("got {0}, expected a map, a reduction, a total or a scan")]
    NotComputed(String),
    #[error(
        "writes tensor memory in a function that is called, expected it in a kernel: inline the function (--tile-inline)"
    )]
    Called,
    #[error("is in a block of unknown size")]
    BlockSize,
    #[error("is in a function without a body")]
    NoBody,
    #[error("is in a function without a module")]
    NoModule,
    #[error("is in a module without a free name")]
    NoName,
    #[error(
        "uses shared memory that becomes a memref.global, and the pass runs on '{function}' alone, expected on the module around it: \
         {module}(…)"
    )]
    Alone { function: String, module: String },
    #[error("uses a buffer that is a block argument; expected one defined by tile.view or tile.alloc")]
    BlockArgument,
    #[error("uses a tensor memory buffer that is a block argument; expected one defined by tile.tmem")]
    TmemArgument,
    #[error("uses a buffer defined by '{0}'; expected tile.view or tile.alloc")]
    DefinedBy(String),
    #[error("views a memref without strides")]
    NoStrides,
    #[error("reduces into {0} memory")]
    ReducedSpace(Space),
    #[error("reduces {bits} bits at a time, which {target} does not")]
    ReducedWidth { bits: u32, target: String },
    #[error("is planned for {}, but scope {scope} has {count}", counted(*.planned, "thread"))]
    Threads { planned: i64, scope: tile_isa::Scope, count: i64 },
    #[error("is planned for {} of scope {scope}, whose size is not known", counted(*.planned, "thread"))]
    UnknownThreads { planned: i64, scope: tile_isa::Scope },
    #[error("has no mbarrier, or no CTA to go to")]
    NoBarrier,
    #[error("has thread scope, but needs a warp")]
    ThreadScope,
    #[error("elects one of the threads of one thread")]
    NoElection,
    #[error("has vectors whose width is not chosen; expected --tile-vectorize-copy before")]
    NoWidth,
    #[error("has a descriptor whose fields do not fit")]
    DescriptorFields,
    #[error(transparent)]
    ThreadBit(#[from] ThreadBitError),
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Ranks(#[from] RanksError),
    #[error(transparent)]
    Plan(#[from] Refusal),
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<EmitError> for String {
    fn from(error: EmitError) -> Self {
        error.to_string()
    }
}
