//! Fences, and accesses by which blocks communicate through global memory.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ir::uses;
use tile_ops::nvvm::{MemScopeKind, ProxyKind, SharedSpace, Tcgen05FenceKind};
use tile_ops::{Builder, llvm, nvvm};
use tile_plan::sync::Effect;

use super::Effects;
use crate::read::name;

/// The scope of LLVM's atomic operations that other blocks do not observe.
const BLOCK: &str = "block";

/// The effects of a fence.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let between_blocks =
        |is_of_block: bool| (!is_of_block).then_some(Effect::InterBlock { acquires: true, releases: true });
    let order = match name(op) {
        nvvm::FenceProxyOp::NAME => match nvvm::FenceProxyOp::cast(op)?.kind() {
            Some(ProxyKind::Async) => Some(Effect::ProxyFence { shared: false }),
            Some(ProxyKind::AsyncShared) => Some(Effect::ProxyFence { shared: true }),
            _ => None,
        },
        nvvm::FenceMbarrierInitOp::NAME => Some(Effect::MbarrierFence),
        nvvm::Tcgen05FenceOp::NAME => {
            let kind = nvvm::Tcgen05FenceOp::cast(op)?.kind()?;
            Some(Effect::TensorFence { before: kind == Tcgen05FenceKind::BeforeThreadSync })
        }
        nvvm::MembarOp::NAME => between_blocks(nvvm::MembarOp::cast(op)?.scope() == Some(MemScopeKind::Cta)),
        // A wait for grids before this one, or a release of those after it.
        nvvm::FenceScClusterOp::NAME | nvvm::GriddepcontrolOp::NAME => between_blocks(false),
        llvm::FenceOp::NAME => between_blocks(llvm::FenceOp::cast(op)?.syncscope().as_deref() == Some(BLOCK)),
        _ => return None,
    };
    Some(Effects { order: order.into_iter().collect(), ..Effects::default() })
}

/// Makes a fence; `None` for effects that no fence has.
pub fn write<'c: 'a, 'a>(builder: Builder<'c, 'a>, effect: &Effect) -> Option<OperationRef<'c, 'a>> {
    Some(match effect {
        Effect::ProxyFence { shared: false } => nvvm::fence_proxy(builder, ProxyKind::Async).build().operation(),
        Effect::ProxyFence { shared: true } => {
            nvvm::fence_proxy(builder, ProxyKind::AsyncShared).space(SharedSpace::SharedCta).build().operation()
        }
        Effect::TensorFence { before } => {
            let kind = if *before { Tcgen05FenceKind::BeforeThreadSync } else { Tcgen05FenceKind::AfterThreadSync };
            nvvm::tcgen05_fence(builder, kind).build().operation()
        }
        Effect::MbarrierFence => nvvm::fence_mbarrier_init(builder).build().operation(),
        _ => return None,
    })
}

/// The effect of an operation that accesses global memory, if other blocks may poll what it writes, or write what it polls.
pub fn of_global_access(op: OperationRef<'_, '_>, is_atomic: bool) -> Option<Effect> {
    let is_ordered =
        |ordering: Option<llvm::AtomicOrdering>| ordering.is_some_and(|kind| kind != llvm::AtomicOrdering::NotAtomic);
    let (acquires, releases) = match (llvm::LoadOp::cast(op), llvm::StoreOp::cast(op)) {
        (Some(load), _) => (load.volatile() || is_ordered(load.ordering()), false),
        (_, Some(store)) => (false, store.volatile() || is_ordered(store.ordering())),
        _ if is_atomic => (op.results().any(|result| !uses(result.into()).is_empty()), true),
        _ => (false, false),
    };
    (acquires || releases).then_some(Effect::InterBlock { acquires, releases })
}
