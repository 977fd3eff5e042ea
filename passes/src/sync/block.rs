//! The threads that a kernel is read for: a block of a cluster, whose registers hold known values, and the leaders of warps.
//!
//! `elect.sync` elects one thread of each warp, always the same one, but it is not known which. A kernel is therefore read once for
//! each lane, as if that one led every warp. Fewer would not do, since addresses and conditions may depend on the lane:
//!
//! ```text
//!   the leader writes smem[lane], then thread 4 reads smem[5]:      a race only if lane 5 leads
//! ```

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ir::defining_op;
use tile_isa::WARP;
use tile_ops::{gpu, nvvm};
use tile_plan::ThreadSet;
use tile_plan::sync::Peer;

use crate::read::name;
use crate::read::values::dimension;
use crate::walk;

/// A block of a cluster, while its program is read.
pub struct Block {
    /// Its rank.
    pub rank: i64,
    size: [i64; 3],
    /// Objects in the memory of other blocks: the object's number there, and which block it is.
    pub peers: BTreeMap<usize, (usize, Peer)>,
    /// Values that differ between the blocks in an unknown way.
    pub differs: BTreeSet<usize>,
    /// The enclosing arms that rank and thread select: for each, the threads that take it, where they are known.
    pub narrowed: Vec<Option<ThreadSet>>,
}

impl Block {
    /// The block of a rank in a cluster.
    pub fn new(size: [i64; 3], rank: i64) -> Self {
        Block { rank, size, peers: BTreeMap::new(), differs: BTreeSet::new(), narrowed: Vec::new() }
    }

    /// The number of blocks in the cluster.
    pub fn count(&self) -> i64 {
        self.size.iter().product()
    }

    /// The value of a register that distinguishes the blocks of a cluster, or counts them.
    pub fn register(&self, op: OperationRef<'_, '_>) -> Option<i64> {
        let [x, y, _] = self.size;
        let place = [self.rank % x, self.rank / x % y, self.rank / (x * y)];
        match name(op) {
            nvvm::ClusterId::NAME => Some(self.rank),
            nvvm::ClusterDim::NAME => Some(self.count()),
            gpu::ClusterBlockIdOp::NAME => Some(place[dimension(op)?]),
            nvvm::BlockInClusterIdXOp::NAME => Some(place[0]),
            nvvm::BlockInClusterIdYOp::NAME => Some(place[1]),
            nvvm::BlockInClusterIdZOp::NAME => Some(place[2]),
            gpu::ClusterDimBlocksOp::NAME => Some(self.size[dimension(op)?]),
            nvvm::ClusterDimBlocksXOp::NAME => Some(self.size[0]),
            nvvm::ClusterDimBlocksYOp::NAME => Some(self.size[1]),
            nvvm::ClusterDimBlocksZOp::NAME => Some(self.size[2]),
            _ => None,
        }
    }
}

/// The lane that leads each warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The lane.
    pub lane: i64,
}

impl Leader {
    /// The last lane, so that the leader is not the thread that executes what programs leave to lane 0.
    pub const LAST: Leader = Leader { lane: WARP - 1 };

    /// All lanes but the last one.
    pub fn others() -> impl Iterator<Item = Leader> {
        (0..WARP - 1).map(|lane| Leader { lane })
    }

    /// Whether each thread of a block leads its warp (1 or 0), if the value is the result of `elect.sync`.
    pub fn leads(self, value: Value<'_, '_>, block: &ThreadSet) -> Option<Vec<i64>> {
        let op = defining_op(value).filter(|op| name(*op) == nvvm::ElectSyncOp::NAME && op.operand_count() == 0);
        op.map(|_| block.iter().map(|thread| i64::from(thread % WARP == self.lane)).collect())
    }
}

/// Whether a kernel elects leaders.
pub fn elects(function: OperationRef<'_, '_>) -> bool {
    !walk::matching(function, |name| name == nvvm::ElectSyncOp::NAME).is_empty()
}
