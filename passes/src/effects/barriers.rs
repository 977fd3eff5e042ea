//! Barriers of a block, of a warp and of a cluster.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef};
use tile_dialect::ir::Parts;
use tile_isa::WARP;
use tile_ops::{Builder, constant, gpu, nvvm};
use tile_plan::sync::{Effect, Threads};

use super::{Effects, Participants};
use crate::read::name;

/// The effects of a barrier.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let (by, order) = match name(op) {
        gpu::BarrierOp::NAME | nvvm::Barrier0Op::NAME => (Participants::BlockBarrier, Some(Effect::Barrier)),
        nvvm::BarrierOp::NAME => {
            let barrier = nvvm::BarrierOp::cast(op)?;
            let (number, count) = (barrier.barrier_id(), barrier.number_of_threads());
            (Participants::NamedBarrier { number, count }, Some(Effect::Barrier))
        }
        nvvm::SyncWarpOp::NAME => (Participants::WarpBarrier(op.operand_at(0)), Some(Effect::WarpBarrier)),
        nvvm::ClusterArriveOp::NAME | nvvm::ClusterArriveRelaxedOp::NAME | nvvm::ClusterWaitOp::NAME => {
            (Participants::Block, at_cluster_barrier(op))
        }
        _ => return None,
    };
    Some(Effects { by, order: order.into_iter().collect(), ..Effects::default() })
}

/// The effect of an operation on the barrier of the cluster. An arrival that the wait directly follows has the effect of both; the
/// wait then has none.
fn at_cluster_barrier(op: OperationRef<'_, '_>) -> Option<Effect> {
    let is_paired = |arrive: OperationRef<'_, '_>| {
        let next = arrive.next_in_block().filter(|_| name(arrive) == nvvm::ClusterArriveOp::NAME);
        next.is_some_and(|next| name(next) == nvvm::ClusterWaitOp::NAME)
    };
    let block = op.block().and_then(|block| block.first_operation());
    let mut ops = std::iter::successors(block, |op| op.next_in_block());
    match name(op) {
        nvvm::ClusterArriveOp::NAME if is_paired(op) => Some(Effect::ClusterBarrier),
        nvvm::ClusterArriveOp::NAME => Some(Effect::ClusterArrive { releases: true }),
        nvvm::ClusterArriveRelaxedOp::NAME => Some(Effect::ClusterArrive { releases: false }),
        _ if ops.any(|before| before.next_in_block() == Some(op) && is_paired(before)) => None,
        _ => Some(Effect::ClusterWait),
    }
}

/// Makes a barrier of all threads of the block.
pub fn of_block<'c: 'a, 'a>(builder: Builder<'c, 'a>) -> OperationRef<'c, 'a> {
    gpu::barrier(builder).build().operation()
}

/// Makes a barrier of some warps, with that number.
pub fn of_warps<'c: 'a, 'a>(builder: Builder<'c, 'a>, number: i64, warps: i64) -> OperationRef<'c, 'a> {
    let (number, count) = (constant::integer(builder, 32, number), constant::integer(builder, 32, WARP * warps));
    nvvm::barrier(builder).barrier_id(number).number_of_threads(count).build().operation()
}

/// Makes a barrier of the threads of each warp.
pub fn of_warp<'c: 'a, 'a>(builder: Builder<'c, 'a>) -> OperationRef<'c, 'a> {
    nvvm::bar_warp_sync(builder, constant::integer(builder, 32, -1)).build().operation()
}

/// Makes a barrier of all threads of the cluster; the last of its operations.
pub fn of_cluster<'c: 'a, 'a>(builder: Builder<'c, 'a>) -> OperationRef<'c, 'a> {
    nvvm::cluster_arrive(builder).aligned(true).build();
    nvvm::cluster_wait(builder).aligned(true).build().operation()
}

/// Makes a barrier of all threads of the cluster that orders no accesses; the last of its operations.
pub fn of_cluster_relaxed<'c: 'a, 'a>(builder: Builder<'c, 'a>) -> OperationRef<'c, 'a> {
    nvvm::cluster_arrive_relaxed(builder).aligned(true).build();
    nvvm::cluster_wait(builder).aligned(true).build().operation()
}

/// A barrier of these threads, as diagnostics name it.
pub fn text(threads: &Threads) -> String {
    match threads {
        Threads::Warp => format!("{}: both are threads of one warp", nvvm::SyncWarpOp::NAME),
        Threads::Some(set) => {
            let warps = set.warps().count_ones();
            format!(
                "{} id = … number_of_threads = {}, of {warps} warps",
                nvvm::BarrierOp::NAME,
                i64::from(warps) * WARP
            )
        }
        Threads::Block => gpu::BarrierOp::NAME.to_owned(),
        Threads::Cluster => {
            let (arrive, wait) = (nvvm::ClusterArriveOp::NAME, nvvm::ClusterWaitOp::NAME);
            format!("{arrive}, then {wait}: the two are of different blocks")
        }
    }
}
