//! Sums in tensor memory that have just been zeroed: their first product replaces them, so that nothing has to be zeroed.
//!
//! ```text
//!   tile.fill %zero to %row                                      tile.fill %zero to %row
//!   tile.copy %row to %sums                                ──▶
//!   scf.for %k = %first to %end … {                              scf.for %k = %first to %end … {
//!     tile.mma %a, %b, %sums                                       tile.mma %a, %b, %sums, which adds if %k != %first
//!   }                                                            }
//!                                                                scf.if %first >= %end { zeros, as before }
//! ```
//!
//! The last part is left out where the loop is known to have an iteration. `ptxas` does the same for registers: of a `wgmma` whose sums
//! have been zeroed it makes one that ignores them, and in a loop a predicate would cost more in each iteration than zeros do once.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Arguments, Ir, Parts, Rewriter, defining_op};
use tile_dialect::ops::{CopyOp, MmaOp, Offset, Operand};
use tile_dialect::{BufferType, INHERENT, Space};
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::nvvm::{self, Tcgen05WaitKind};
use tile_ops::{Builder, constant, scf, tile};
use tile_plan::problem::mask::Fill;

use crate::effects::{inherent, synchronizes};
use crate::emit::Kit;
use crate::read::effects::touches_nothing;
use crate::read::root::root;
use crate::read::values::key;
use crate::read::{divisibility, mask, name};
use crate::tensor_memory;
use crate::walk::{self, before};

/// When a product replaces sums instead of adding to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstProduct {
    /// Always.
    Alone,
    /// In the first iteration of the loop whose body it is in.
    OfLoop,
}

impl FirstProduct {
    /// Whether a product adds to its sums, as a bit; `None` where it is in no loop.
    pub fn adds<'c: 'a, 'a>(self, kit: Kit<'c, 'a>, product: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        match self {
            FirstProduct::Alone => Some(kit.int(1, 0)),
            FirstProduct::OfLoop => {
                let around = product.parent_operation()?;
                let first = around.region_at(0)?.first_block()?.argument_at(0)?;
                let lower = around.operand_at(0)?;
                Some(arith::cmpi(kit.builder, first.into(), lower, CmpIPredicate::Ne).value())
            }
        }
    }
}

/// The products below the root that are the first after their sums have been zeroed, by op; the zeros are removed, or left to loops
/// without an iteration.
pub fn first_products(ir: &Ir<'_>) -> HashMap<usize, FirstProduct> {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let mut firsts = HashMap::new();
    for op in walk::named(root, MmaOp::NAME) {
        let Some([.., sums]) = MmaOp(op).operands().filter(|[.., sums]| is_tensor(*sums)) else { continue };
        let Some((first, zeros)) = zeroed(op, sums) else { continue };
        let around = op.parent_operation().filter(|around| first == FirstProduct::OfLoop && !has_iteration(*around));
        if around.is_none_or(|around| leave_to_empty(around, zeros, rewriter).is_some()) {
            remove(zeros, rewriter);
            firsts.insert(walk::key(op), first);
        }
    }
    firsts
}

fn is_tensor(tile: Value<'_, '_>) -> bool {
    BufferType::from_type(tile.r#type()).is_some_and(|buffer| buffer.space() == Space::Tmem)
}

/// The copy of zeros to sums after which a product is the first to touch them.
fn zeroed<'c: 'a, 'a>(
    product: OperationRef<'c, 'a>,
    sums: Value<'c, 'a>,
) -> Option<(FirstProduct, OperationRef<'c, 'a>)> {
    match last_toucher(product, sums)? {
        Some(op) => is_zeros(op, sums).then_some((FirstProduct::Alone, op)),
        None => {
            let around = product.parent_operation().and_then(scf::ForOp::cast)?;
            let op = product.parent_operation().filter(|_| !around.unsigned_cmp())?;
            let zeros = last_toucher(op, sums)??;
            is_zeros(zeros, sums).then_some((FirstProduct::OfLoop, zeros))
        }
    }
}

/// The last op before another in its block that touches sums; `None` where it is not known what an op in between does.
fn last_toucher<'c: 'a, 'a>(op: OperationRef<'c, 'a>, sums: Value<'c, 'a>) -> Option<Option<OperationRef<'c, 'a>>> {
    for op in before(op)?.into_iter().rev() {
        let inner = walk::matching(op, |_| true);
        let all = || std::iter::once(op).chain(inner.iter().copied());
        if all().any(|op| touches(op, sums)) {
            return Some(Some(op));
        }
        if !all().all(is_known) {
            return None;
        }
    }
    Some(None)
}

/// Whether what an op does to tensor memory is in its operands.
fn is_known(op: OperationRef<'_, '_>) -> bool {
    const STRUCTURE: [&str; 3] = [scf::ForOp::NAME, scf::IfOp::NAME, scf::YieldOp::NAME];
    let op_name = name(op);
    CopyOp::is_name(op_name)
        || op_name == MmaOp::NAME
        || STRUCTURE.contains(&op_name)
        || inherent::is_marked(op)
        || synchronizes(op)
        || touches_nothing(op)
}

/// Whether an op that is no view takes sums, or a tile that may overlap them.
fn touches(op: OperationRef<'_, '_>, sums: Value<'_, '_>) -> bool {
    let is_access = CopyOp::is_name(name(op)) || name(op) == MmaOp::NAME;
    is_access && op.operands().filter(|tile| is_tensor(*tile)).any(|tile| may_overlap(tile, sums))
}

