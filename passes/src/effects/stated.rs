//! What ops state of themselves by MLIR's interface: which operands' memory they read or write, but not where in it.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_ops::{gpu, llvm, memref, vector};
use tile_plan::sync::Engine;
use tile_plan::touch::Collective;

use super::{AccessedMemory, Effects, MemoryAccess, Participants};
use crate::read::effects::touches_nothing;
use crate::read::{alias, name};
use crate::{shim, walk};

/// Dialects whose ops have done what they do before the next one begins. No interface of MLIR tells.
const SYNCHRONOUS: [&str; 3] = [llvm::PREFIX, memref::PREFIX, vector::PREFIX];

/// Ops of these dialects that only begin what another op waits for, or do more than they state.
const OTHERS: [&str; 3] = [llvm::InlineAsmOp::NAME, memref::DmaStartOp::NAME, memref::DmaWaitOp::NAME];

/// The effects of an operation on the memory of its operands, any bytes of each by each thread; `None` where it does not say which
/// memory that is, or may be asynchronous.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    if let Some((operand, write)) = of_matrix(op) {
        let access = MemoryAccess { collective: Collective::Warp, ..access(operand, write) };
        return Some(Effects { by: Participants::FullWarps, accesses: vec![access], ..Effects::default() });
    }
    let elsewhere = shim::effects_on(op, None);
    if !is_synchronous(op) || elsewhere.reads || elsewhere.writes || first_access_within(op).is_some() {
        return None;
    }
    let mut accesses = Vec::new();
    for (operand, value) in op.operands().enumerate() {
        let shim::MemoryEffects { reads, writes } = shim::effects_on(op, Some(operand));
        if (reads || writes) && !alias::is_address(value) {
            return None;
        }
        accesses.extend(reads.then(|| access(operand, false)));
        accesses.extend(writes.then(|| access(operand, true)));
    }
    Some(Effects { accesses, ..Effects::default() })
}

/// An access to any bytes of the memory of an operand.
fn access<'c, 'a>(operand: usize, write: bool) -> MemoryAccess<'c, 'a> {
    MemoryAccess { write, ..MemoryAccess::read(AccessedMemory::Anywhere(operand), Engine::THREADS) }
}

/// The memory of a matrix that the lanes of a warp load or store together, and whether they store it.
fn of_matrix(op: OperationRef<'_, '_>) -> Option<(usize, bool)> {
    match name(op) {
        gpu::SubgroupMmaLoadMatrixOp::NAME => Some((0, false)),
        gpu::SubgroupMmaStoreMatrixOp::NAME => Some((1, true)),
        _ => None,
    }
}

/// Whether an op is known to have done what it does before the next one begins.
fn is_synchronous(op: OperationRef<'_, '_>) -> bool {
    let is_of_dialect = SYNCHRONOUS.iter().any(|prefix| name(op).starts_with(prefix));
    shim::is_destination_style(op) || is_of_dialect && !OTHERS.contains(&name(op))
}

/// The name of the first op in the regions of an op that does not compute with values alone.
pub(super) fn first_access_within(op: OperationRef<'_, '_>) -> Option<String> {
    let inside = walk::matching(op, |_| true).into_iter().filter(|inner| *inner != op);
    inside.into_iter().find(|inner| !touches_nothing(*inner)).map(|inner| name(inner).to_owned())
}
