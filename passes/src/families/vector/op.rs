//! `tile.aligned_copy` and `tile.vector_copy`, and their plans.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp, conversion, integers, string};
use tile_ops::{Builder, tile};
use tile_plan::{AlignedCopy, Cache, Ranks, Transfer, VectorCopy, variants};

use super::super::sides::{Sides, guards, read_guards, read_side};
use crate::read::mask;
use crate::read::problem::{Reader, effect};

/// What a copy says besides its sides, and its op says again.
struct Clauses<'c, 'a> {
    /// Who takes part.
    predicate: Option<Value<'c, 'a>>,
    /// Begin and extent of each limit.
    limits: Vec<Value<'c, 'a>>,
    filler: Option<Value<'c, 'a>>,
    reduce: Option<String>,
    fills: bool,
    zero_fill: bool,
    convert: Option<String>,
}

impl<'c: 'a, 'a> Clauses<'c, 'a> {
    /// Those of a copy; numbers become values at the builder's insertion point.
    fn of_copy(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, masked: bool) -> Self {
        let limits = if masked { mask::values(&mask::bounds(copy)) } else { Vec::new() };
        Clauses {
            predicate: copy.predicate(),
            limits: limits.into_iter().map(|number| number.value(builder)).collect(),
            filler: copy.filler().filter(|_| masked || copy.fills()),
            reduce: copy.reduce().filter(|_| !copy.is_async()),
            fills: copy.fills(),
            zero_fill: string(copy.0, "fill").is_some(),
            convert: string(copy.0, "convert"),
        }
    }

    fn of_stage(op: StageOp<'c, 'a>) -> Self {
        Clauses {
            predicate: op.predicate(),
            limits: op.limits(),
            filler: op.filler(),
            reduce: op.reduce(),
            fills: op.fills(),
            zero_fill: op.0.has_attribute("zero_fill"),
            convert: string(op.0, "convert"),
        }
    }
}

/// Makes a `tile.aligned_copy` in place of a copy.
pub(super) fn build_partition<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &AlignedCopy,
) -> Option<OperationRef<'c, 'a>> {
    let Sides { src, dst, scope } = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
    let (from, to) = ((src.value, &src.offsets[..]), (dst.value, &dst.offsets[..]));
    let masked = plan.mask.is_some();
    let clauses = Clauses::of_copy(builder, copy, masked);
    let op = tile::aligned_copy(
        builder,
        from.0,
        from.1,
        to.0,
        to.1,
        &clauses.limits,
        plan.variant,
        &src.terms,
        src.layout,
        &dst.terms,
        dst.layout,
        scope,
        plan.threads,
    );
    let cache = &plan.cache;
    let [limited, coordinates] = plan.mask.as_ref().map(mask::numbers).unwrap_or_default();
    let op = op
        .predicate(clauses.predicate)
        .filler(clauses.filler)
        .reduce(clauses.reduce.as_deref())
        .filled(clauses.fills)
        .limited(masked.then_some(&limited[..]))
        .coordinates(masked.then_some(&coordinates[..]))
        .thread_iters((plan.thread_iters > 0).then_some(plan.thread_iters as i64))
        .forced_bits(plan.forced_bits.map(i64::from))
        .ranks(numbers(plan.ranks.as_ref()).as_deref())
        .guards(guards(&plan.guards).as_deref())
        .cache(cache.nc.then_some(NC))
        .l1_evict(cache.l1_evict.as_deref())
        .l2_evict(cache.l2_evict.as_deref())
        .prefetch_size(cache.prefetch_size.as_deref())
        .zero_fill(clauses.zero_fill)
        .convert(clauses.convert.as_deref());
    Some(op.build().operation())
}

/// The `cache` of loads that do not keep coherent what others write.
const NC: &str = "nc";

/// Makes a `tile.vector_copy` in place of a copy: of a part of it, whose run-time values the plan numbers in turn.
pub(super) fn build_vector_of_copy<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    part: &AlignedCopy,
    plan: &VectorCopy,
) -> Option<OperationRef<'c, 'a>> {
    let sides = Sides::of_part(builder, copy, part, plan)?;
    let clauses = Clauses::of_copy(builder, copy, plan.mask.is_some());
    Some(vector_copy(builder, sides, &clauses, plan))
}

/// Makes a `tile.vector_copy` in place of a `tile.aligned_copy`; `None` for a plan that makes no op.
pub fn build_vector<'c, 'a>(
    builder: Builder<'c, 'a>,
    op: StageOp<'c, 'a>,
    plan: &VectorCopy,
) -> Option<OperationRef<'c, 'a>> {
    let sides = Sides::of_stage(builder, op, &plan.src, &plan.dst)?;
    Some(vector_copy(builder, sides, &Clauses::of_stage(op), plan))
}

