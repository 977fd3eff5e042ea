//! Bulk copies, through the async proxy.
//!
//! | | completes |
//! | --- | --- |
//! | `cp.async.bulk.shared.cluster.global` | with a phase of its mbarrier, which counts the bytes |
//! | `cp.async.bulk.global.shared.cta` | with the thread's bulk group |
//! | a tile copy that requests one, in a loop with stages | with an mbarrier of its ring |

use melior::ir::{OperationRef, Value};
use tile_dialect::ops::{CopyOp, integer};
use tile_dialect::{STAGES, Space};
use tile_ops::nvvm;
use tile_plan::sync::Engine;
use tile_plan::variants;

use super::{AccessedMemory, Effects, MbarrierAct, MbarrierEffect, MemoryAccess, Release};
use crate::read::{divisibility, kernel};

/// The effects of a copy.
pub(super) fn of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, String>> {
    if let Some(of) = nvvm::CpAsyncBulkGlobalToSharedClusterOp::cast(op) {
        return Some(to_shared(of));
    }
    let of = nvvm::CpAsyncBulkSharedCTAToGlobalOp::cast(op)?;
    Some(constant(of.size()).map(|bytes| copy((of.src_mem(), of.dst_mem()), bytes, None)))
}

fn to_shared<'c: 'a, 'a>(of: nvvm::CpAsyncBulkGlobalToSharedClusterOp<'c, 'a>) -> Result<Effects<'c, 'a>, String> {
    if of.multicast_mask().is_some() {
        return Err("it copies to several blocks of a cluster".to_owned());
    }
    let bytes = constant(of.size())?;
    let act = MbarrierAct::Arrive { count: 0, bytes: -bytes, releases: Release::None };
    Ok(copy((of.src_mem(), of.dst_mem()), bytes, Some(MbarrierEffect { barrier: of.mbar(), act })))
}

fn copy<'c, 'a>(
    (src, dst): (Value<'c, 'a>, Value<'c, 'a>),
    bytes: i64,
    mbarrier: Option<MbarrierEffect<'c, 'a>>,
) -> Effects<'c, 'a> {
    let accesses = vec![
        MemoryAccess::read(AccessedMemory::Bytes { pointer: src, bytes }, Engine::BULK),
        MemoryAccess::write(AccessedMemory::Bytes { pointer: dst, bytes }, Engine::BULK),
    ];
    Effects { accesses, mbarrier, ..Effects::default() }
}

fn constant(bytes: Value<'_, '_>) -> Result<i64, String> {
    divisibility::of(bytes).constant().ok_or_else(|| "how many bytes it copies is not a constant".to_owned())
}

/// Whether a tile copy names a variant whose copies an mbarrier completes.
pub fn is_completed_by_mbarrier(copy: CopyOp<'_, '_>) -> bool {
    copy.variant().and_then(|name| variants::by_name(&name)).is_some_and(|variant| variant.about().by_mbarrier)
}

/// Whether it is such a copy to shared memory whose mbarrier is that of the ring that its loop requests.
pub fn is_of_ring(copy: CopyOp<'_, '_>) -> bool {
    let asks = |op: OperationRef<'_, '_>| integer(op, STAGES).is_some_and(|stages| stages > 1);
    copy.is_async()
        && copy.barrier().is_none()
        && !copy.group()
        && is_completed_by_mbarrier(copy)
        && copy.dst().is_some_and(|dst| dst.buffer.space() == Space::Shared)
        && kernel::ancestors(copy.0).any(asks)
}
