//! Mbarriers: initialization, arrivals and waits.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::ops::{CopyOp, integer};
use tile_dialect::{STAGES, Space};
use tile_ops::nvvm::{self, MemScopeKind};
use tile_plan::problem::asynchronous::Completion;
use tile_plan::variants;

use super::error::UnknownEffects;
use super::{Effects, MbarrierAct, MbarrierEffect, Release};
use crate::read::{arithmetic, divisibility, kernel, name};

/// The effects of an operation that changes an mbarrier.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    let names = [
        nvvm::MBarrierInitOp::NAME,
        nvvm::MBarrierArriveOp::NAME,
        nvvm::MBarrierArriveExpectTxOp::NAME,
        nvvm::MBarrierExpectTxOp::NAME,
    ];
    if !names.contains(&name(op)) {
        return None;
    }
    let barrier = op.operand_at(0)?;
    Some(act(op).map(|act| Effects { mbarrier: Some(MbarrierEffect { barrier, act }), ..Effects::default() }))
}

fn act(op: OperationRef<'_, '_>) -> Result<MbarrierAct, UnknownEffects> {
    let given = op.operand_at(1).map(|given| divisibility::infer(given).constant());
    if name(op) == nvvm::MBarrierInitOp::NAME {
        return Ok(MbarrierAct::Init { count: given.flatten() });
    }
    let given = match given {
        Some(None) => return Err(UnknownEffects::Arrivals),
        given => given.flatten(),
    };
    let (count, bytes) = match name(op) {
        nvvm::MBarrierArriveOp::NAME => (given.unwrap_or(1), 0),
        nvvm::MBarrierExpectTxOp::NAME => (0, given.unwrap_or(0)),
        _ => (1, given.unwrap_or(0)),
    };
    let arrive = nvvm::MBarrierArriveOp::cast(op).map(|arrive| (arrive.relaxed(), arrive.scope()));
    let expect = || nvvm::MBarrierArriveExpectTxOp::cast(op).map(|expect| (expect.relaxed(), expect.scope()));
    let releases = match arrive.or_else(expect) {
        Some((relaxed, scope)) if count > 0 && relaxed != Some(true) => {
            if scope == Some(MemScopeKind::Cluster) {
                Release::Cluster
            } else {
                Release::Block
            }
        }
        _ => Release::None,
    };
    Ok(MbarrierAct::Arrive { count, bytes, releases })
}

/// A wait for a phase.
pub struct Wait<'c, 'a> {
    /// The mbarrier.
    pub barrier: Option<Value<'c, 'a>>,
    /// The parity of the phase; `None` where the operation waits for a token.
    pub parity: Option<Value<'c, 'a>>,
}

/// The wait that an operation is, which may end before the phase does.
pub fn wait<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Wait<'c, 'a>> {
    if ![nvvm::MBarrierTryWaitOp::NAME, nvvm::MBarrierTestWaitOp::NAME].contains(&name(op)) {
        return None;
    }
    let parity = op.operand_at(1).filter(|parity| arithmetic::bits(parity.r#type()) == Some(32));
    Some(Wait { barrier: op.operand_at(0), parity })
}

/// Whether a tile copy names a variant whose copies an mbarrier completes, or goes through tensor maps, whichever it names.
pub fn is_completed_by_mbarrier(copy: CopyOp<'_, '_>) -> bool {
    !copy.maps().is_empty()
        || !copy.rows().is_empty()
        || copy.until().is_some()
        || copy.im2col().is_some()
        || copy.variant().and_then(|name| variants::by_name(&name)).is_some_and(|variant| variant.about().by_mbarrier)
}

/// Whether it is such a copy to shared memory whose mbarrier is that of the ring that its loop requests.
pub fn is_of_ring(copy: CopyOp<'_, '_>) -> bool {
    let asks = |op: OperationRef<'_, '_>| integer(op, STAGES).is_some_and(|stages| stages > 1);
    copy.is_async()
        && !matches!(copy.completion(), Completion::Barrier | Completion::Group)
        && is_completed_by_mbarrier(copy)
        && copy.dst().is_some_and(|dst| dst.buffer.space() == Space::Shared)
        && kernel::ancestors(copy.0).any(asks)
}
