//! What of its threads a kernel is read for: a block of a cluster, of which it is known what its registers hold, and the leaders of
//! warps.
//!
//! `elect.sync` gives one thread of each warp, always the same one, and it is not known which. A kernel is read as if its leaders were
//! the last lanes of their warps, and again as if they were the first lanes. What a leader and another thread do without an order is
//! then found once at least, whichever lane leads on a GPU:
//!
//! ```text
//!   leader L and thread t, not the same:      t is not lane 31:  found with L = 31
//!                                             t is lane 31:      found with L = 0
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

/// A block of a cluster, while what it does is read.
pub struct Block {
    /// Its rank.
    pub rank: i64,
    size: [i64; 3],
    /// Objects that are memory of other blocks: which object it is there, and whose.
    pub peers: BTreeMap<usize, (usize, Peer)>,
    /// Values that differ between the blocks, in a way that is not known.
    pub differs: BTreeSet<usize>,
    /// Around where is read, of each arm of which rank and thread decide who takes it: who does, where that is known.
    pub narrowed: Vec<Option<ThreadSet>>,
}

impl Block {
    /// One of a cluster, by its rank.
    pub fn new(size: [i64; 3], rank: i64) -> Self {
        Block { rank, size, peers: BTreeMap::new(), differs: BTreeSet::new(), narrowed: Vec::new() }
    }

    /// How many blocks there are.
    pub fn count(&self) -> i64 {
        self.size.iter().product()
    }

    /// What a register holds that distinguishes blocks of a cluster, or counts them.
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

/// Which lane leads its warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leader {
    /// The first one.
    First,
    /// The last one: what programs do by lane 0 is then done by another thread.
    Last,
}

impl Leader {
    /// The lane.
    pub fn lane(self) -> i64 {
        match self {
            Leader::First => 0,
            Leader::Last => WARP - 1,
        }
    }

    /// Of each thread of a block whether it leads its warp, if that is what a value says.
    pub fn leads(self, value: Value<'_, '_>, block: &ThreadSet) -> Option<Vec<i64>> {
        let op = defining_op(value).filter(|op| name(*op) == nvvm::ElectSyncOp::NAME && op.operand_count() == 0);
        op.map(|_| block.iter().map(|thread| i64::from(thread % WARP == self.lane())).collect())
    }
}

/// Does a kernel elect leaders?
pub fn elects(function: OperationRef<'_, '_>) -> bool {
    !walk::matching(function, |name| name == nvvm::ElectSyncOp::NAME).is_empty()
}
