//! Sums that something else than a product has computed: they are in their registers before products are in flight.
//!
//! LLVM would compute them where a product reads them. `ptxas` puts another fence there (C7519), and, where other products are in flight,
//! waits for these (C7517). So registers are held before the fence of the first product after which nothing accesses them, and what fills
//! them goes there, too:
//!
//! ```text
//!   fence, products of %p, commit                    fill %q, held
//!   fill %q                                   ──▶    fence, products of %p, commit
//!   fence, products of %q, commit                    fence, products of %q, commit
//! ```

use std::collections::HashSet;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Parts, Rewriter, defining_op};
use tile_dialect::ops::PlannedOp;
use tile_ops::{Builder, nvvm, scf};
use tile_plan::problem::role::Role;

use super::arms::{conditions_left, waits};
use crate::effects::wgmma::{PackedSums, accesses_tile, multiplies, tile_of_sums};
use crate::emit::RegisterTile;
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::walk::{self, before};

/// Gives sums that something else than a product has computed their registers before the fences of that product and, if it can be, of
/// those before it.
pub(super) fn hold_computed<'c: 'a, 'a>(products: &[OperationRef<'c, 'a>], rewriter: Rewriter<'c, 'a>) {
    let (mut seen, mut held) = (HashSet::new(), HashSet::new());
    for &product in products {
        let Some(tile) = tile_of_sums(product) else { continue };
        let is_first = seen.insert(key(tile));
        let Some(packed) = packed_registers(product) else { continue };
        for (first, last) in std::iter::once((packed, product)).chain(conditions_left(product).map(|op| (op, op))) {
            if !held.insert((walk::key(first), key(tile))) {
                continue;
            }
            let is_computed = match last_access(first, last, tile) {
                // A product inside may be in flight.
                Some(access) => !PackedSums::default().keeps(access) && !multiplies(access),
                None => is_first && is_executed_once(product),
            };
            if is_computed {
                let early = EarliestFence::find(first, tile);
                early.fills.iter().rev().for_each(|fill| rewriter.move_before(*fill, early.op));
                RegisterTile::of(Builder::before(rewriter, early.op), tile).into_iter().for_each(|tile| tile.hold());
            }
        }
    }
}

/// Where a tile's registers can have their values first.
struct EarliestFence<'c, 'a> {
    /// The fence, or what packs the registers.
    op: OperationRef<'c, 'a>,
    /// The fills of the tile behind it, the last first.
    fills: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> EarliestFence<'c, 'a> {
    /// The first fence in the block of `packed` from which on only fills of the tile access it, and nothing is waited for: such a wait may
    /// be for products of the same registers.
    fn find(packed: OperationRef<'c, 'a>, tile: Value<'c, 'a>) -> Self {
        let mut earliest = EarliestFence { op: packed, fills: Vec::new() };
        let mut passed: Vec<OperationRef<'c, 'a>> = Vec::new();
        let mut fills: Vec<OperationRef<'c, 'a>> = Vec::new();
        for op in before(packed).unwrap_or_default().into_iter().rev() {
            if waits(op) {
                break;
            }
            if accesses(op, key(tile)) {
                if !is_fill(op) {
                    break;
                }
                fills.push(op);
            }
            passed.push(op);
            if name(op) == nvvm::WgmmaFenceAlignedOp::NAME {
                let is_free = |fill: &OperationRef<'c, 'a>| !passed.iter().any(|made| is_used_by(*made, *fill));
                if !fills.iter().all(is_free) {
                    break;
                }
                earliest = EarliestFence { op, fills: fills.clone() };
            }
        }
        earliest
    }
}

/// Whether an operation writes one value to all of a tile's elements, and does nothing else.
fn is_fill(op: OperationRef<'_, '_>) -> bool {
    name(op) == PlannedOp::NAME && PlannedOp(op).roles() == [Role::Dst]
}

fn is_used_by(made: OperationRef<'_, '_>, user: OperationRef<'_, '_>) -> bool {
    user.operands().any(|value| defining_op(value) == Some(made))
}

/// The last operation that accesses a tile before the operations from `first` to `last` of a block; in a loop, that of the iteration before
/// where the iteration has none.
fn last_access<'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    last: OperationRef<'c, 'a>,
    tile: Value<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let accesses = |op: &OperationRef<'c, 'a>| accesses(*op, key(tile));
    let earlier = before(first)?.into_iter().rfind(accesses);
    let is_in_loop = last.parent_operation().is_some_and(|around| name(around) == scf::ForOp::NAME);
    let after = || std::iter::successors(last.next_in_block(), |op| op.next_in_block());
    earlier.or_else(|| after().filter(|_| is_in_loop).filter(accesses).last())
}

/// Whether an operation, or one in it, accesses a tile of registers.
fn accesses(op: OperationRef<'_, '_>, tile: usize) -> bool {
    let inside = |op| walk::matching(op, |_| true).into_iter().any(|op| accesses_tile(op, tile));
    accesses_tile(op, tile) || op.regions().next().is_some() && inside(op)
}

/// The first of the operations that pack a product's sums.
fn packed_registers<'c: 'a, 'a>(product: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let load = defining_op(defining_op(product.operand_at(0)?)?.operand_at(1)?)?;
    defining_op(load.operand_at(0)?)
}

/// Whether no loop is around an operation in its function.
fn is_executed_once(op: OperationRef<'_, '_>) -> bool {
    let function = kernel::function(op);
    kernel::ancestors(op).take_while(|around| Some(*around) != function).all(|around| name(around) == scf::IfOp::NAME)
}
