//! A block of a cluster: what its registers hold.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::OperationRef;
use tile_ops::{gpu, nvvm};
use tile_plan::ThreadSet;
use tile_plan::sync::Peer;

use crate::read::name;
use crate::read::values::dimension;

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

    /// What a register holds that tells blocks of a cluster apart, or counts them.
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
