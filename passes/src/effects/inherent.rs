//! The synchronization that an op of the dialect contains, marked when that is lowered: a kernel that has no other does not
//! synchronize by itself, so that the compiler orders its accesses.
//!
//! An mbarrier that only one thread uses, to wait for what it has just issued, is marked likewise. Its phases are not followed: the
//! products are complete after the wait, like stores to tensor memory.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::ir::{Parts, Rewriter};
use tile_dialect::{Ctx, INHERENT};
use tile_isa::mbarrier;
use tile_ops::nvvm;
use tile_plan::sync::{Effect, Engine, Queue};

use super::mbarriers;
use super::{AccessedMemory, Effects, MemoryAccess, synchronizes};
use crate::read::name;
use crate::walk;

/// The effects of a marked operation on an mbarrier, whose phases are not followed.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let on_mbarrier = [nvvm::MBarrierInitOp::NAME, nvvm::MBarrierArriveOp::NAME, nvvm::Tcgen05CommitOp::NAME];
    if !is_marked(op) || !on_mbarrier.contains(&name(op)) {
        return None;
    }
    let memory = AccessedMemory::Shared { pointer: op.operand_at(0)?, bytes: mbarrier::BYTES };
    let access = MemoryAccess { atomic: true, ..MemoryAccess::write(memory, Engine::THREADS) };
    Some(Effects { accesses: vec![access], ..Effects::default() })
}

/// What a marked wait for an mbarrier completes: all products of the thread that waits.
pub fn awaits(op: OperationRef<'_, '_>) -> Option<Effect> {
    let is_one = is_marked(op) && mbarriers::wait(op).is_some();
    is_one.then_some(Effect::Wait { queue: Queue::TmemStore, pending: 0, reads: false })
}

/// Whether an operation is part of what an op contained.
pub fn is_marked(op: OperationRef<'_, '_>) -> bool {
    op.has_attribute(INHERENT)
}

/// Marks a product that is waited for.
pub fn mark_product<'c: 'a, 'a>(rewriter: Rewriter<'c, 'a>, product: OperationRef<'c, 'a>) {
    rewriter.set_attribute(product, INHERENT, Ctx::of(product).unit());
}

/// Marks a tile that the plan of a copy makes for itself.
pub fn mark_scratch<'c: 'a, 'a>(rewriter: Rewriter<'c, 'a>, tile: OperationRef<'c, 'a>) {
    rewriter.set_attribute(tile, INHERENT, Ctx::of(tile).unit());
}

/// Marks what synchronizes in an op that the lowering has made, and in its regions.
pub fn mark<'c: 'a, 'a>(rewriter: Rewriter<'c, 'a>, made: OperationRef<'c, 'a>) {
    for op in walk::matching(made, |_| true).into_iter().filter(|op| synchronizes(*op)) {
        rewriter.set_attribute(op, INHERENT, Ctx::of(op).unit());
    }
}

/// Whether an operation synchronizes that no op of the dialect contained.
pub fn is_other(op: OperationRef<'_, '_>) -> bool {
    !is_marked(op) && synchronizes(op)
}

/// Removes all marks.
pub fn unmark<'c: 'a, 'a>(root: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    for op in walk::matching(root, |_| true).into_iter().filter(|op| is_marked(*op)) {
        rewriter.remove_attribute(op, INHERENT);
    }
}
