//! Tensor memory: `tcgen05.cp`, `tcgen05.ld` and `tcgen05.st`.

mod access;
mod address;
mod copy;
mod op;
mod wait;

use melior::ir::OperationRef;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_isa::WARPGROUP;
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, Descriptor, Kind};

use super::{Family, MALFORMED, StagePlan, Staged, chosen};
use crate::emit::Emit;
use crate::read::problem::Reader;
use crate::report::Issued;

use op::{read_tmem_access, read_tmem_copy};

/// Shared memory to tensor memory.
pub struct Copies;

/// Registers and tensor memory.
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
        op::build_copy(builder, copy, plan)
    }

    /// Bytes are those that one thread issues.
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
        op::build_access(builder, copy, plan)
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
