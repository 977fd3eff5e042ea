//! What ops of any dialect do to memory, by MLIR's interfaces.

use melior::ir::OperationRef;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn tileIsCopiedByMemcpy(op: MlirOperation) -> bool;
    fn tileMemoryEffects(op: MlirOperation) -> MemoryEffects;
    fn tileEffectsOnOperand(op: MlirOperation, operand: isize) -> MemoryEffects;
    fn tileIsDestinationStyle(op: MlirOperation) -> bool;
}

/// `TileMemoryEffects`: what an op may do to memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryEffects {
    pub reads: bool,
    /// It writes, allocates or frees.
    pub writes: bool,
}

/// What an op may do to memory by MLIR's interface, the ops in it aside; everything, where the op does not implement it.
pub(crate) fn memory_effects(op: OperationRef<'_, '_>) -> MemoryEffects {
    // SAFETY: the op is alive.
    unsafe { tileMemoryEffects(op.to_raw()) }
}

/// What an op does to the memory of an operand, the ops in it aside, or to memory that no operand names; everything to each, where
/// the op does not implement MLIR's interface. What it allocates does not count.
pub(crate) fn effects_on(op: OperationRef<'_, '_>, operand: Option<usize>) -> MemoryEffects {
    let number = operand.map_or(-1, |operand| isize::try_from(operand).unwrap_or(isize::MAX));
    // SAFETY: the op is alive.
    unsafe { tileEffectsOnOperand(op.to_raw(), number) }
}

/// Whether an op of any dialect computes what it writes from what it reads, all of it itself, as those of linalg do.
pub(crate) fn is_destination_style(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsDestinationStyle(op.to_raw()) }
}

/// Whether MLIR's conversion to LLVM makes a `memcpy` of a `memref.copy`, and no call of its host runtime.
pub(crate) fn is_copied_by_memcpy(copy: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileIsCopiedByMemcpy(copy.to_raw()) }
}
