//! `tile.tensor_copy` and `tile.tensor_access`, and their plans.

use melior::ir::OperationRef;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp, integers, string};
use tile_ops::{Builder, tile};
use tile_plan::{Descriptor, Space, TensorAccess, TensorCopy, TensorForm, TensorShape};

use super::super::sides::{Sides, read_side};
use crate::read::problem::Reader;

pub(super) fn build_copy<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &TensorCopy,
) -> Option<OperationRef<'c, 'a>> {
    let Descriptor { leading, stride, swizzle } = plan.descriptor;
    let Sides { src, dst, scope } = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
    let (from, to) = ((src.value, &src.offsets[..]), (dst.value, &dst.offsets[..]));
    let op = tile::tensor_copy(
        builder,
        from.0,
        from.1,
        to.0,
        to.1,
        "tcgen05_cp",
        &src.terms,
        src.layout,
        &dst.terms,
        dst.layout,
        scope,
        plan.form.shape(),
        plan.cta_group,
        &[leading, stride, swizzle],
        plan.tile_iters as i64,
    );
    Some(op.multicast(plan.form.multicast()).build().operation())
}

/// A `tile.tensor_copy` as the planner's plan; `None` for attributes that do not fit each other.
pub fn read_tensor_copy(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<TensorCopy> {
    let (src, dst) = (op.src()?, op.dst()?);
    let &[leading, stride, swizzle] = integers(op.0, "descriptor").as_slice() else { return None };
    Some(TensorCopy {
        form: TensorForm::named(&string(op.0, "shape")?, string(op.0, "multicast").as_deref())?,
        cta_group: op.integer("cta_group")?,
        descriptor: Descriptor { leading, stride, swizzle },
        element_bits: bit_width(src.buffer.element())?,
        tile_iters: usize::try_from(op.integer("tile_iters")?).ok()?,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
    })
}

pub(super) fn build_access<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &TensorAccess,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = if plan.load { (&plan.tmem, &plan.registers) } else { (&plan.registers, &plan.tmem) };
    let Sides { src, dst, scope } = Sides::of_copy(builder, copy, src, dst)?;
    let (from, to) = ((src.value, &src.offsets[..]), (dst.value, &dst.offsets[..]));
    let op = tile::tensor_access(
        builder,
        from.0,
        from.1,
        to.0,
        to.1,
        "tcgen05_ldst",
        &src.terms,
        src.layout,
        &dst.terms,
        dst.layout,
        scope,
        plan.shape.name(),
        plan.num,
        plan.instruction_iters as i64,
    );
    Some(op.build().operation())
}

/// A `tile.tensor_access` as the planner's plan; `None` for attributes that do not fit each other.
pub fn read_tensor_access(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<TensorAccess> {
    let (src, dst) = (read_side(&op.src()?, reader), read_side(&op.dst()?, reader));
    let load = src.space == Space::Tmem;
    let (tmem, registers) = if load { (src, dst) } else { (dst, src) };
    Some(TensorAccess {
        load,
        shape: TensorShape::named(&string(op.0, "shape")?)?,
        num: op.integer("num")?,
        element_bits: bit_width(op.src()?.buffer.element())?,
        instruction_iters: usize::try_from(op.integer("instruction_iters")?).ok()?,
        tmem,
        registers,
    })
}
