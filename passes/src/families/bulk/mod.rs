//! `cp.async.bulk`: between global and shared memory, and to another CTA of the cluster.

mod expand;

use melior::ir::OperationRef;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_isa::bulk::Reduction;
use tile_ops::{Builder, tile};
use tile_plan::{Aligned, BulkCopy, Family as _, Kind};

use super::sides::{Sides, read_side, stage};
use super::{Family, MALFORMED, StagePlan, Staged, chosen};
use crate::emit::Emit;
use crate::read::problem::Reader;
use crate::report::Issued;

/// The family.
pub struct Bulk;

impl Family for Bulk {
    fn staged(&self) -> &'static str {
        tile::BulkCopyOp::NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::Bulk]
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
        let Aligned::Bulk(plan) = plan else { return None };
        let sides = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
        let op = stage!(tile::bulk_copy, builder, sides; plan.variant());
        let op = op.barrier(copy.barrier()).remote_cta(copy.remote_cta());
        let op = op.l2_evict(plan.l2_evict.as_deref()).reduce(plan.reduction.map(|reduction| reduction.word()));
        Some(op.build().operation())
    }

    /// The reported bytes are those that one thread issues.
    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        let Aligned::Bulk(plan) = plan else { return };
        let (count, bytes) = (plan.chunks(), plan.chunk_bytes());
        Issued { variant: plan.variant(), count, instruction: plan.instruction(), bytes: count * bytes }
            .report(op, &[("ChunkBytes", bytes.to_string())]);
    }

    fn read(&self, op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Result<StagePlan, String> {
        chosen(read_bulk(StageOp(op), reader), Aligned::Bulk)
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let op = StageOp(staged.op);
        let plan = read_bulk(op, staged.reader).ok_or(MALFORMED)?;
        plan.verify().map_err(|refusal| refusal.reason)?;
        tile_isa::words::one_of("variant", &op.variant(), [plan.variant()])?;
        expand::expand(emit, op, &plan, staged.scope)
    }
}

/// A `tile.bulk_copy` as the planner's plan; `None` for attributes that do not fit each other.
fn read_bulk(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<BulkCopy> {
    let (src, dst) = (read_side(&op.src()?, reader), read_side(&op.dst()?, reader));
    let element = op.src()?.buffer.element();
    let own = tile::BulkCopyOp::cast(op.0)?;
    let reduction = match own.reduce() {
        None => None,
        Some(word) => Some(Reduction::of(&word, &element.to_string()).ok()?),
    };
    Some(BulkCopy {
        element_bits: bit_width(element)?,
        chunk: src.layout.shard.last()?.extent,
        src,
        dst,
        reduction,
        l2_evict: own.l2_evict(),
    })
}
