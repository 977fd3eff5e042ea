//! A block of a cluster, for which a kernel is read: its registers hold known values.

use melior::ir::OperationRef;
use tile_ops::{gpu, nvvm};
use tile_plan::sync::RemoteBlock;

use crate::read::name;
use crate::read::values::dimension;

/// The rank of a block in its cluster.
#[derive(Clone, Copy, Debug)]
pub struct Rank {
    rank: i64,
    size: [i64; 3],
}

impl Rank {
    /// The ranks of a cluster of that many blocks along x, y and z.
    pub fn all(size: [i64; 3]) -> impl Iterator<Item = Rank> {
        (0..size.iter().product()).map(move |rank| Rank { rank, size })
    }

    /// The number of blocks in the cluster.
    fn count(self) -> i64 {
        self.size.iter().product()
    }

    /// The block of a rank in this cluster.
    ///
    /// # Errors
    /// A rank that no block has: got and expected.
    pub fn peer(self, rank: i64) -> Result<RemoteBlock, String> {
        let (count, here) = (self.count(), self.rank);
        let peer = usize::try_from(rank).ok().filter(|_| rank < count).map(RemoteBlock::Rank);
        peer.ok_or_else(|| {
            format!("reaches block {rank} of a cluster of {count}, from block {here}: expected a rank below {count}")
        })
    }

    /// The value of a register that distinguishes the blocks of a cluster, or counts them.
    pub fn register(self, op: OperationRef<'_, '_>) -> Option<i64> {
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
