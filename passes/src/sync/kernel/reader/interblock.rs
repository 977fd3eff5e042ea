//! Operations by which blocks communicate through global memory.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ir::uses;
use tile_ops::nvvm::MemScopeKind;
use tile_ops::{llvm, nvvm};
use tile_plan::Space;
use tile_plan::sync::{Access, Effect};

/// The scope of LLVM's atomic operations that other blocks do not observe.
const BLOCK: &str = "block";

/// Whether an operation is a fence between memory accesses of its thread.
pub(super) fn is_fence(name: &str) -> bool {
    [nvvm::MembarOp::NAME, nvvm::FenceScClusterOp::NAME, llvm::FenceOp::NAME].contains(&name)
}

/// The effect of a fence, if its scope is wider than the block.
pub(super) fn of_fence(op: OperationRef<'_, '_>) -> Option<Effect> {
    let of_block = match (nvvm::MembarOp::cast(op), llvm::FenceOp::cast(op)) {
        (Some(of), _) => of.scope() == Some(MemScopeKind::Cta),
        (_, Some(of)) => of.syncscope().as_deref() == Some(BLOCK),
        _ => false,
    };
    (!of_block).then_some(Effect::InterBlock { acquires: true, releases: true })
}

/// The effect of an operation that accesses global memory, if other blocks may poll what it writes, or write what it polls.
pub(super) fn of_accesses(op: OperationRef<'_, '_>, accesses: &[Access]) -> Option<Effect> {
    let mut global = accesses.iter().filter(|access| access.space == Space::Global).peekable();
    global.peek()?;
    let is_ordered =
        |ordering: Option<llvm::AtomicOrdering>| ordering.is_some_and(|it| it != llvm::AtomicOrdering::NotAtomic);
    let is_read = |result| !uses(result).is_empty();
    match (llvm::LoadOp::cast(op), llvm::StoreOp::cast(op)) {
        (Some(of), _) => {
            let acquires = of.volatile() || is_ordered(of.ordering());
            acquires.then_some(Effect::InterBlock { acquires, releases: false })
        }
        (_, Some(of)) => {
            let releases = of.volatile() || is_ordered(of.ordering());
            releases.then_some(Effect::InterBlock { acquires: false, releases })
        }
        _ if global.any(|access| access.atomic) => {
            let acquires = op.results().any(|result| is_read(result.into()));
            Some(Effect::InterBlock { acquires, releases: true })
        }
        _ => None,
    }
}
