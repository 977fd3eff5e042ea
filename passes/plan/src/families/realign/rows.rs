//! Where a row is, which of its bytes are copied, and how they split into chunks and ends.

use tile_layout::{AddressStep, Axis, IndexArith, Iter, Layout};

use super::plan::{CHUNK_BYTES, RealignedCopy};
use crate::problem::mask::{Bounded, Coordinate, Mask};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::address::{address_in, digits, dynamic};

/// The run-time values of a plan, and the addresses of its storages.
#[derive(Debug)]
pub struct RowValues<'v, V> {
    /// The addresses in bytes of the first elements of source and destination, of which only the remainder of 16 matters.
    pub bases: &'v [V; 2],
    /// The run-time values of the source.
    pub src: &'v [V],
    /// The run-time values of the destination.
    pub dst: &'v [V],
    /// The run-time values of the mask.
    pub mask: &'v [V],
}

/// The part of a row that a mask leaves, in elements.
#[derive(Clone, Debug)]
pub struct KeptPart<V> {
    /// The first element.
    pub first: V,
    /// The number of elements, at least 0.
    pub count: V,
    /// What must be within bounds for there to be any.
    pub inside: Vec<Bounded<V>>,
}

/// The copied part of a row, in bytes. A swizzled side counts them before its swizzle is applied.
#[derive(Clone, Debug)]
pub struct CopiedRow<V> {
    /// From the source's first element to the first that is copied.
    pub src: V,
    /// From the destination's first element to the first that is copied.
    pub dst: V,
    /// The number of bytes, at least 0.
    pub bytes: V,
    /// What must be within bounds for the row to be copied at all.
    pub inside: Vec<Bounded<V>>,
}

/// How the bytes of a row split: elements, then chunks from byte `first` on, then elements.
#[derive(Clone, Debug)]
pub struct RowSplit<V> {
    /// The place in an aligned chunk of the source where each chunk begins.
    pub shift: V,
    /// The first byte of the first chunk; there may be none.
    pub first: V,
    /// The number of chunks.
    pub chunks: V,
}

/// The part of row `row` that the mask leaves.
///
/// # Errors
/// `missing-value` where values are too few; as the variant for a mask that no plan has.
pub fn kept_part<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    row: A::Value,
    values: &RowValues<'_, A::Value>,
) -> Result<KeptPart<A::Value>, Refusal> {
    let (mut first, mut end, mut inside) = (a.constant(0), a.constant(plan.row()), Vec::new());
    let along = plan.masked_dimension()?;
    for (mask, role) in plan.mask.iter().flat_map(|mask| [(mask, Role::Src), (mask, Role::Dst)]) {
        let bounded = mask.bounded(a, role, |a, dimension| of_row(a, mask, dimension, row.clone()), values.mask)?;
        for (limit, Bounded { place, extent }) in mask.of_side(role).zip(bounded) {
            if along.is_none() || limit.dimension != along {
                inside.push(Bounded { place, extent });
                continue;
            }
            let zero = a.constant(0);
            let (before, after) = (a.sub(zero, place.clone()), a.sub(extent, place));
            first = larger(a, first, before);
            end = smaller(a, end, after);
        }
    }
    let count = a.sub(end, first.clone());
    Ok(KeptPart { first, count: not_negative(a, count), inside })
}

/// The copied part of row `row`.
///
/// # Errors
/// As [`kept_part`].
pub fn copied_row<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    row: A::Value,
    values: &RowValues<'_, A::Value>,
) -> Result<CopiedRow<A::Value>, Refusal> {
    let KeptPart { first, count, inside } = kept_part(a, plan, row.clone(), values)?;
    let mut start = |role, values: &[A::Value]| {
        let start = row_start(a, plan, role, (row.clone(), values))?;
        let first = a.add(start, first.clone());
        Ok::<_, Refusal>(a.scale(first, plan.element_bytes()))
    };
    let (src, dst) = (start(Role::Src, values.src)?, start(Role::Dst, values.dst)?);
    Ok(CopiedRow { src, dst, bytes: a.scale(count, plan.element_bytes()), inside })
}

/// Where a row of one side begins, in elements, before the swizzle.
///
/// # Errors
/// `missing-value` where values are too few.
pub(super) fn row_start<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    role: Role,
    (row, values): (A::Value, &[A::Value]),
) -> Result<A::Value, Refusal> {
    let mut terms = Vec::new();
    digits(a, &plan.outer(role), row, &mut terms);
    let side = plan.of(role);
    dynamic(a, &side.dynamic, values, &mut terms)?;
    let plain = Layout { swizzle: None, offset: side.layout.offset.clone(), ..Layout::default() };
    address_in(a, &plain, terms, &side.strides, values)
}

