//! Products that an arm of a condition leaves in flight.
//!
//! Behind the condition, the registers of their sums are also those that the other arms leave. `ptxas` makes every product wait for the
//! one before (C7514, C7515) where another instruction writes these in the other arm, so the products are waited for in their own:
//!
//! ```text
//!   scf.if %c { … products of %p, commit, wait 0 } else { tile.map %p to %p }
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::PlannedOp;
use tile_ops::{Builder, nvvm, scf};
use tile_plan::problem::role::Role;

use crate::effects::wgmma::{PackedSums, accesses_tile, is_product, tile_of_sums};
use crate::read::effects::only_computes_or_reads;
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::walk::{self, before};

/// Waits at the end of arms for products whose sums something else than a product writes in another arm.
pub(super) fn wait_before_joins<'c: 'a, 'a>(products: &[OperationRef<'c, 'a>], rewriter: Rewriter<'c, 'a>) {
    let sums = PackedSums::default();
    let end = |product: &OperationRef<'c, 'a>| {
        let tile = key(tile_of_sums(*product)?);
        let is_written = |op: &OperationRef<'c, 'a>| writes(*op, tile) && !is_product(*op) && !sums.keeps(*op);
        arms_left(*product).find(|arm| others(*arm).iter().any(is_written))?.block()?.terminator()
    };
    let mut ends: Vec<_> = products.iter().filter_map(end).collect();
    ends.dedup();
    for end in ends {
        nvvm::wgmma_wait_group_sync_aligned(Builder::before(rewriter, end), 0).build();
    }
}

/// Whether an operation writes a tile of registers.
fn writes(op: OperationRef<'_, '_>, tile: usize) -> bool {
    if name(op) == PlannedOp::NAME {
        return PlannedOp(op).buffer(Role::Dst).map(key) == Some(tile);
    }
    accesses_tile(op, tile) && !only_computes_or_reads(op)
}

/// The operations in the other arms of the condition around an operation.
fn others<'c: 'a, 'a>(arm: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let blocks = arm.parent_operation().into_iter().flat_map(|condition| condition.regions().collect::<Vec<_>>());
    let others = blocks.filter_map(|region| region.first_block()).filter(|block| arm.block() != Some(*block));
    let ops = others.flat_map(|block| std::iter::successors(block.first_operation(), |op| op.next_in_block()));
    ops.flat_map(|op| walk::matching(op, |_| true)).collect()
}

/// The conditions around a product that end before anything waits for it.
pub(super) fn conditions_left<'c: 'a, 'a>(product: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    arms_left(product).filter_map(|op| op.parent_operation())
}

/// The operations of arms that are a product, or contain it, and behind which nothing in their arms waits for it.
fn arms_left<'c: 'a, 'a>(product: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let function = kernel::function(product);
    let around = std::iter::once(product).chain(kernel::ancestors(product));
    let in_flight = around.take_while(move |op| Some(*op) != function && !after(*op).any(waits));
    in_flight.filter(|op| op.parent_operation().is_some_and(|around| name(around) == scf::IfOp::NAME))
}

fn after<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(op.next_in_block(), |op| op.next_in_block())
}

/// Whether an operation, or one in it, waits for products.
pub(super) fn waits(op: OperationRef<'_, '_>) -> bool {
    !walk::matching(op, |name| name == nvvm::WgmmaWaitGroupSyncOp::NAME).is_empty()
}

/// Lets a wait in an arm of a condition leave nothing in flight that was issued before the condition: `ptxas` counts no groups into an
/// arm, and takes all for ones in flight (C7514).
pub(super) fn wait_for_all_in_arm<'c: 'a, 'a>(wait: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let is_in_arm = wait.parent_operation().is_some_and(|around| name(around) == scf::IfOp::NAME);
    let Some(waiting) = nvvm::WgmmaWaitGroupSyncOp::cast(wait).filter(|_| is_in_arm) else { return };
    let closed = before(wait).unwrap_or_default().into_iter().filter(|op| closes_group(*op)).count();
    if waiting.group().is_some_and(|left| usize::try_from(left).is_ok_and(|left| left > closed)) {
        waiting.set_group(rewriter, 0);
    }
}

/// Whether an operation, or one in it, closes a group of products.
pub(super) fn closes_group(op: OperationRef<'_, '_>) -> bool {
    !walk::matching(op, |name| name == nvvm::WgmmaGroupSyncAlignedOp::NAME).is_empty()
}
