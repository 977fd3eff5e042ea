//! A ring of tiles, one for each stage, in place of one tile.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter, is_inside, is_used, results_of, uses};
use tile_dialect::memref::{DYNAMIC, bit_width};
use tile_dialect::{BufferType, LayoutAttr};
use tile_ops::{Builder, tile};
use tile_plan::pipeline;

use crate::read::storage::alloc_alignment;
use crate::read::values::is_view;

/// The type of a ring, and of one stage as a part of it.
pub struct Ring<'c> {
    tile: BufferType<'c>,
    whole: BufferType<'c>,
    part: BufferType<'c>,
    alignment: i64,
    /// Bytes of a stage.
    pub bytes: i64,
}

impl<'c> Ring<'c> {
    /// The ring for a `tile.alloc`; `None` where its type is too large.
    pub fn of(alloc: OperationRef<'c, '_>, stages: i64) -> Option<Self> {
        let tile = BufferType::from_type(alloc.result_at(0)?.r#type())?;
        let alignment = alloc_alignment(alloc);
        let bits = i64::from(bit_width(tile.element())?);
        let location = alloc.location();
        let layout = pipeline::ring(&tile.layout(), stages, (alignment * 8 / bits.max(1)).max(1))?;
        let distance = layout.shard.first()?.stride;
        let shape: Vec<i64> = [stages].into_iter().chain(tile.shape().iter().copied()).collect();
        let one: Vec<i64> = [1].into_iter().chain(tile.shape().iter().copied()).collect();
        let buffer = |shape: &[i64], layout| BufferType::new(location, shape, tile.element(), tile.space(), layout);
        let whole = buffer(&shape, LayoutAttr::new(location, &layout)?)?;
        let part = buffer(&one, tile.layout_attr())?;
        Some(Ring { tile, whole, part, alignment, bytes: distance.checked_mul(bits)? / 8 })
    }

    /// Makes the ring.
    pub fn make<'a>(&self, builder: Builder<'c, 'a>) -> Value<'c, 'a>
    where
        'c: 'a,
    {
        tile::alloc(builder, self.whole.as_type()).alignment(self.alignment).value()
    }

    /// One of its stages, as a tile of the original type.
    pub fn stage<'a>(&self, builder: Builder<'c, 'a>, ring: Value<'c, 'a>, stage: Value<'c, 'a>) -> Value<'c, 'a>
    where
        'c: 'a,
    {
        let sizes = self.part.shape();
        let begins: Vec<i64> = [DYNAMIC].into_iter().chain(self.tile.shape().iter().map(|_| 0)).collect();
        let part = tile::subview(builder, ring, &[stage], &begins, sizes, self.part.as_type()).value();
        tile::reshape(builder, part, self.tile.as_type()).value()
    }
}

/// Replaces a tile, and views of it, in a loop by another tile and views of that.
pub fn replace<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    around: OperationRef<'c, 'a>,
    from: Value<'c, 'a>,
    to: Value<'c, 'a>,
) {
    for (user, operand) in uses(from) {
        if is_inside(user, around) {
            builder.rewriter.set_operand(user, operand, to);
        } else if is_view(user) && is_needed(user, around) {
            let operands: Vec<_> = [to].into_iter().chain(user.operands().skip(1)).collect();
            let view = builder.rewriter.insert_clone(user, &operands);
            for (old, new) in results_of(user).into_iter().zip(results_of(view)) {
                replace(builder, around, old, new);
            }
        }
    }
}

/// Whether something in a loop uses a view, or views of it.
fn is_needed(view: OperationRef<'_, '_>, around: OperationRef<'_, '_>) -> bool {
    let users = results_of(view).into_iter().flat_map(uses);
    users.into_iter().any(|(user, _)| is_inside(user, around) || is_view(user) && is_needed(user, around))
}

/// Erases an operation that nothing uses, and views of it that nothing uses.
pub fn drop_unused<'c: 'a, 'a>(rewriter: Rewriter<'c, 'a>, op: OperationRef<'c, 'a>) {
    for (user, _) in results_of(op).into_iter().flat_map(uses) {
        if is_view(user) {
            drop_unused(rewriter, user);
        }
    }
    if op.block().is_some() && !results_of(op).into_iter().any(is_used) {
        rewriter.erase(op);
    }
}