/// Where bytes of one side are that a chunk keeps together, under its swizzle.
///
/// # Errors
/// None: a swizzle has no run-time strides.
pub(super) fn placed<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    role: Role,
    bytes: A::Value,
) -> Result<A::Value, Refusal> {
    let Some(swizzle) = plan.of(role).layout.swizzle.filter(|swizzle| swizzle.len != 0) else { return Ok(bytes) };
    let size = a.constant(plan.element_bytes());
    let element = a.div(bytes, size);
    let swizzled = Layout { swizzle: Some(swizzle), ..Layout::default() };
    let element = address_in(a, &swizzled, vec![AddressStep::new(1, Axis::Memory, element)], &[], &[])?;
    Ok(a.scale(element, plan.element_bytes()))
}

/// What the number of a row adds to a coordinate.
fn of_row<A: IndexArith>(a: &mut A, mask: &Mask, dimension: usize, row: A::Value) -> A::Value {
    let long: Vec<&Coordinate> = mask.digits.iter().filter(|digit| digit.extent != 1).collect();
    let outer = long.split_last().map_or(&[][..], |(_, outer)| outer);
    let step = |digit: &Coordinate| if digit.dimension == dimension { digit.step } else { 0 };
    let iters: Vec<Iter> = outer.iter().map(|digit| Iter::memory(digit.extent, step(digit))).collect();
    let mut terms = Vec::new();
    digits(a, &iters, row, &mut terms);
    let terms = terms.into_iter().map(|step| a.scale(step.digit, step.stride)).collect();
    a.sum(terms, 0)
}

/// The split of `bytes` bytes from address `src` to address `dst`.
///
/// ```
/// use tile_layout::Eval;
/// use tile_plan::address::row_split;
///
/// // Byte 2 of the row is the first that starts a chunk of the destination. It is at 7 mod 16 in the source, where the chunk would begin 5
/// // bytes before the row; the next one has both its chunks in the row, from byte 11 on.
/// let split = row_split(&mut Eval, 5, 14, 100);
/// assert_eq!((split.shift, split.first, split.chunks), (7, 18, 4));
/// ```
pub fn row_split<A: IndexArith>(a: &mut A, src: A::Value, dst: A::Value, bytes: A::Value) -> RowSplit<A::Value> {
    let apart = a.sub(src, dst.clone());
    let shift = remainder(a, apart);
    // The first byte that is at a chunk of the destination, and no less than `shift` bytes after the first of the row.
    let both = a.add(dst, shift.clone());
    let up = negated_remainder(a, both);
    let first = a.add(shift.clone(), up);
    let beyond = negated_remainder(a, shift.clone());
    let before = a.add(first.clone(), beyond);
    let held = a.sub(bytes, before);
    let chunks = a.floor_div(held, CHUNK_BYTES);
    RowSplit { shift, first, chunks: not_negative(a, chunks) }
}

/// The remainder of 16.
pub(super) fn remainder<A: IndexArith>(a: &mut A, value: A::Value) -> A::Value {
    let mask = a.constant(CHUNK_BYTES - 1);
    a.and(value, mask)
}

/// The bytes from an address to the next chunk.
fn negated_remainder<A: IndexArith>(a: &mut A, value: A::Value) -> A::Value {
    let zero = a.constant(0);
    let negated = a.sub(zero, value);
    remainder(a, negated)
}

/// The value, or 0 where it is negative.
pub(super) fn not_negative<A: IndexArith>(a: &mut A, value: A::Value) -> A::Value {
    let sign = a.floor_div(value.clone(), 1 << 62);
    let negative = a.and(value.clone(), sign);
    a.sub(value, negative)
}

fn larger<A: IndexArith>(a: &mut A, one: A::Value, other: A::Value) -> A::Value {
    let more = a.sub(other, one.clone());
    let more = not_negative(a, more);
    a.add(one, more)
}

/// The smaller one.
pub(super) fn smaller<A: IndexArith>(a: &mut A, one: A::Value, other: A::Value) -> A::Value {
    let more = a.sub(one.clone(), other);
    let more = not_negative(a, more);
    a.sub(one, more)
}
