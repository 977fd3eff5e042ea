//! Groups of asynchronous operations: how a thread, or a warp, closes them and waits for them.
//!
//! | queue | closes a group | waits for all but N groups |
//! | --- | --- | --- |
//! | `cp.async` | `cp.async.commit.group` | `cp.async.wait.group N` |
//! | bulk copies | `cp.async.bulk.commit_group` | `cp.async.bulk.wait_group N` |
//! | products of `wgmma` | `wgmma.commit.group` | `wgmma.wait.group N` |
//! | loads from tensor memory, stores to it | | `tcgen05.wait` for all |
//! | copies to tensor memory, products there | `tcgen05.commit`, on an mbarrier | |

use melior::ir::OperationRef;
use tile_ops::Builder;
use tile_ops::nvvm::{self, Tcgen05WaitKind};
use tile_plan::sync::{Effect, Queue};

use super::{Effects, Participants};
use crate::read::name;

/// The effects of an operation on groups.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let wait = |queue, pending: Option<i64>, reads| Effect::Wait { queue, pending: pending.unwrap_or(i64::MAX), reads };
    let order = match name(op) {
        nvvm::CpAsyncCommitGroupOp::NAME => Effect::Commit(Queue::CpAsync),
        nvvm::CpAsyncBulkCommitGroupOp::NAME => Effect::Commit(Queue::BulkGroups),
        nvvm::WgmmaGroupSyncAlignedOp::NAME => Effect::Commit(Queue::Product),
        nvvm::CpAsyncWaitGroupOp::NAME => wait(Queue::CpAsync, nvvm::CpAsyncWaitGroupOp::cast(op)?.n(), false),
        nvvm::CpAsyncBulkWaitGroupOp::NAME => {
            let bulk = nvvm::CpAsyncBulkWaitGroupOp::cast(op)?;
            wait(Queue::BulkGroups, bulk.group(), bulk.read())
        }
        nvvm::WgmmaWaitGroupSyncOp::NAME => wait(Queue::Product, nvvm::WgmmaWaitGroupSyncOp::cast(op)?.group(), false),
        nvvm::Tcgen05WaitOp::NAME => match nvvm::Tcgen05WaitOp::cast(op)?.kind()? {
            Tcgen05WaitKind::Load => wait(Queue::TmemLoad, Some(0), false),
            _ => wait(Queue::TmemStore, Some(0), false),
        },
        _ => return None,
    };
    let by = match order {
        Effect::Commit(queue) | Effect::Wait { queue, .. } => match queue.warps() {
            0 => Participants::Any,
            1 => Participants::Warps,
            _ => Participants::Warpgroups,
        },
        _ => Participants::Any,
    };
    Some(Effects { by, ..Effects::order(order) })
}

/// Closes a group; `None` where the queue has none.
pub fn commit<'c: 'a, 'a>(builder: Builder<'c, 'a>, queue: Queue) -> Option<OperationRef<'c, 'a>> {
    Some(match queue {
        Queue::CpAsync => nvvm::cp_async_commit_group(builder).build().operation(),
        Queue::BulkGroups => nvvm::cp_async_bulk_commit_group(builder).build().operation(),
        Queue::Product => nvvm::wgmma_commit_group_sync_aligned(builder).build().operation(),
        Queue::TmemLoad | Queue::TmemStore | Queue::TmemCopy => return None,
    })
}

/// Waits for all but the last `pending` groups, or only until their sources have been read; `None` where no operation does.
pub fn wait<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    queue: Queue,
    pending: i64,
    reads: bool,
) -> Option<OperationRef<'c, 'a>> {
    Some(match queue {
        Queue::CpAsync => nvvm::cp_async_wait_group(builder, pending).build().operation(),
        Queue::BulkGroups => nvvm::cp_async_bulk_wait_group(builder, pending).read(reads).build().operation(),
        Queue::Product => nvvm::wgmma_wait_group_sync_aligned(builder, pending).build().operation(),
        Queue::TmemLoad => nvvm::tcgen05_wait(builder, Tcgen05WaitKind::Load).build().operation(),
        Queue::TmemStore => nvvm::tcgen05_wait(builder, Tcgen05WaitKind::Store).build().operation(),
        Queue::TmemCopy => return None,
    })
}

/// What closes a group and waits for it, as diagnostics name it.
pub fn commit_text(queue: Queue) -> String {
    let wait = wait_text(queue, 0);
    match queue {
        Queue::CpAsync => format!("{}, then {wait}", nvvm::CpAsyncCommitGroupOp::NAME),
        Queue::BulkGroups => format!("{}, then {wait}", nvvm::CpAsyncBulkCommitGroupOp::NAME),
        Queue::Product => format!("{}, then {wait}", nvvm::WgmmaGroupSyncAlignedOp::NAME),
        Queue::TmemLoad | Queue::TmemStore | Queue::TmemCopy => wait,
    }
}

/// A wait for all but the last `pending` groups, as diagnostics name it.
pub fn wait_text(queue: Queue, pending: i64) -> String {
    match queue {
        Queue::CpAsync => format!("{} {pending}", nvvm::CpAsyncWaitGroupOp::NAME),
        Queue::BulkGroups => format!("{} {pending}", nvvm::CpAsyncBulkWaitGroupOp::NAME),
        Queue::TmemLoad => format!("{} <load>", nvvm::Tcgen05WaitOp::NAME),
        Queue::TmemStore => format!("{} <store>", nvvm::Tcgen05WaitOp::NAME),
        Queue::TmemCopy => nvvm::Tcgen05CommitOp::NAME.to_owned(),
        Queue::Product => format!("{} {pending}", nvvm::WgmmaWaitGroupSyncOp::NAME),
    }
}
