//! Ids of threads and blocks, and sizes of blocks and grids.

use melior::ir::OperationRef;
use tile_ops::{gpu, nvvm};

use crate::read::name;
use crate::read::values::dimension;

/// A number that the launch of a kernel determines. Dimensions are 0, 1, 2 for x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    /// The thread's position in its block.
    Thread(usize),
    /// The block's position in the grid.
    Block(usize),
    /// The number of threads of a block in one dimension.
    BlockSize(usize),
    /// The number of blocks of the grid in one dimension.
    GridSize(usize),
    /// The thread's position in the grid.
    Global(usize),
    /// The thread's position in its warp.
    Lane,
    /// The warp's position in its block.
    Warp,
    /// The number of threads of a warp.
    WarpSize,
}

impl Id {
    /// The id or the size that an op gives.
    pub fn of(op: OperationRef<'_, '_>) -> Option<Id> {
        Some(match name(op) {
            gpu::ThreadIdOp::NAME => Id::Thread(dimension(op)?),
            nvvm::ThreadIdXOp::NAME => Id::Thread(0),
            nvvm::ThreadIdYOp::NAME => Id::Thread(1),
            nvvm::ThreadIdZOp::NAME => Id::Thread(2),
            gpu::BlockIdOp::NAME => Id::Block(dimension(op)?),
            nvvm::BlockIdXOp::NAME => Id::Block(0),
            nvvm::BlockIdYOp::NAME => Id::Block(1),
            nvvm::BlockIdZOp::NAME => Id::Block(2),
            gpu::BlockDimOp::NAME => Id::BlockSize(dimension(op)?),
            nvvm::BlockDimXOp::NAME => Id::BlockSize(0),
            nvvm::BlockDimYOp::NAME => Id::BlockSize(1),
            nvvm::BlockDimZOp::NAME => Id::BlockSize(2),
            gpu::GridDimOp::NAME => Id::GridSize(dimension(op)?),
            nvvm::GridDimXOp::NAME => Id::GridSize(0),
            nvvm::GridDimYOp::NAME => Id::GridSize(1),
            nvvm::GridDimZOp::NAME => Id::GridSize(2),
            gpu::GlobalIdOp::NAME => Id::Global(dimension(op)?),
            gpu::LaneIdOp::NAME | nvvm::LaneIdOp::NAME => Id::Lane,
            gpu::SubgroupIdOp::NAME => Id::Warp,
            nvvm::WarpSizeOp::NAME => Id::WarpSize,
            _ => return None,
        })
    }
}
