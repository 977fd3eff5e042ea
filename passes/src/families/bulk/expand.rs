//! Expansion of bulk copies: a `cp.async.bulk` per chunk, issued by the first thread of the scope.
//!
//! ```text
//!   to shared memory        mbarrier.arrive.expect_tx, then the chunks
//!   to another CTA          the chunks; the waiting thread of that CTA expects the bytes
//!   to global memory        the chunks, or cp.reduce.async.bulk; the group is committed after the op
//! ```

use melior::ir::Value;
use tile_dialect::ops::PlannedOp;
use tile_isa::bulk::Route;
use tile_ops::llvm_type::{Space, pointer_to};
use tile_ops::{llvm, nvvm};
use tile_plan::address;
use tile_plan::families::bulk::plan::BulkCopy;
use tile_plan::problem::role::Role;

use super::super::Staged;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Sum, pointer_to_barrier, run_time};

/// The largest number of instructions that is unrolled; more become a loop.
const MAX_UNROLLED: i64 = 16;

/// Operands that all the instructions of a copy share.
struct Chunks<'p, 'c, 'a> {
    plan: &'p BulkCopy,
    route: Route,
    /// Bytes of a chunk.
    size: Value<'c, 'a>,
    /// The mbarrier that counts the bytes.
    barrier: Option<Value<'c, 'a>>,
    /// The rank of the other CTA.
    rank: Option<Value<'c, 'a>>,
    /// The L2 eviction policy for the copy's data.
    policy: Option<Value<'c, 'a>>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &BulkCopy,
) -> Result<(), EmitError> {
    let Some(thread) = emit.function.thread_in(emit.kit.builder, staged.scope) else {
        return issue(emit, staged, plan);
    };
    let first = emit.equal(Sum::value(thread), 0);
    emit.when_true(first, |emit| issue(emit, staged, plan))
}

fn issue<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &BulkCopy,
) -> Result<(), EmitError> {
    let (op, [src, dst]) = (staged.op, staged.buffers()?);
    let chunks = Chunks::new(emit, op, plan)?;
    let (from, to) =
        (emit.function.storage_of(emit.kit.builder, src)?, emit.function.storage_of(emit.kit.builder, dst)?);
    let (src_values, dst_values) = (run_time(op, Role::Src), run_time(op, Role::Dst));
    let (from_space, to_space) = match chunks.route {
        Route::ToShared => (Space::Global, Space::Shared),
        Route::ToGlobal => (Space::Shared, Space::Global),
        Route::ToCluster => (Space::Shared, Space::Shared),
    };
    let chunk = |emit: &mut Emit<'c, 'a, '_>, chunk: Sum<'c, 'a>| {
        let source = address::bulk_address(emit, plan, Role::Src, chunk, &src_values)?;
        let target = address::bulk_address(emit, plan, Role::Dst, chunk, &dst_values)?;
        let (source, target) = (emit.pointer(from, source, from_space), emit.pointer(to, target, to_space));
        chunks.issue(emit, target, source)
    };
    if plan.chunks() <= MAX_UNROLLED {
        return (0..plan.chunks()).try_for_each(|number| chunk(emit, Sum::constant(number)));
    }
    emit.repeat(plan.chunks(), chunk)
}

impl<'p, 'c, 'a> Chunks<'p, 'c, 'a> {
    /// Makes the operands, once, before the chunks; an mbarrier of this CTA expects all bytes from here on.
    fn new(emit: &mut Emit<'c, 'a, '_>, op: PlannedOp<'c, 'a>, plan: &'p BulkCopy) -> Result<Self, EmitError> {
        let route = plan.route().map_err(|_| EmitError::Sides)?;
        let (barrier, rank) = (op.barrier(), op.remote_cta());
        route.check_clauses(barrier.is_some(), rank.is_some()).map_err(|_| EmitError::Sides)?;
        let barrier = barrier.map(|barrier| {
            let barrier = pointer_to_barrier(emit.kit.builder, barrier);
            rank.map_or(barrier, |rank| emit.barrier_of(barrier, rank))
        });
        if let (Some(barrier), Route::ToShared) = (barrier, route) {
            emit.kit.arrive_expecting(barrier, emit.kit.i32(plan.chunks() * plan.chunk_bytes()));
        }
        let policy = plan.l2_evict.as_deref().map(|policy| emit.kit.cache_policy(policy));
        Ok(Chunks { plan, route, size: emit.kit.i32(plan.chunk_bytes()), barrier, rank, policy })
    }

    fn issue(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        target: Value<'c, 'a>,
        source: Value<'c, 'a>,
    ) -> Result<(), EmitError> {
        match (self.route, self.barrier, self.rank) {
            (Route::ToShared, Some(barrier), _) => self.to_shared(emit, target, source, barrier),
            (Route::ToCluster, Some(barrier), Some(rank)) => {
                let target = emit.mapped(target, rank);
                let builder = emit.kit.builder;
                nvvm::cp_async_bulk_shared_cluster_shared_cta(builder, target, source, barrier, self.size).build();
            }
            (Route::ToGlobal, ..) if self.plan.reduction.is_some() => self.reduce(emit, target, source),
            (Route::ToGlobal, ..) => self.to_global(emit, target, source),
            _ => return Err(EmitError::NoBarrier),
        }
        Ok(())
    }

    fn to_shared(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        target: Value<'c, 'a>,
        source: Value<'c, 'a>,
        barrier: Value<'c, 'a>,
    ) {
        let (builder, cluster) = (emit.kit.builder, emit.kit.pointer(Space::Cluster));
        let target = llvm::addrspacecast(builder, target, cluster).value();
        let copy = nvvm::cp_async_bulk_shared_cluster_global(builder, target, source, barrier, self.size);
        copy.l2_cache_hint(self.policy).build();
    }

    fn to_global(&self, emit: &mut Emit<'c, 'a, '_>, target: Value<'c, 'a>, source: Value<'c, 'a>) {
        let copy = nvvm::cp_async_bulk_global_shared_cta(emit.kit.builder, target, source, self.size);
        copy.l2_cache_hint(self.policy).build();
    }

    /// Inline assembly, because NVVM has no bulk reduction without a tensor map.
    fn reduce(&self, emit: &mut Emit<'c, 'a, '_>, target: Value<'c, 'a>, source: Value<'c, 'a>) {
        let operands: Vec<_> = [target, source, self.size].into_iter().chain(self.policy).collect();
        let (hint, constraint) = if self.policy.is_some() { (", $3", ",l") } else { ("", "") };
        let text = format!("{} [$0], [$1], $2{hint};", self.plan.instruction());
        emit.kit.assembly(&text, &format!("l,l,r{constraint},~{{memory}}"), &operands);
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// The corresponding address in the shared memory of another CTA of the cluster.
    fn mapped(&mut self, pointer: Value<'c, 'a>, rank: Value<'c, 'a>) -> Value<'c, 'a> {
        nvvm::mapa(self.kit.builder, pointer, rank, self.kit.pointer(Space::Cluster)).value()
    }

    /// The mbarrier at the corresponding address in another CTA. The address is in the cluster's shared window, but
    /// NVVM types it as one of the CTA's shared memory.
    fn barrier_of(&mut self, barrier: Value<'c, 'a>, rank: Value<'c, 'a>) -> Value<'c, 'a> {
        let mapped = self.mapped(barrier, rank);
        let address = llvm::ptrtoint(self.kit.builder, mapped, self.kit.int_type(64)).value();
        pointer_to(self.kit.builder, address, Space::Shared)
    }
}
