//! Tensor memory: `tcgen05.cp`, `tcgen05.ld` and `tcgen05.st`; writes their plans as `tile.tmem_copy` and
//! `tile.tmem_access`, and reads them back.

mod access;
mod copy;

use melior::ir::OperationRef;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_isa::WARPGROUP;
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, Descriptor, Kind, Space, TmemAccess, TmemCopy, TmemForm, TmemShape};

use super::sides::{Sides, read_side, stage};
use super::{Family, MALFORMED, StagePlan, Staged, chosen};
use crate::emit::Emit;
use crate::read::problem::Reader;
use crate::report::Issued;

/// Copies from shared memory to tensor memory.
pub struct Copies;

/// Copies between registers and tensor memory.
pub struct Accesses;

impl Family for Copies {
    fn staged(&self) -> &'static str {
        tile::TmemCopyOp::NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::TmemCopy]
    }

    fn is_issued_whole(&self) -> bool {
        true
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>> {
        let Aligned::TmemCopy(plan) = plan else { return None };
        build_copy(builder, copy, plan)
    }

    /// The reported bytes are those that one thread issues.
    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        let Aligned::TmemCopy(plan) = plan else { return };
        let bytes = plan.src.layout.size() * i64::from(plan.element_bits) / 8;
        let issued = Issued { variant: "tcgen05_cp", count: plan.tiles(), instruction: plan.instruction(), bytes };
        let Descriptor { leading, stride, swizzle } = plan.descriptor;
        let descriptor =
            format!("leading offset {leading} x 16 B, stride offset {stride} x 16 B, swizzle mode {swizzle}");
        issued.report(op, &[("Descriptor", descriptor)]);
    }

    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String> {
        chosen(read_tmem_copy(StageOp(op), reader), Aligned::TmemCopy)
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let op = StageOp(staged.op);
        let plan = read_tmem_copy(op, staged.reader).ok_or(MALFORMED)?;
        plan.verify().map_err(|refusal| refusal.reason)?;
        copy::expand(emit, op, &plan)
    }
}

impl Family for Accesses {
    fn staged(&self) -> &'static str {
        tile::TmemAccessOp::NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::TmemAccess]
    }

    fn build<'c, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        copy: CopyOp<'c, 'a>,
        plan: &Aligned,
    ) -> Option<OperationRef<'c, 'a>> {
        let Aligned::TmemAccess(plan) = plan else { return None };
        build_access(builder, copy, plan)
    }

    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        let Aligned::TmemAccess(plan) = plan else { return };
        let count = plan.instructions();
        let bytes = count * plan.words() * 4;
        Issued { variant: "tcgen05_ldst", count, instruction: plan.instruction(), bytes }.report(op, &[]);
    }

    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String> {
        chosen(read_tmem_access(StageOp(op), reader), Aligned::TmemAccess)
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let op = StageOp(staged.op);
        let plan = read_tmem_access(op, staged.reader).ok_or(MALFORMED)?;
        plan.verify().map_err(|refusal| refusal.reason)?;
        staged.counts_threads(WARPGROUP, None)?;
        access::expand(emit, op, &plan)
    }
}

fn build_copy<'c, 'a>(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, plan: &TmemCopy) -> Option<OperationRef<'c, 'a>> {
    let Descriptor { leading, stride, swizzle } = plan.descriptor;
    let sides = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
    let (shape, descriptor, iters) = (plan.form.shape(), [leading, stride, swizzle], plan.tile_iters as i64);
    let op = stage!(tile::tmem_copy, builder, sides; "tcgen05_cp", shape, plan.cta_group, &descriptor, iters);
    Some(op.multicast(plan.form.multicast()).build().operation())
}

/// A `tile.tmem_copy` as the planner's plan; `None` for attributes that do not fit each other.
fn read_tmem_copy(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<TmemCopy> {
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

fn build_access<'c, 'a>(
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
fn read_tmem_access(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<TmemAccess> {
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
