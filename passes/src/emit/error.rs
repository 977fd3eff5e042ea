//! Why an op cannot be written as others.

use thiserror::Error;
use tile_isa::Space;
use tile_isa::bulk::RouteError;
use tile_isa::clause::ClauseError;
use tile_isa::matrix_descriptor::DescriptorError;
use tile_layout::{LayoutError, counted};
use tile_plan::families::registers::places::ThreadBitError;
use tile_plan::problem::refusal::Refusal;
use tile_plan::sides::ranks::RanksError;

use crate::read::error::ReadError;

/// What an op, or what is around it, lacks of what its instructions need.
#[derive(Debug, Error)]
pub enum EmitError {
    /// A plan whose sides are not those of the op's buffers.
    #[error("has sides that do not fit its operands")]
    Sides,
    /// An op without the operands that its definition requires.
    #[error("has too few operands")]
    Operands,
    /// A result that is nowhere.
    #[error("has an scf.if without a result")]
    NoResult,
    /// A tile that is in memory, or that is none.
    #[error("expected tiles in registers")]
    NotInRegisters,
    /// A tile that has no type.
    #[error("needs a tile of a layout that no tile has")]
    NoTileType,
    /// An exclusive scan that begins with nothing.
    #[error("is exclusive, and needs an initial value")]
    NoInit,
    /// An op, by its name, that computes nothing on tiles.
    #[error("got {0}, expected a map, a reduction, a total or a scan")]
    NotComputed(String),
    /// Tensor memory of what is no kernel.
    #[error(
        "writes tensor memory in a function that is called, expected it in a kernel: inline the function (--tile-inline)"
    )]
    Called,
    /// A number of a group of threads where the block's size is not known.
    #[error("is in a block of unknown size")]
    BlockSize,
    /// A declaration.
    #[error("is in a function without a body")]
    NoBody,
    /// A function that no module contains.
    #[error("is in a function without a module")]
    NoModule,
    /// A module that has all names.
    #[error("is in a module without a free name")]
    NoName,
    /// A pass that may not change the module.
    #[error(
        "uses shared memory that becomes a memref.global, and the pass runs on '{function}' alone, expected on the module around it: \
         {module}(…)"
    )]
    Alone { function: String, module: String },
    /// A tile that is passed to a block.
    #[error("uses a buffer that is a block argument; expected one defined by tile.view or tile.alloc")]
    BlockArgument,
    /// A tile of tensor memory that is passed to a block.
    #[error("uses a tensor memory buffer that is a block argument; expected one defined by tile.tmem")]
    TmemArgument,
    /// A tile, by the op that makes it, without storage.
    #[error("uses a buffer defined by '{0}'; expected tile.view or tile.alloc")]
    DefinedBy(String),
    /// Memory whose addresses do not follow from strides.
    #[error("views a memref without strides")]
    NoStrides,
    /// A reduction into memory that threads do not share.
    #[error("reduces into {0} memory")]
    ReducedSpace(Space),
    /// A reduction of more bits than the chip reduces.
    #[error("reduces {bits} bits at a time, which {target} does not")]
    ReducedWidth { bits: u32, target: String },
    /// A plan for another number of threads.
    #[error("is planned for {}, but scope {scope} has {count}", counted(*.planned, "thread"))]
    Threads { planned: i64, scope: tile_isa::Scope, count: i64 },
    /// A plan for a number of threads where that is not known.
    #[error("is planned for {} of scope {scope}, whose size is not known", counted(*.planned, "thread"))]
    UnknownThreads { planned: i64, scope: tile_isa::Scope },
    /// A bulk copy that nothing completes.
    #[error("has no mbarrier, or no CTA to go to")]
    NoBarrier,
    /// Matrices that one thread is to move.
    #[error("has thread scope, but needs a warp")]
    ThreadScope,
    /// An elected thread where there is one only, or none.
    #[error("elects one of the threads of one thread")]
    NoElection,
    /// A plan that its second stage has not completed.
    #[error("has vectors whose width is not chosen; expected --tile-vectorize-copy before")]
    NoWidth,
    /// A descriptor of more than its fields hold.
    #[error("has a descriptor whose fields do not fit")]
    DescriptorFields,
    /// A bulk copy between memories that it does not connect.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// A clause that does not go with the plan.
    #[error(transparent)]
    Clause(#[from] ClauseError),
    /// Registers of threads that no bits number.
    #[error(transparent)]
    ThreadBit(#[from] ThreadBitError),
    /// A layout that no descriptor describes.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// A layout without such a formula.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Ranks of other threads.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// A plan that has no such address.
    #[error(transparent)]
    Plan(#[from] Refusal),
    /// An op that is not read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<EmitError> for String {
    fn from(error: EmitError) -> Self {
        error.to_string()
    }
}
