//! `cp.async`: each thread copies bytes from global to shared memory; complete with the thread's group.

use melior::ir::OperationRef;
use tile_ops::nvvm;
use tile_plan::sync::Engine;

use super::error::UnknownEffects;
use super::{AccessedMemory, Effects, MemoryAccess};

/// The effects of a copy.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    let copy = nvvm::CpAsyncOp::cast(op)?;
    let Some(bytes) = copy.size() else { return Some(Err(UnknownEffects::Size)) };
    let accesses = vec![
        MemoryAccess::read(AccessedMemory::Bytes { pointer: copy.src(), bytes }, Engine::CP_ASYNC),
        MemoryAccess::write(AccessedMemory::Bytes { pointer: copy.dst(), bytes }, Engine::CP_ASYNC),
    ];
    Some(Ok(Effects { accesses, ..Effects::default() }))
}
