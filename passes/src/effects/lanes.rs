//! Exchanges of registers between the lanes of a warp, or between all threads of a block, which order no memory.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike};
use tile_dialect::ir::Parts;
use tile_isa::WARP;
use tile_ops::{gpu, nvvm};

use super::{Effects, Participants};
use crate::read::{divisibility, name};

/// The effects of an exchange: the lanes that it names, or all, have to reach it; all threads of the block, if it is theirs.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    // What it exchanges through, and how threads then wait for each other, is up to its lowering.
    if name(op) == gpu::AllReduceOp::NAME {
        let by_itself = op.region_at(0).is_none_or(|region| region.first_block().is_none());
        return by_itself.then(|| Effects { by: Participants::Block, ..Effects::default() });
    }
    let constant = |at: usize| divisibility::infer(op.operand_at(at)?).constant();
    let mask = match name(op) {
        nvvm::MatchSyncOp::NAME | nvvm::ShflOp::NAME | nvvm::VoteSyncOp::NAME => constant(0),
        nvvm::ReduxOp::NAME => constant(1),
        nvvm::ElectSyncOp::NAME if op.operand_count() > 0 => constant(0),
        // A narrower one is a matter of fewer lanes.
        gpu::ShuffleOp::NAME => constant(2).filter(|&width| width == WARP).map(|_| -1),
        nvvm::ElectSyncOp::NAME | gpu::SubgroupReduceOp::NAME | gpu::SubgroupBroadcastOp::NAME => Some(-1),
        _ => return None,
    };
    let by = mask.map_or(Participants::Any, |mask| Participants::Lanes(mask as u32));
    Some(Effects { by, ..Effects::default() })
}
