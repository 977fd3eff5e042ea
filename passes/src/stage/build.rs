//! Plans as ops.

use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, OperationRef};
use tile_dialect::ops::{self, CopyOp, StageOp, string};
use tile_plan::{Aligned, AlignedCopy, Cache, Guard, MatrixCopy, Owner, ScalarCopy, VectorCopy};

use super::{Named, Sides, tensor, terms};
use crate::build::Builder;

/// Replaces a `tile.copy` or `tile.copy_async` by the op, or the ops, of the variant that took it, and returns the last.
///
/// # Errors
/// A plan that makes no op; the reason has been reported at the op.
pub fn build_aligned<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &Aligned,
) -> Option<OperationRef<'c, 'a>> {
    match plan {
        Aligned::Partition(plan) => build_partition(builder, copy, plan),
        Aligned::Parts(parts) => {
            parts.iter().try_fold(None, |_, part| build_partition(builder, copy, part).map(Some))?
        }
        Aligned::Matrix(plan) => {
            let (src, dst) = if plan.load { (&plan.shared, &plan.registers) } else { (&plan.registers, &plan.shared) };
            let sides = Sides::of_copy(builder, copy, src, dst)?;
            Some(sides.build(builder, "tile.matrix_copy", matrix_attributes(builder, plan)))
        }
        Aligned::TensorCopy(plan) => tensor::build_copy(builder, copy, plan),
        Aligned::TensorAccess(plan) => tensor::build_access(builder, copy, plan),
        Aligned::Bulk(plan) => tensor::build_bulk(builder, copy, plan),
        Aligned::Scalar(plan) => build_scalar(builder, copy, plan),
    }
}

fn build_partition<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &AlignedCopy,
) -> Option<OperationRef<'c, 'a>> {
    let sides = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?.operand(copy.predicate());
    let mut attributes = aligned_attributes(builder, plan);
    if string(copy.0, "fill").is_some() {
        attributes.push(("zero_fill", builder.context.unit()));
    }
    Some(sides.build(builder, "tile.aligned_copy", attributes))
}

/// Replaces a `tile.aligned_copy` by a `tile.vector_copy`.
///
/// # Errors
/// As [`build_aligned`].
pub fn build_vector<'c, 'a>(
    builder: Builder<'c, 'a>,
    op: StageOp<'c, 'a>,
    plan: &VectorCopy,
) -> Option<OperationRef<'c, 'a>> {
    let (src, dst) = (op.src()?, op.dst()?);
    let take = |side: &ops::Side<'c, 'a>| side.terms.iter().map(|&(value, ..)| value).collect::<Vec<_>>();
    let (first, second) = (terms(&plan.src, &take(&src)), terms(&plan.dst, &take(&dst)));
    let sides = Sides::new(builder, op.0, (src.value, &plan.src, first), (dst.value, &plan.dst, second))?;
    let mut attributes = vec![
        ("variant", builder.string(plan.variant)),
        ("rounds", builder.i64(plan.rounds)),
        ("threads", builder.i64(plan.threads)),
        ("vector", builder.i64(plan.vector)),
    ];
    if plan.thread_iters > 0 {
        attributes.push(("thread_iters", builder.i64(plan.thread_iters as i64)));
    }
    if plan.exchange > 1 {
        attributes.push(("exchange", builder.i64(plan.exchange)));
    }
    if op.0.has_attribute("zero_fill") {
        attributes.push(("zero_fill", builder.context.unit()));
    }
    attributes.extend(guards(builder, &plan.guards));
    attributes.extend(cache(builder, &plan.cache));
    Some(sides.operand(op.first_extra()).build(builder, "tile.vector_copy", attributes))
}

fn aligned_attributes<'c>(builder: Builder<'c, '_>, plan: &AlignedCopy) -> Named<'c> {
    let mut attributes = vec![("variant", builder.string(plan.variant)), ("threads", builder.i64(plan.threads))];
    if plan.thread_iters > 0 {
        attributes.push(("thread_iters", builder.i64(plan.thread_iters as i64)));
    }
    if let Some(bits) = plan.forced_bits {
        attributes.push(("forced_bits", builder.i64(i64::from(bits))));
    }
    attributes.extend(guards(builder, &plan.guards));
    attributes.extend(cache(builder, &plan.cache));
    attributes
}

fn matrix_attributes<'c>(builder: Builder<'c, '_>, plan: &MatrixCopy) -> Named<'c> {
    let mut attributes = vec![
        ("variant", builder.string("ldstmatrix")),
        ("shape", builder.list(&plan.shape)),
        ("row_stride", builder.i64(plan.row_stride)),
    ];
    if plan.trans {
        attributes.push(("transposed", builder.context.unit()));
    }
    attributes.extend(guards(builder, &plan.guards));
    attributes
}

fn guards<'c>(builder: Builder<'c, '_>, guards: &[Guard]) -> Option<(&'static str, Attribute<'c>)> {
    let numbers: Vec<i64> = guards.iter().flat_map(|guard| [guard.div, guard.extent]).collect();
    (!numbers.is_empty()).then(|| ("guards", builder.list(&numbers)))
}

fn cache<'c>(builder: Builder<'c, '_>, cache: &Cache) -> Named<'c> {
    let nc = cache.nc.then(|| "nc".to_owned());
    let options = [
        ("cache", nc.as_ref()),
        ("l1_evict", cache.l1_evict.as_ref()),
        ("l2_evict", cache.l2_evict.as_ref()),
        ("prefetch_size", cache.prefetch_size.as_ref()),
    ];
    options.into_iter().filter_map(|(name, value)| Some((name, builder.string(value?)))).collect()
}

fn build_scalar<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &ScalarCopy,
) -> Option<OperationRef<'c, 'a>> {
    let (by, threads) = match &plan.owner {
        Owner::Everyone => ("everyone", Vec::new()),
        Owner::ScopeThread(thread) => ("elected", vec![*thread]),
        Owner::BlockThreads(threads) => ("elected_in_block", threads.clone()),
        Owner::Distributed(_) => ("owners", Vec::new()),
    };
    let mut attributes = vec![("by", builder.string(by))];
    if !threads.is_empty() {
        attributes.push(("threads", builder.list(&threads)));
    }
    for name in ["srcStatic", "srcSizes", "dstStatic", "dstSizes", "scope"] {
        attributes.push((name, copy.0.attribute(name).ok()?));
    }
    let groups: Vec<_> = (0..4).map(|group| ops::segment(copy.0, group)).collect();
    attributes.push(builder.segments(&groups.iter().map(Vec::len).collect::<Vec<_>>()));
    let operands = groups.concat();
    Some(builder.op("tile.scalar_copy", &operands, &[], &attributes))
}
