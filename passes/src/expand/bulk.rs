//! `tile.bulk_copy`: `cp.async.bulk` to another CTA of the cluster.

use melior::ir::Value;
use tile_dialect::ops::StageOp;
use tile_plan::{BulkCopy, Which, address};

use super::arith::{Emit, Sum};
use super::pointer::{pointer_to_barrier, to_pointer};
use super::run_time;

/// Instructions that are written one after the other; more are a loop.
const MOST_STRAIGHT: i64 = 16;

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &BulkCopy) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let barrier = pointer_to_barrier(emit.builder, op.first_extra().ok_or("has no mbarrier")?);
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