fn may_overlap(one: Value<'_, '_>, other: Value<'_, '_>) -> bool {
    let [one, other] = [root(one), root(other)];
    if key(one) == key(other) {
        return true;
    }
    let Some([(base, begin), (other_base, other_begin)]) =
        columns_from(one).zip(columns_from(other)).map(<[_; 2]>::from)
    else {
        return true;
    };
    let columns = |tile: Value<'_, '_>| BufferType::from_type(tile.r#type()).map_or(i64::MAX, tensor_memory::columns);
    base != other_base || (begin < other_begin + columns(other) && other_begin < begin.saturating_add(columns(one)))
}

/// The address of a tile, as columns from a value.
fn columns_from(tile: Value<'_, '_>) -> Option<(usize, i64)> {
    let address = defining_op(tile).filter(|op| name(*op) == tile::TmemOp::NAME)?.operand_at(0)?;
    let sum = defining_op(address).filter(|op| name(*op) == arith::AddIOp::NAME);
    let Some(sum) = sum else { return Some((key(address), 0)) };
    let columns = divisibility::infer(sum.operand_at(1)?).constant()?;
    Some((key(sum.operand_at(0)?), columns))
}

/// Whether an op copies registers that have just been filled with zeros to all of the sums.
fn is_zeros(op: OperationRef<'_, '_>, sums: Value<'_, '_>) -> bool {
    let is_plain = |copy: CopyOp<'_, '_>| !copy.masked() && copy.reduce().is_none() && !copy.fills();
    let copy = CopyOp(op);
    if !CopyOp::is_name(name(op)) || !is_plain(copy) {
        return false;
    }
    let Some((from, to)) = copy.src().zip(copy.dst()) else { return false };
    let is_of_registers = from.buffer.space() == Space::Local && from.buffer.element() == to.buffer.element();
    is_of_registers && key(to.value) == key(sums) && is_whole(&to) && is_whole(&from) && is_filled(op, from.value)
}

/// Whether the last op that takes a tile of registers before another in its block fills it with zeros.
fn is_filled(op: OperationRef<'_, '_>, tile: Value<'_, '_>) -> bool {
    let takes = |op: OperationRef<'_, '_>| op.operands().any(|value| key(root(value)) == key(root(tile)));
    let before = before(op).unwrap_or_default();
    let last = before.into_iter().rfind(|op| takes(*op) || walk::matching(*op, |_| true).into_iter().any(takes));
    let Some(fill) = last.filter(|op| CopyOp::is_name(name(*op)) && CopyOp(*op).fills()).map(CopyOp) else {
        return false;
    };
    let is_all = fill.dst().is_some_and(|to| key(to.value) == key(tile) && is_whole(&to));
    is_all && !fill.masked() && fill.filler().is_some_and(|filler| mask::fill(filler) == Fill::Zero)
}

fn is_whole(operand: &Operand<'_, '_>) -> bool {
    let begins = operand.region.offsets.iter().all(|offset| matches!(offset, Offset::Constant(0)));
    begins && operand.region.sizes == operand.buffer.shape()
}

/// Whether a loop is known to have an iteration.
fn has_iteration(around: OperationRef<'_, '_>) -> bool {
    let bound = |at| divisibility::infer(around.operand_at(at)?).constant();
    bound(0).zip(bound(1)).is_some_and(|(lower, upper)| lower < upper)
}

/// Copies zeros to the sums after a loop that had no iteration, as `zeros` did before it.
fn leave_to_empty<'c: 'a, 'a>(
    around: OperationRef<'c, 'a>,
    zeros: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Option<()> {
    let (copy, [lower, upper]) = (CopyOp(zeros), [around.operand_at(0)?, around.operand_at(1)?]);
    let (from, to) = (copy.src()?, copy.dst()?);
    let fill = before(zeros)?.into_iter().rfind(|op| {
        CopyOp::is_name(name(*op)) && CopyOp(*op).dst().is_some_and(|to| key(to.value) == key(from.value))
    })?;
    let zero = CopyOp(fill).filler()?;
    let builder = Builder::before(rewriter, around);
    rewriter.set_insertion_point_after(around);
    let is_empty = arith::cmpi(builder, lower, upper, CmpIPredicate::Sge).value();
    Kit::new(builder).when(is_empty, |kit| {
        let builder = kit.builder;
        let registers = tile::alloc(builder, from.value.r#type()).value();
        let filled = tile::fill(builder, registers, &[], &[], &[], CopyOp(fill).scope());
        filled.filler(constant::filler(builder, zero)).build();
        tile::copy_async(builder, registers, &[], to.value, &[], &[], &[], &[], &[], &[], &[], &[], copy.scope())
            .build();
        let wait = nvvm::tcgen05_wait(builder, Tcgen05WaitKind::Store).build().operation();
        rewriter.set_attribute(wait, INHERENT, builder.context.unit());
    });
    Some(())
}

/// Removes a copy, and the wait that belongs to it.
fn remove<'c: 'a, 'a>(zeros: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) {
    let wait = zeros.next_in_block().filter(|op| name(*op) == nvvm::Tcgen05WaitOp::NAME && inherent::is_marked(*op));
    wait.into_iter().chain([zeros]).for_each(|op| rewriter.erase(op));
}
