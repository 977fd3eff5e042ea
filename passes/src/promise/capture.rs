//! Values that a `gpu.launch` captures, which become arguments of the kernel that is outlined.
//!
//! ```text
//!   %a = tile.view %A                              gpu.launch {
//!   gpu.launch {                                     %B = memref.assume_alignment %A, 256
//!     tile.copy %a …                      ──▶        %b = tile.view %B
//!                                                    tile.copy %b …
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter, defining_op};
use tile_ops::{Builder, memref, tile};

use crate::read::{alignment, kernel, name, values};
use crate::walk;

/// States the alignment of every captured memref that is used as a tile, where the body does not state it yet.
pub fn write_alignment<'c: 'a, 'a>(op: OperationRef<'c, 'a>, bytes: i64, rewriter: Rewriter<'c, 'a>) {
    let Some(first) = op.region_at(0).and_then(|region| region.first_block()?.first_operation()) else { return };
    let mut moved: Vec<(Value<'c, 'a>, Value<'c, 'a>)> = Vec::new();
    for user in walk::matching(op, |_| true) {
        for index in 0..user.operand_count() {
            let Some(view) = captured_view(user, index, op) else { continue };
            let known = moved.iter().find(|(from, _)| *from == view).map(|&(_, to)| to);
            let view_in = known.or_else(|| view_inside(Builder::before(rewriter, first), view, bytes, &mut moved));
            let Some(view_in) = view_in else { continue };
            rewriter.set_operand(user, index, view_in);
        }
    }
    for view in walk::named(op, tile::ViewOp::NAME) {
        let Some(memref) = view.operand_at(0).filter(|&memref| is_captured(memref, op)) else { continue };
        let assumed = assume(Builder::before(rewriter, view), memref, bytes);
        rewriter.set_operand(view, 0, assumed);
    }
}

fn is_captured(value: Value<'_, '_>, op: OperationRef<'_, '_>) -> bool {
    kernel::is_captured(value, op.to_raw().ptr as usize)
}

/// An operand that is a view made outside of the launch.
fn captured_view<'c: 'a, 'a>(
    user: OperationRef<'c, 'a>,
    index: usize,
    op: OperationRef<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let value = user.operand_at(index)?;
    let view = defining_op(value).filter(|&maker| name(maker) == tile::ViewOp::NAME || values::is_view(maker));
    view.filter(|_| user != op && is_captured(value, op)).map(|_| value)
}

/// The same view, made again in the launch, as is its source; `moved` has the views that have been made again.
fn view_inside<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    view: Value<'c, 'a>,
    bytes: i64,
    moved: &mut Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
) -> Option<Value<'c, 'a>> {
    if let Some(&(_, inside)) = moved.iter().find(|(from, _)| *from == view) {
        return Some(inside);
    }
    let op = defining_op(view)?;
    let operands: Vec<_> = op.operands().collect();
    let (&source, others) = operands.split_first()?;
    let mut move_in = |source| view_inside(builder, source, bytes, moved).unwrap_or(source);
    let result = view.r#type();
    let inside = match name(op) {
        tile::ViewOp::NAME => tile::view(builder, assume(builder, source, bytes), others, result).value(),
        tile::SubviewOp::NAME => {
            let part = tile::SubviewOp::cast(op)?;
            let (begins, sizes) = (part.static_offsets(), part.sizes());
            tile::subview(builder, move_in(source), others, &begins, &sizes, result).value()
        }
        tile::PermuteOp::NAME => {
            tile::permute(builder, move_in(source), &tile::PermuteOp::cast(op)?.order(), result).value()
        }
        tile::ReshapeOp::NAME => tile::reshape(builder, move_in(source), result).value(),
        tile::CastOp::NAME => tile::cast(builder, move_in(source), result).value(),
        _ => return None,
    };
    moved.push((view, inside));
    Some(inside)
}

/// The memref, with an assumption about the alignment of its first element, which follows from its base and its offset. No op
/// states that for a pointer.
fn assume<'c: 'a, 'a>(builder: Builder<'c, 'a>, memref: Value<'c, 'a>, bytes: i64) -> Value<'c, 'a> {
    if MemRefType::try_from(memref.r#type()).is_err() {
        return memref;
    }
    let stated = alignment::of_argument(memref);
    let bytes = stated.or_else(|| alignment::behind_offset(memref, bytes)).unwrap_or(1);
    memref::assume_alignment(builder, memref, bytes).value()
}
