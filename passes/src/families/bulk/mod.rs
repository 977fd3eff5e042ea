//! `cp.async.bulk` to another CTA of the cluster.

use melior::ir::{OperationRef, Value};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp};
use tile_plan::{Aligned, BulkCopy, Which, address};

use super::sides::{Sides, read_side};
use super::{Family, MALFORMED, Staged};
use crate::build::Builder;
use crate::emit::{Emit, Sum, pointer_to_barrier, run_time, to_pointer};
use crate::read::problem::Reader;
use crate::report::Issued;

/// The family.
pub struct Bulk;

impl Family for Bulk {
    fn staged(&self) -> &'static str {
        "tile.bulk_copy"
    }

    fn variants(&self) -> Vec<&'static str> {
        vec!["dsmem"]
    }

    fn has(&self, plan: &Aligned) -> bool {
        matches!(plan, Aligned::Bulk(_))
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
        let sides = sides.operand(Some(copy.barrier()?)).operand(Some(copy.remote_cta()?));
        Some(sides.build(builder, self.staged(), vec![("variant", builder.string("dsmem"))]))
    }

    /// Bytes are those that one thread issues.
    fn took(&self, op: OperationRef<'_, '_>, plan: &Aligned) {
        let Aligned::Bulk(plan) = plan else { return };
        let (count, bytes) = (plan.chunks(), plan.chunk_bytes());
        let instruction = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes".to_owned();
        Issued { variant: "dsmem", count, instruction, bytes: count * bytes }
            .report(op, &[("ChunkBytes", bytes.to_string())]);
    }

    fn expand<'c, 'a>(&self, emit: &mut Emit<'c, 'a, '_>, staged: &Staged<'_, '_, 'c, 'a>) -> Result<(), String> {
        let op = StageOp(staged.op);
        let plan = read_bulk(op, staged.reader).ok_or(MALFORMED)?;
        plan.verify().map_err(|refusal| refusal.reason)?;
        expand(emit, op, &plan)
    }
}

/// A `tile.bulk_copy` as the planner's plan; `None` for attributes that do not fit each other.
pub fn read_bulk(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<BulkCopy> {
    let (src, dst) = (read_side(&op.src()?, reader), read_side(&op.dst()?, reader));
    let element_bits = bit_width(op.src()?.buffer.element())?;
    Some(BulkCopy { element_bits, chunk: src.layout.shard.last()?.extent, src, dst })
}

/// Instructions that are written one after the other; more are a loop.
const MOST_STRAIGHT: i64 = 16;

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
fn expand<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &BulkCopy) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let barrier = pointer_to_barrier(emit.builder, op.barrier().ok_or("has no mbarrier")?);
    let rank = op.remote_cta().ok_or("has no remote CTA")?;
    let barrier = emit.mapped(barrier, rank);
    // The instruction's barrier is in the cluster's window; NVVM types it as the CTA's, of which that is a part.
    let address = emit.builder.value("llvm.ptrtoint", &[barrier], emit.builder.context.integer(64), &[]);
    let barrier = to_pointer(emit.builder, address, "!llvm.ptr<3>");
    let bytes = emit.i32_attribute(plan.chunk_bytes());
    let size = emit.builder.value("arith.constant", &[], emit.builder.context.integer(32), &[("value", bytes)]);
    let (from, to) =
        (emit.function.storage_of(emit.builder, src.value)?, emit.function.storage_of(emit.builder, dst.value)?);
    let (src_values, dst_values) = (run_time(&src), run_time(&dst));
    let chunk = |emit: &mut Emit<'c, 'a, '_>, chunk: Sum<'c, 'a>| {
        let source = address::bulk_address(emit, plan, Which::Src, chunk, &src_values).map_err(|why| why.reason)?;
        let target = address::bulk_address(emit, plan, Which::Dst, chunk, &dst_values).map_err(|why| why.reason)?;
        let source = emit.pointer(from, source, "!llvm.ptr<3>");
        let target = emit.pointer(to, target, "!llvm.ptr<3>");
        let target = emit.mapped(target, rank);
        emit.builder.op("nvvm.cp.async.bulk.shared.cluster.shared.cta", &[target, source, barrier, size], &[], &[]);
        Ok(())
    };
    if plan.chunks() <= MOST_STRAIGHT {
        return (0..plan.chunks()).try_for_each(|number| chunk(emit, Sum::constant(number)));
    }
    emit.repeat(plan.chunks(), chunk)
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// The same place in the shared memory of another CTA of the cluster.
    fn mapped(&mut self, pointer: Value<'c, 'a>, rank: Value<'c, 'a>) -> Value<'c, 'a> {
        let cluster = self.builder.context.parse_type("!llvm.ptr<7>").expect("a pointer type");
        self.builder.value("nvvm.mapa", &[pointer, rank], cluster, &[])
    }
}
