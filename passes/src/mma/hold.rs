//! Sums that have been waited for, which LLVM and `ptxas` do not know.
//!
//! LLVM may move a use of the sums to before the wait, where the registers are still written. So the registers pass through an empty
//! assembly after the wait, which nothing moves.
//!
//! `ptxas` makes every product wait for the one before (C7515) where registers in flight may as well hold what other instructions
//! have put there. After a loop of no known trip count they may: without an iteration they hold what they did before it. So loop and
//! wait get a path of their own:
//!
//! ```text
//!   scf.if %first < %end {
//!     scf.for %k = %first to %end …  { … mma_async … commit … }
//!     wait 0; the registers are held
//!   }
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter, defining_op, results_of, uses};
use tile_isa::wgmma::LEFT_REGISTERS;
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::{Builder, nvvm, scf, tile};

use super::arms::{closes_group, wait_before_joins, wait_for_all_in_arm};
use super::computed::hold_computed;
use super::flying::in_flight;
use crate::effects::wgmma::{is_product_name, multiplies, tile_of_sums};
use crate::emit::{Kit, RegisterTile};
use crate::read::values::key;
use crate::read::{divisibility, kernel, name};
use crate::walk::{self, before};

/// Holds back what uses sums in registers until the waits for their products, below the root.
pub fn hold_sums<'c: 'a, 'a>(root: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    wait_before_joins(&walk::matching(root, is_product_name), rewriter);
    let warpgroup_ops = walk::matching(root, |name| is_product_name(name) || name == nvvm::WgmmaWaitGroupSyncOp::NAME);
    let (waits, products): (Vec<_>, Vec<_>) =
        warpgroup_ops.into_iter().partition(|op| name(*op) == nvvm::WgmmaWaitGroupSyncOp::NAME);
    hold_computed(&products, rewriter);
    products.iter().for_each(|product| _ = hold_left_factor(*product, rewriter));
    // In the order of the text: addresses differ from run to run.
    let mut seen = HashSet::new();
    let tiles = products.into_iter().filter_map(tile_of_sums).filter(|tile| seen.insert(key(*tile)));
    let tiles: Vec<Value<'c, 'a>> = tiles.collect();
    waits.iter().for_each(|wait| wait_for_all_in_arm(*wait, rewriter));
    let (mut repeated, mut waits): (Vec<_>, Vec<_>) = waits.into_iter().partition(|wait| is_repeated(*wait));
    for wait in &waits {
        repeated.extend(guard(*wait, rewriter).unwrap_or_default());
    }
    waits.retain(|wait| !repeated.contains(wait));
    repeated.into_iter().for_each(|wait| rewriter.erase(wait));
    for wait in waits {
        let Some(flying) = in_flight(wait) else { continue };
        let builder = Builder::before(rewriter, wait);
        rewriter.set_insertion_point_after(wait);
        let done = tiles.iter().filter(|tile| !flying.contains(&key(**tile)) && is_made_before(**tile, wait));
        done.filter_map(|tile| RegisterTile::of(builder, *tile)).for_each(|tile| tile.hold());
    }
}

/// Moves a left factor to registers of its own before the fence of its product.
///
/// LLVM sees a product read its registers at once, and may compute the next left factor in the same ones while it is in flight; an empty
/// assembly, as for sums, leaves the value in the register that it was computed in. `ptxas` removes the moves where it can.
fn hold_left_factor<'c: 'a, 'a>(product: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Option<()> {
    tile::WarpgroupMmaOp::cast(product)?;
    let fence = before(product)?.into_iter().rfind(|op| name(*op) == nvvm::WgmmaFenceAlignedOp::NAME)?;
    let kit = Kit::new(Builder::before(rewriter, fence));
    for at in 1..=LEFT_REGISTERS {
        let held = kit.assembly_value("mov.b32 $0, $1;", "=r,r", &[product.operand_at(at)?], kit.int_type(32));
        rewriter.set_operand(product, at, held);
    }
    Some(())
}

