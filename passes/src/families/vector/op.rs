//! `tile.matched_copy` and `tile.vector_copy`, and their plans.

use melior::ir::{OperationRef, Value};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, StageOp, cache, conversion};
use tile_ops::{Builder, tile};
use tile_plan::{MatchedCopy, Ranks, Transfer, VectorCopy, variants};

use super::super::sides::{Sides, guards, read_guards, read_side, stage};
use crate::read::mask;
use crate::read::problem::{Reader, effect};

/// The clauses of a copy besides its sides, which its stage ops repeat.
struct Clauses<'c, 'a> {
    /// The predicate of the threads that take part.
    predicate: Option<Value<'c, 'a>>,
    /// The begin and extent of each limit.
    limits: Vec<Value<'c, 'a>>,
    filler: Option<Value<'c, 'a>>,
    reduce: Option<String>,
    fills: bool,
    zero_fill: bool,
    convert: Option<String>,
}

impl<'c: 'a, 'a> Clauses<'c, 'a> {
    /// The clauses of a copy; constants become values at the builder's insertion point.
    fn of_copy(builder: Builder<'c, 'a>, copy: CopyOp<'c, 'a>, masked: bool) -> Self {
        let limits = if masked { mask::values(&mask::bounds(copy)) } else { Vec::new() };
        Clauses {
            predicate: copy.predicate(),
            limits: limits.into_iter().map(|number| number.value(builder)).collect(),
            filler: copy.filler().filter(|_| masked || copy.fills()),
            reduce: copy.reduce().filter(|_| !copy.is_async()),
            fills: copy.fills(),
            zero_fill: copy.zero_fills(),
            convert: copy.convert(),
        }
    }

    fn of_stage(op: StageOp<'c, 'a>) -> Self {
        Clauses {
            predicate: op.predicate(),
            limits: op.limits(),
            filler: op.filler(),
            reduce: op.reduce(),
            fills: op.fills(),
            zero_fill: op.zero_fills(),
            convert: op.convert(),
        }
    }
}

/// Sets the optional attributes and operands that both ops have, where the plan needs them.
macro_rules! said {
    ($op:expr, $plan:expr, $clauses:expr) => {{
        let [limited, coordinates] = $plan.mask.as_ref().map(mask::numbers).unwrap_or_default();
        let masked = $plan.mask.is_some();
        $op.predicate($clauses.predicate)
            .filler($clauses.filler)
            .reduce($clauses.reduce.as_deref())
            .filled($clauses.fills)
            .zero_fill($clauses.zero_fill)
            .convert($clauses.convert.as_deref())
            .limited(masked.then_some(&limited[..]))
            .coordinates(masked.then_some(&coordinates[..]))
            .thread_iters(($plan.thread_iters > 0).then_some($plan.thread_iters as i64))
            .ranks(numbers($plan.ranks.as_ref()).as_deref())
            .guards(guards(&$plan.guards).as_deref())
            .cache($plan.cache.nc.then_some(NC))
            .l1_evict($plan.cache.l1_evict.as_deref())
            .l2_evict($plan.cache.l2_evict.as_deref())
            .prefetch_size($plan.cache.prefetch_size.as_deref())
    }};
}

/// Makes a `tile.matched_copy` in place of a copy.
pub(super) fn build_partition<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    plan: &MatchedCopy,
) -> Option<OperationRef<'c, 'a>> {
    let sides = Sides::of_copy(builder, copy, &plan.src, &plan.dst)?;
    let clauses = Clauses::of_copy(builder, copy, plan.mask.is_some());
    let op = stage!(tile::matched_copy, builder, sides, limits = &clauses.limits; plan.variant, plan.threads);
    let op = said!(op, plan, clauses).forced_bits(plan.forced_bits.map(i64::from));
    Some(op.build().operation())
}

/// The `cache` attribute of non-coherent loads.
const NC: &str = "nc";

/// Makes a `tile.vector_copy` in place of a part of a copy, whose run-time values `plan` numbers in the part's order.
pub(super) fn build_vector_of_copy<'c, 'a>(
    builder: Builder<'c, 'a>,
    copy: CopyOp<'c, 'a>,
    part: &MatchedCopy,
    plan: &VectorCopy,
) -> Option<OperationRef<'c, 'a>> {
    let sides = Sides::of_part(builder, copy, part, plan)?;
    let clauses = Clauses::of_copy(builder, copy, plan.mask.is_some());
    Some(vector_copy(builder, sides, &clauses, plan))
}