fn vector_copy<'c, 'a>(
    builder: Builder<'c, 'a>,
    Sides { src, dst, scope }: Sides<'c, 'a>,
    clauses: &Clauses<'c, 'a>,
    plan: &VectorCopy,
) -> OperationRef<'c, 'a> {
    let (from, to) = ((src.value, &src.offsets[..]), (dst.value, &dst.offsets[..]));
    let built = tile::vector_copy(
        builder,
        from.0,
        from.1,
        to.0,
        to.1,
        &clauses.limits,
        plan.variant,
        &src.terms,
        src.layout,
        &dst.terms,
        dst.layout,
        scope,
        plan.rounds,
        plan.threads,
        plan.vector,
    );
    let cache = &plan.cache;
    let [limited, coordinates] = plan.mask.as_ref().map(mask::numbers).unwrap_or_default();
    let masked = plan.mask.is_some();
    let built = built
        .predicate(clauses.predicate)
        .filler(clauses.filler)
        .reduce(clauses.reduce.as_deref())
        .filled(clauses.fills)
        .limited(masked.then_some(&limited[..]))
        .coordinates(masked.then_some(&coordinates[..]))
        .last_threads((!plan.is_even()).then_some(plan.last))
        .thread_iters((plan.thread_iters > 0).then_some(plan.thread_iters as i64))
        .exchange((plan.exchange > 1).then_some(plan.exchange))
        .zero_fill(clauses.zero_fill)
        .ranks(numbers(plan.ranks.as_ref()).as_deref())
        .guards(guards(&plan.guards).as_deref())
        .cache(cache.nc.then_some(NC))
        .l1_evict(cache.l1_evict.as_deref())
        .l2_evict(cache.l2_evict.as_deref())
        .prefetch_size(cache.prefetch_size.as_deref())
        .convert(clauses.convert.as_deref())
        .accesses((plan.accesses != [1, 1]).then_some(&plan.accesses[..]));
    built.build().operation()
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
        conversion: conversion(op.0, src.buffer, dst.buffer).ok()?,
        effect: effect(op.fills(), op.reduce(), dst.buffer).ok()?,
        mask: mask::staged(op)?,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        forced_bits: integer("forced_bits").and_then(|bits| u32::try_from(bits).ok()),
        ranks: read_ranks(op.0)?,
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// A `tile.vector_copy` as the planner's plan.
pub fn read_vector(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<VectorCopy> {
    let (variant, transfer) = transfer(op)?;
    let (src, dst) = (op.src()?, op.dst()?);
    let integer = |name| op.integer(name);
    let threads = integer("threads")?;
    Some(VectorCopy {
        variant,
        transfer,
        rounds: integer("rounds")?,
        threads,
        last: integer("last_threads").unwrap_or(threads),
        vector: integer("vector")?,
        accesses: read_accesses(op.0),
        element_bits: bit_width(src.buffer.element())?,
        conversion: conversion(op.0, src.buffer, dst.buffer).ok()?,
        effect: effect(op.fills(), op.reduce(), dst.buffer).ok()?,
        mask: mask::staged(op)?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        exchange: integer("exchange").unwrap_or(1),
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        ranks: read_ranks(op.0)?,
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// The first thread, and extent and distance of each digit.
fn numbers(ranks: Option<&Ranks>) -> Option<Vec<i64>> {
    let digits = |ranks: &Ranks| ranks.digits.iter().flat_map(|&(extent, step)| [extent, step]).collect::<Vec<_>>();
    ranks.map(|ranks| [vec![ranks.first], digits(ranks)].concat())
}

/// Those of the op, if it has any; `None` for numbers that are none.
fn read_ranks(op: OperationRef<'_, '_>) -> Option<Option<Ranks>> {
    if !op.has_attribute("ranks") {
        return Some(None);
    }
    let numbers = integers(op, "ranks");
    let (&first, digits) = numbers.split_first()?;
    let whole = digits.len().is_multiple_of(2);
    let digits = digits.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    whole.then_some(Some(Ranks { first, digits }))
}

fn read_accesses(op: OperationRef<'_, '_>) -> [i64; 2] {
    <[i64; 2]>::try_from(integers(op, "accesses")).unwrap_or([1, 1])
}

fn read_cache(op: OperationRef<'_, '_>) -> Option<Cache> {
    let names = ["cache", "l1_evict", "l2_evict", "prefetch_size"];
    let given: Vec<(&str, String)> = names.into_iter().filter_map(|name| Some((name, string(op, name)?))).collect();
    Cache::from_options(given.iter().map(|(name, value)| (*name, value.as_str()))).ok()
}
