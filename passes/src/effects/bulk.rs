//! Bulk copies, through the async proxy.
//!
//! | | completes |
//! | --- | --- |
//! | `cp.async.bulk.shared.cluster.global` | with a phase of its mbarrier, which counts the bytes |
//! | `cp.async.bulk.global.shared.cta` | with the thread's bulk group |
//! | a tile copy that requests one, in a loop with stages | with an mbarrier of its ring |

use melior::ir::{OperationRef, Value};
use tile_ops::nvvm;
use tile_plan::sync::Engine;

use super::error::UnknownEffects;
use super::{AccessedMemory, Effects, MbarrierAct, MbarrierEffect, MemoryAccess, Release};
use crate::read::divisibility;

/// The effects of a copy.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    if let Some(load) = nvvm::CpAsyncBulkGlobalToSharedClusterOp::cast(op) {
        return Some(to_shared(load));
    }
    let store = nvvm::CpAsyncBulkSharedCTAToGlobalOp::cast(op)?;
    Some(constant(store.size()).map(|bytes| copy((store.src_mem(), store.dst_mem()), bytes, None)))
}

fn to_shared<'c: 'a, 'a>(
    load: nvvm::CpAsyncBulkGlobalToSharedClusterOp<'c, 'a>,
) -> Result<Effects<'c, 'a>, UnknownEffects> {
    if load.multicast_mask().is_some() {
        return Err(UnknownEffects::Multicast);
    }
    let bytes = constant(load.size())?;
    let act = MbarrierAct::Arrive { count: 0, bytes: -bytes, releases: Release::None };
    Ok(copy((load.src_mem(), load.dst_mem()), bytes, Some(MbarrierEffect { barrier: load.mbar(), act })))
}

fn copy<'c, 'a>(
    (src, dst): (Value<'c, 'a>, Value<'c, 'a>),
    bytes: i64,
    mbarrier: Option<MbarrierEffect<'c, 'a>>,
) -> Effects<'c, 'a> {
    let accesses = vec![
        MemoryAccess::read(AccessedMemory::Bytes { pointer: src, bytes }, Engine::TMA),
        MemoryAccess::write(AccessedMemory::Bytes { pointer: dst, bytes }, Engine::TMA),
    ];
    Effects { accesses, mbarrier, ..Effects::default() }
}

fn constant(bytes: Value<'_, '_>) -> Result<i64, UnknownEffects> {
    divisibility::infer(bytes).constant().ok_or(UnknownEffects::Bytes)
}
