//! `tile.tmem_copy` and `tile.tmem_access`, and their plans.

use melior::ir::OperationRef;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_ops::{Builder, tile};
use tile_plan::{Descriptor, Space, TmemAccess, TmemCopy, TmemForm, TmemShape};

use super::super::sides::{Sides, read_side, stage};
use crate::read::problem::Reader;

pub(super) fn build_copy<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &TmemCopy,
) -> Option<OperationRef<'c, 'a>> {
    let Descriptor { leading, stride, swizzle } = plan.descriptor;
    let sides = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
    let (shape, descriptor, iters) = (plan.form.shape(), [leading, stride, swizzle], plan.tile_iters as i64);
    let op = stage!(tile::tmem_copy, builder, sides; "tcgen05_cp", shape, plan.cta_group, &descriptor, iters);
    Some(op.multicast(plan.form.multicast()).build().operation())
}

/// A `tile.tmem_copy` as the planner's plan; `None` for attributes that do not fit each other.
pub fn read_tmem_copy(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<TmemCopy> {
    let (src, dst) = (op.src()?, op.dst()?);
    let own = tile::TmemCopyOp::cast(op.0)?;
    let &[leading, stride, swizzle] = own.descriptor().as_slice() else { return None };
    Some(TmemCopy {
        form: TmemForm::named(&own.shape()?, own.multicast().as_deref())?,
        cta_group: own.cta_group()?,
        descriptor: Descriptor { leading, stride, swizzle },
        element_bits: bit_width(src.buffer.element())?,
        tile_iters: usize::try_from(own.tile_iters()?).ok()?,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
    })
}

pub(super) fn build_access<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &TmemAccess,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = if plan.load { (&plan.tmem, &plan.registers) } else { (&plan.registers, &plan.tmem) };
    let sides = Sides::of_copy(builder, copy, src, dst)?;
    let (shape, iters) = (plan.shape.name(), plan.instruction_iters as i64);
    let op = stage!(tile::tmem_access, builder, sides; "tcgen05_ldst", shape, plan.num, iters);
    Some(op.build().operation())
}

/// A `tile.tmem_access` as the planner's plan; `None` for attributes that do not fit each other.
pub fn read_tmem_access(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<TmemAccess> {
    let (src, dst) = (read_side(&op.src()?, reader), read_side(&op.dst()?, reader));
    let own = tile::TmemAccessOp::cast(op.0)?;
    let load = src.space == Space::Tmem;
    let (tmem, registers) = if load { (src, dst) } else { (dst, src) };
    Some(TmemAccess {
        load,
        shape: TmemShape::named(&own.shape()?)?,
        num: own.num()?,
        element_bits: bit_width(op.src()?.buffer.element())?,
        instruction_iters: usize::try_from(own.instruction_iters()?).ok()?,
        tmem,
        registers,
    })
}
