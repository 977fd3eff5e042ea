//! Loads and stores.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::Space;
use tile_dialect::ir::Parts;
use tile_dialect::memref::space;
use tile_ops::{affine, llvm, llvm_type, memref, vector};
use tile_plan::sync::Engine;

use super::{AccessedMemory, Effects, MemoryAccess};
use crate::read::effects::is_private;
use crate::read::{alias, name};

/// The effects of a load or store, or of an operation that makes memory.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let (operand, write, atomic) = match name(op) {
        memref::LoadOp::NAME | vector::LoadOp::NAME | llvm::LoadOp::NAME => (0, false, false),
        vector::TransferReadOp::NAME | affine::AffineLoadOp::NAME => (0, false, false),
        memref::StoreOp::NAME | vector::StoreOp::NAME | llvm::StoreOp::NAME => (1, true, false),
        vector::TransferWriteOp::NAME | affine::AffineStoreOp::NAME => (1, true, false),
        memref::AtomicRMWOp::NAME => (1, true, true),
        llvm::AtomicRMWOp::NAME => (0, true, true),
        memref::AllocaOp::NAME => return Some(Effects::default()),
        // Memory of the block, allocated once for all of its threads.
        memref::AllocOp::NAME if op.result_at(0).is_some_and(|it| is_shared(it.into())) => {
            return Some(Effects::default());
        }
        memref::DeallocOp::NAME if op.operand_at(0).is_some_and(is_shared) => return Some(Effects::default()),
        _ => return None,
    };
    let access =
        MemoryAccess { write, atomic, ..MemoryAccess::read(AccessedMemory::Element(operand), Engine::THREADS) };
    Some(Effects { accesses: vec![access], ..Effects::default() })
}

/// The effects of an operation that accesses nothing but private memory, such as a masked load of registers: no other thread
/// has to do with that.
pub(super) fn of_private_memory<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    const DIALECTS: [&str; 3] = [affine::PREFIX, memref::PREFIX, vector::PREFIX];
    if op.region_count() > 0 || !DIALECTS.iter().any(|prefix| name(op).starts_with(prefix)) {
        return None;
    }
    let addresses = op.operands().enumerate().filter(|(_, operand)| alias::is_address(*operand));
    let each = addresses.map(|(operand, value)| {
        let is_own = is_private(value) || alias::root(value).space() == Some(Space::Local);
        is_own.then(|| MemoryAccess::read(AccessedMemory::Element(operand), Engine::THREADS))
    });
    let accesses = each.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())?;
    Some(Effects { accesses, ..Effects::default() })
}

/// Whether a memref or a pointer refers to shared memory.
pub fn is_shared(value: Value<'_, '_>) -> bool {
    match MemRefType::try_from(value.r#type()) {
        Ok(memref) => space(memref) == Some(Space::Shared),
        Err(_) => {
            matches!(llvm_type::Space::of(value.r#type()), Some(llvm_type::Space::Shared | llvm_type::Space::Cluster))
        }
    }
}
