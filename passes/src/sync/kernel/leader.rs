//! The leaders of warps.
//!
//! `elect.sync` elects one thread of each warp, always the same one, but it is not known which. A kernel is therefore read once for
//! each lane, as if that one led every warp. Fewer would not do, since addresses and conditions may depend on the lane:
//!
//! ```text
//!   the leader writes smem[lane], then thread 4 reads smem[5]:      a race only if lane 5 leads
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ir::defining_op;
use tile_isa::WARP;
use tile_ops::nvvm;
use tile_plan::problem::threads::ThreadSet;

use crate::read::name;
use crate::walk;

/// The lane that leads each warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leader {
    lane: i64,
}

impl Leader {
    /// The last lane, so that the leader is not the thread that executes what programs leave to lane 0.
    pub const LAST: Leader = Leader { lane: WARP - 1 };

    /// The first lane.
    pub const FIRST: Leader = Leader { lane: 0 };

    /// All lanes but the last one.
    pub fn others() -> impl Iterator<Item = Leader> {
        (0..WARP - 1).map(|lane| Leader { lane })
    }

    /// The lane.
    pub fn lane(self) -> i64 {
        self.lane
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
