//! `elect.sync`: one thread of each warp, always the same one, and it is not known which.
//!
//! A kernel is read as if its leaders were the last lanes of their warps, and again as if they were the first lanes. What a leader
//! and another thread do without an order is then found once at least, whichever lane leads on a GPU:
//!
//! ```text
//!   leader L and thread t, not the same:      t is not lane 31:  found with L = 31
//!                                             t is lane 31:      found with L = 0
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ir::defining_op;
use tile_isa::WARP;
use tile_ops::nvvm;
use tile_plan::ThreadSet;

use crate::read::name;
use crate::walk;

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