/// Whether a wait follows one that leaves as few groups in flight, with no group between them: a ring waits at the end of an iteration,
/// which may already have waited for its sums. `ptxas` would take the products for ones in flight until the last wait (C7514).
fn is_repeated(wait: OperationRef<'_, '_>) -> bool {
    let groups = |op| nvvm::WgmmaWaitGroupSyncOp::cast(op).and_then(|wait| wait.group());
    let Some(left) = groups(wait) else { return false };
    let since = before(wait).unwrap_or_default().into_iter().rev().take_while(|op| !closes_group(*op));
    since.filter_map(groups).any(|earlier| earlier <= left)
}

/// Brings a wait for all products of a loop that may have no iteration, and the loop, to a path of their own. Returns the waits that were
/// between the two, and now have nothing to wait for.
fn guard<'c: 'a, 'a>(wait: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Option<Vec<OperationRef<'c, 'a>>> {
    (nvvm::WgmmaWaitGroupSyncOp::cast(wait)?.group()? == 0).then_some(())?;
    let looped = maybe_empty_loop(wait)?;
    let between = before(wait)?.into_iter().skip_while(|op| *op != looped);
    let passed = between.filter(|op| name(*op) == nvvm::WgmmaWaitGroupSyncOp::NAME).collect();
    let builder = Builder::before(rewriter, looped);
    let results = results_of(looped);
    let types: Vec<_> = results.iter().map(ValueLike::r#type).collect();
    let first: Vec<_> = looped.operands().skip(3).collect();
    let enters = arith::cmpi(builder, looped.operand_at(0)?, looped.operand_at(1)?, CmpIPredicate::Slt).value();
    let path = scf::r#if(builder, enters, &types, builder.body(&[]), builder.body(&[])).build().operation();
    for (own, new) in results.iter().zip(results_of(path)) {
        uses(*own).into_iter().for_each(|(user, operand)| rewriter.set_operand(user, operand, new));
    }
    builder.fill(path, 0, |_| {
        let end = scf::r#yield(builder, &results).build().operation();
        rewriter.move_before(looped, end);
        rewriter.move_before(wait, end);
    });
    builder.fill(path, 1, |_| _ = scf::r#yield(builder, &first).build());
    Some(passed)
}

/// The loop of unknown trip count whose products a wait is for, if it is for no others.
fn maybe_empty_loop<'c: 'a, 'a>(wait: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let before = before(wait)?;
    let at = before.iter().rposition(|op| multiplies(*op))?;
    let looped = before[at];
    (name(looped) == scf::ForOp::NAME && !scf::ForOp::cast(looped)?.unsigned_cmp()).then_some(())?;
    let [lower, upper] = [0, 1].map(|at| divisibility::infer(looped.operand_at(at)?).constant());
    (lower.is_none() || upper.is_none()).then_some(())?;
    let waited = before[..at].iter().rposition(|op| waits_for_all(*op));
    let is_first = !before[waited.unwrap_or(0)..at].iter().any(|op| multiplies(*op));
    let all = |op| walk::matching(op, is_product_name).len();
    let is_alone = || kernel::function(wait).is_some_and(|function| all(function) == all(looped));
    (is_first && (waited.is_some() || is_alone())).then_some(looped)
}

fn waits_for_all(op: OperationRef<'_, '_>) -> bool {
    nvvm::WgmmaWaitGroupSyncOp::cast(op).is_some_and(|wait| wait.group() == Some(0))
}

/// Whether a tile is allocated before an operation, in a block around it.
fn is_made_before(tile: Value<'_, '_>, op: OperationRef<'_, '_>) -> bool {
    let Some(made) = defining_op(tile) else { return false };
    let mut around = std::iter::once(op).chain(kernel::ancestors(op));
    let Some(beside) = around.find(|around| around.block() == made.block()) else { return false };
    let mut next = made.next_in_block();
    while let Some(op) = next {
        if op == beside {
            return true;
        }
        next = op.next_in_block();
    }
    false
}
