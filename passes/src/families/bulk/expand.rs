//! What a `tile.bulk_copy` becomes: `cp.async.bulk` of each chunk, by the first thread of the scope.
//!
//! ```text
//!   to shared memory        mbarrier.arrive.expect_tx, then the chunks
//!   to another CTA          the chunks; who waits in that CTA expects the bytes
//!   to global memory        the chunks, or cp.reduce.async.bulk; the group is closed behind the op
//! ```

use melior::ir::Value;
use tile_dialect::ops::StageOp;
use tile_isa::bulk::Route;
use tile_plan::{BulkCopy, Scope, Which, address};

use crate::emit::{Emit, Sum, pointer_to_barrier, run_time, to_pointer};

/// Instructions that are written one after the other; more are a loop.
const MOST_STRAIGHT: i64 = 16;

/// A pointer to global memory, in MLIR's syntax.
const GLOBAL: &str = "!llvm.ptr<1>";
/// The same for the shared memory of this CTA.
const SHARED: &str = "!llvm.ptr<3>";
/// The same for that of the CTAs of the cluster, of which this CTA's is a part.
const CLUSTER: &str = "!llvm.ptr<7>";

/// What all the instructions of a copy have in common.
struct Chunks<'p, 'c, 'a> {
    plan: &'p BulkCopy,
    route: Route,
    /// Bytes of one.
    size: Value<'c, 'a>,
    /// Who counts the bytes.
    barrier: Option<Value<'c, 'a>>,
    /// The rank of the other CTA.
    rank: Option<Value<'c, 'a>>,
    /// How L2 is to keep what it holds of the copy.
    policy: Option<Value<'c, 'a>>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: StageOp<'c, 'a>,
    plan: &BulkCopy,
    scope: Scope,
) -> Result<(), String> {
    let Some(thread) = emit.function.thread_in(emit.builder, scope) else { return issue(emit, op, plan) };
    let first = emit.equal(Sum::value(thread), 0);
    emit.when_true(first, |emit| issue(emit, op, plan))
}

fn issue<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &BulkCopy) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let chunks = Chunks::new(emit, op, plan)?;
    let (from, to) =
        (emit.function.storage_of(emit.builder, src.value)?, emit.function.storage_of(emit.builder, dst.value)?);
    let (src_values, dst_values) = (run_time(&src), run_time(&dst));
    let (from_type, to_type) = match chunks.route {
        Route::ToShared => (GLOBAL, SHARED),
        Route::ToGlobal => (SHARED, GLOBAL),
        Route::ToCluster => (SHARED, SHARED),
    };
    let chunk = |emit: &mut Emit<'c, 'a, '_>, chunk: Sum<'c, 'a>| {
        let source = address::bulk_address(emit, plan, Which::Src, chunk, &src_values).map_err(|why| why.reason)?;
        let target = address::bulk_address(emit, plan, Which::Dst, chunk, &dst_values).map_err(|why| why.reason)?;
        let (source, target) = (emit.pointer(from, source, from_type), emit.pointer(to, target, to_type));
        chunks.issue(emit, target, source)
    };
    if plan.chunks() <= MOST_STRAIGHT {
        return (0..plan.chunks()).try_for_each(|number| chunk(emit, Sum::constant(number)));
    }
    emit.repeat(plan.chunks(), chunk)
}

impl<'p, 'c, 'a> Chunks<'p, 'c, 'a> {
    /// What is made once, before the chunks; an mbarrier of this CTA expects all bytes from here on.
    fn new(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &'p BulkCopy) -> Result<Self, String> {
        let route = plan.route()?;
        let rank = op.remote_cta();
        route.check_clauses(op.barrier().is_some(), rank.is_some())?;
        let barrier = op.barrier().map(|barrier| {
            let barrier = pointer_to_barrier(emit.builder, barrier);
            rank.map_or(barrier, |rank| emit.barrier_of(barrier, rank))
        });
        if let (Some(barrier), Route::ToShared) = (barrier, route) {
            let bytes = emit.i32(plan.chunks() * plan.chunk_bytes());
            emit.builder.op("nvvm.mbarrier.arrive.expect_tx", &[barrier, bytes], &[], &[]);
        }
        let policy = plan.l2_evict.as_deref().map(|policy| emit.policy(policy));
        Ok(Chunks { plan, route, size: emit.i32(plan.chunk_bytes()), barrier, rank, policy })
    }

