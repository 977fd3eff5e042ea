//! Loads and stores.

use melior::ir::{OperationRef, Value};
use tile_dialect::Space;
use tile_dialect::ir::Parts;
use tile_ops::{llvm, memref, vector};
use tile_plan::sync::Engine;

use super::{AccessedMemory, Effects, MemoryAccess};
use crate::read::{alias, name};

/// The effects of a load or store, or of the end of shared memory.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let (operand, write, atomic) = match name(op) {
        memref::LoadOp::NAME | vector::LoadOp::NAME | vector::TransferReadOp::NAME | llvm::LoadOp::NAME => {
            (0, false, false)
        }
        memref::StoreOp::NAME | vector::StoreOp::NAME | vector::TransferWriteOp::NAME | llvm::StoreOp::NAME => {
            (1, true, false)
        }
        memref::AtomicRMWOp::NAME => (1, true, true),
        memref::GenericAtomicRMWOp::NAME | llvm::AtomicRMWOp::NAME | llvm::AtomicCmpXchgOp::NAME => (0, true, true),
        // Memory of the block, allocated once for all of its threads.
        memref::DeallocOp::NAME if op.operand_at(0).is_some_and(is_shared) => return Some(Effects::default()),
        _ => return None,
    };
    let access =
        MemoryAccess { write, atomic, ..MemoryAccess::read(AccessedMemory::Element(operand), Engine::THREADS) };
    Some(Effects { accesses: vec![access], ..Effects::default() })
}

/// Whether a memref, a tile or a pointer refers to shared memory.
pub fn is_shared(value: Value<'_, '_>) -> bool {
    alias::space(value) == Some(Space::Shared)
}