/// Makes a `tile.vector_copy` in place of a `tile.matched_copy`; `None` for a plan that makes no op.
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
    sides: Sides<'c, 'a>,
    clauses: &Clauses<'c, 'a>,
    plan: &VectorCopy,
) -> OperationRef<'c, 'a> {
    let VectorCopy { variant, rounds, threads, vector, .. } = *plan;
    let op = stage!(tile::vector_copy, builder, sides, limits = &clauses.limits; variant, rounds, threads, vector);
    let op = said!(op, plan, clauses)
        .last_threads((!plan.is_even()).then_some(plan.last))
        .exchange((plan.exchange > 1).then_some(plan.exchange))
        .accesses((plan.accesses != [1, 1]).then_some(&plan.accesses[..]));
    op.build().operation()
}

/// The variant that the op names, and how it transfers its vectors.
fn transfer(op: StageOp<'_, '_>) -> Option<(&'static str, Transfer)> {
    let variant = variants::by_name(&op.variant())?;
    Some((variant.name(), variant.transfer()?))
}

/// A `tile.matched_copy` as the planner's plan.
pub fn read_aligned(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<MatchedCopy> {
    let (variant, transfer) = transfer(op)?;
    let (src, dst) = (op.src()?, op.dst()?);
    let element = bit_width(src.buffer.element())?;
    let own = tile::MatchedCopyOp::cast(op.0)?;
    Some(MatchedCopy {
        variant,
        transfer,
        threads: own.threads()?,
        thread_iters: usize::try_from(own.thread_iters().unwrap_or(0)).ok()?,
        element_bits: element,
        conversion: conversion(op.0, src.buffer, dst.buffer).ok()?,
        effect: effect(op.fills(), op.reduce(), dst.buffer).ok()?,
        mask: mask::staged(op, &[own.limited(), own.coordinates()])?,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        forced_bits: own.forced_bits().and_then(|bits| u32::try_from(bits).ok()),
        ranks: read_ranks(&own.ranks())?,
        guards: read_guards(&own.guards()),
        cache: cache(op.0).ok()?,
    })
}

/// A `tile.vector_copy` as the planner's plan.
pub fn read_vector(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<VectorCopy> {
    let (variant, transfer) = transfer(op)?;
    let (src, dst) = (op.src()?, op.dst()?);
    let own = tile::VectorCopyOp::cast(op.0)?;
    let threads = own.threads()?;
    Some(VectorCopy {
        variant,
        transfer,
        rounds: own.rounds()?,
        threads,
        last: own.last_threads().unwrap_or(threads),
        vector: own.vector()?,
        accesses: <[i64; 2]>::try_from(own.accesses()).unwrap_or([1, 1]),
        element_bits: bit_width(src.buffer.element())?,
        conversion: conversion(op.0, src.buffer, dst.buffer).ok()?,
        effect: effect(op.fills(), op.reduce(), dst.buffer).ok()?,
        mask: mask::staged(op, &[own.limited(), own.coordinates()])?,
        thread_iters: usize::try_from(own.thread_iters().unwrap_or(0)).ok()?,
        exchange: own.exchange().unwrap_or(1),
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        ranks: read_ranks(&own.ranks())?,
        guards: read_guards(&own.guards()),
        cache: cache(op.0).ok()?,
    })
}

/// The numbers of the `ranks` attribute: the first thread, then extent and step of each digit.
fn numbers(ranks: Option<&Ranks>) -> Option<Vec<i64>> {
    let digits = |ranks: &Ranks| ranks.digits.iter().flat_map(|&(extent, step)| [extent, step]).collect::<Vec<_>>();
    ranks.map(|ranks| [vec![ranks.first], digits(ranks)].concat())
}

/// The ranks that such numbers encode: `Some(None)` for no numbers; `None` for malformed ones.
fn read_ranks(numbers: &[i64]) -> Option<Option<Ranks>> {
    let Some((&first, digits)) = numbers.split_first() else { return Some(None) };
    let whole = digits.len().is_multiple_of(2);
    let digits = digits.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    whole.then_some(Some(Ranks { first, digits }))
}