    fn issue(&self, emit: &mut Emit<'c, 'a, '_>, target: Value<'c, 'a>, source: Value<'c, 'a>) -> Result<(), String> {
        match (self.route, self.barrier, self.rank) {
            (Route::ToShared, Some(barrier), _) => self.to_shared(emit, target, source, barrier),
            (Route::ToCluster, Some(barrier), Some(rank)) => {
                let target = emit.mapped(target, rank);
                let operands = [target, source, barrier, self.size];
                emit.builder.op("nvvm.cp.async.bulk.shared.cluster.shared.cta", &operands, &[], &[]);
            }
            (Route::ToGlobal, ..) if self.plan.reduction.is_some() => self.reduce(emit, target, source),
            (Route::ToGlobal, ..) => self.to_global(emit, target, source),
            _ => return Err("has no mbarrier, or no CTA to go to".to_owned()),
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
        let target = emit.builder.value("llvm.addrspacecast", &[target], emit.pointer_type(CLUSTER), &[]);
        let operands: Vec<_> = [target, source, barrier, self.size].into_iter().chain(self.policy).collect();
        let segments = emit.builder.segments(&[1, 1, 1, 1, 0, self.policy.iter().len()]);
        emit.builder.op("nvvm.cp.async.bulk.shared.cluster.global", &operands, &[], &[segments]);
    }

    fn to_global(&self, emit: &mut Emit<'c, 'a, '_>, target: Value<'c, 'a>, source: Value<'c, 'a>) {
        let operands: Vec<_> = [target, source, self.size].into_iter().chain(self.policy).collect();
        let segments = emit.builder.segments(&[1, 1, 1, self.policy.iter().len(), 0]);
        emit.builder.op("nvvm.cp.async.bulk.global.shared.cta", &operands, &[], &[segments]);
    }

    /// NVVM has no reduction without a tensor map.
    fn reduce(&self, emit: &mut Emit<'c, 'a, '_>, target: Value<'c, 'a>, source: Value<'c, 'a>) {
        let operands: Vec<_> = [target, source, self.size].into_iter().chain(self.policy).collect();
        let (hint, constraint) = if self.policy.is_some() { (", $3", ",l") } else { ("", "") };
        let text = format!("{} [$0], [$1], $2{hint};", self.plan.instruction());
        let attributes = [
            ("asm_string", emit.builder.string(&text)),
            ("constraints", emit.builder.string(&format!("l,l,r{constraint},~{{memory}}"))),
            ("has_side_effects", emit.builder.context.unit()),
        ];
        emit.builder.op("llvm.inline_asm", &operands, &[], &attributes);
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    fn pointer_type(&self, text: &str) -> melior::ir::Type<'c> {
        self.builder.context.parse_type(text).expect("a pointer type")
    }

    /// A constant of 32 bits.
    fn i32(&mut self, value: i64) -> Value<'c, 'a> {
        let (value, i32_type) = (self.i32_attribute(value), self.builder.context.integer(32));
        self.builder.value("arith.constant", &[], i32_type, &[("value", value)])
    }

    /// The same place in the shared memory of another CTA of the cluster.
    fn mapped(&mut self, pointer: Value<'c, 'a>, rank: Value<'c, 'a>) -> Value<'c, 'a> {
        self.builder.value("nvvm.mapa", &[pointer, rank], self.pointer_type(CLUSTER), &[])
    }

    /// The mbarrier at the same place in another CTA. It is in the cluster's window; NVVM types it as the CTA's, of which
    /// that is a part.
    fn barrier_of(&mut self, barrier: Value<'c, 'a>, rank: Value<'c, 'a>) -> Value<'c, 'a> {
        let mapped = self.mapped(barrier, rank);
        let address = self.builder.value("llvm.ptrtoint", &[mapped], self.builder.context.integer(64), &[]);
        to_pointer(self.builder, address, SHARED)
    }

    /// A policy that gives all of an access an eviction priority in L2.
    fn policy(&mut self, priority: &str) -> Value<'c, 'a> {
        let attributes = [
            ("asm_string", self.builder.string(&format!("createpolicy.fractional.{priority}.b64 $0;"))),
            ("constraints", self.builder.string("=l")),
        ];
        self.builder.value("llvm.inline_asm", &[], self.builder.context.integer(64), &attributes)
    }
}
