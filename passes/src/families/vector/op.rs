//! `tile.aligned_copy` and `tile.vector_copy`, and their plans.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{self, CopyOp, StageOp, string};
use tile_plan::{AlignedCopy, Cache, Transfer, VectorCopy, variants};

use super::super::sides::{Named, Sides, guards, read_guards, read_side, terms};
use crate::build::Builder;
use crate::read::problem::Reader;

pub(super) fn build_partition<'c, 'a>(
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
/// A plan that makes no op; the reason has been reported at the op.
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
    Some(sides.operand(op.predicate()).build(builder, "tile.vector_copy", attributes))
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

/// The variant that the op names, and what moves its vectors.
fn transfer(op: StageOp<'_, '_>) -> Option<(&'static str, Transfer)> {
    let variant = variants::by_name(&op.variant())?;
    Some((variant.name(), variant.transfer()?))
}

/// A `tile.aligned_copy` as the planner's plan.
pub fn read_aligned(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<AlignedCopy> {
    let (variant, transfer) = transfer(op)?;
    let (src, dst) = (op.src()?, op.dst()?);
    let element = bit_width(src.buffer.element())?;
    let integer = |name| op.integer(name);
    Some(AlignedCopy {
        variant,
        transfer,
        threads: integer("threads")?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        element_bits: element,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        forced_bits: integer("forced_bits").and_then(|bits| u32::try_from(bits).ok()),
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// A `tile.vector_copy` as the planner's plan.
pub fn read_vector(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<VectorCopy> {
    let (variant, transfer) = transfer(op)?;
    let (src, dst) = (op.src()?, op.dst()?);
    let integer = |name| op.integer(name);
    Some(VectorCopy {
        variant,
        transfer,
        rounds: integer("rounds")?,
        threads: integer("threads")?,
        vector: integer("vector")?,
        element_bits: bit_width(src.buffer.element())?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        exchange: integer("exchange").unwrap_or(1),
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

fn read_cache(op: OperationRef<'_, '_>) -> Option<Cache> {
    let names = ["cache", "l1_evict", "l2_evict", "prefetch_size"];
    let given: Vec<(&str, String)> = names.into_iter().filter_map(|name| Some((name, string(op, name)?))).collect();
    Cache::from_options(given.iter().map(|(name, value)| (*name, value.as_str()))).ok()
}
