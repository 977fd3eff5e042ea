//! What is filled of a row: whole chunks of the destination, and elements of the chunks in which the copied part begins and ends.
//!
//! ```text
//!   a row of 80 bytes, of which 21 to 59 are copied      0 … 15 | 16 …    31 | 32 … 47 | 48 …     63 | 64 … 79
//!                                                        filled | 16 … 20    |         |    60 … 63 | filled
//! ```
//!
//! Rows of the destination begin with a chunk and have a whole number of them.

use tile_layout::IndexArith;

use super::chunks::slot;
use super::plan::{CHUNK_BYTES, RealignedCopy};
use super::rows::{KeptPart, RowValues, kept_part, placed, remainder, row_start, smaller};
use crate::problem::mask::Bounded;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// Bytes that are filled, where all bounds hold.
#[derive(Clone, Debug)]
pub struct FilledBytes<V> {
    /// What must be within bounds for them to be filled.
    pub inside: Vec<Bounded<V>>,
    /// Where they are, from the destination's first element on.
    pub store: V,
}

/// The copied part of a row, in bytes from where the row begins.
struct CopiedBytes<V> {
    first: V,
    end: V,
    /// Where the row begins.
    row: V,
}

/// The chunk that thread `thread` fills in round `round`, below [`RealignedCopy::filled_chunk_rounds`].
///
/// # Errors
/// `missing-value` where values are too few.
pub fn filled_chunk<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    (round, thread): (A::Value, A::Value),
    values: &RowValues<'_, A::Value>,
) -> Result<FilledBytes<A::Value>, Refusal> {
    let slot = slot(a, plan, plan.chunks_of_row(), (round, thread));
    let CopiedBytes { first, end, row } = copied_bytes(a, plan, slot.row, values)?;
    let before = a.floor_div(first, CHUNK_BYTES);
    let up = a.constant(CHUNK_BYTES - 1);
    let behind = a.add(end, up);
    let behind = a.floor_div(behind, CHUNK_BYTES);
    // The chunk is one of those before the copied part, or follows it.
    let copied = a.sub(behind, before.clone());
    let is_before = a.sub(slot.place.clone(), before);
    let is_before = a.floor_div(is_before, 1 << 62);
    let skipped = a.and(is_before, copied.clone());
    let skipped = a.sub(copied.clone(), skipped);
    let chunk = a.add(slot.place.clone(), skipped);
    let all = a.constant(plan.chunks_of_row());
    let filled = a.sub(all, copied);
    let inside = [slot.inside, vec![Bounded { place: slot.place, extent: filled }]].concat();
    let at = a.scale(chunk, CHUNK_BYTES);
    let store = a.add(row, at);
    Ok(FilledBytes { inside, store: placed(a, plan, Role::Dst, store)? })
}

/// The element that thread `thread` fills in round `round`, below [`RealignedCopy::filled_element_rounds`], in a chunk that is
/// copied in part.
///
/// # Errors
/// `missing-value` where values are too few.
pub fn filled_element<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    (round, thread): (A::Value, A::Value),
    values: &RowValues<'_, A::Value>,
) -> Result<FilledBytes<A::Value>, Refusal> {
    let slot = slot(a, plan, plan.filled_elements_of_row(), (round, thread));
    let CopiedBytes { first, end, row } = copied_bytes(a, plan, slot.row, values)?;
    let of_end = a.constant(CHUNK_BYTES / plan.element_bytes());
    let is_behind = a.div(slot.place.clone(), of_end.clone());
    let zero = a.constant(0);
    let is_behind = a.sub(zero.clone(), is_behind);
    let number = a.rem(slot.place, of_end);
    let offset = a.scale(number, plan.element_bytes());
    // Before the copied part: from where its first chunk begins. Behind it: up to where its last chunk ends.
    let before = remainder(a, first.clone());
    let begin = a.sub(first, before.clone());
    let further = a.sub(end.clone(), begin.clone());
    let further = a.and(is_behind.clone(), further);
    let begin = a.add(begin, further);
    let negated = a.sub(zero, end);
    let behind = remainder(a, negated);
    let other = a.sub(behind, before.clone());
    let other = a.and(is_behind, other);
    let extent = a.add(before, other);
    let inside = [slot.inside, vec![Bounded { place: offset.clone(), extent }]].concat();
    let at = a.add(begin, offset);
    let store = a.add(row, at);
    Ok(FilledBytes { inside, store: placed(a, plan, Role::Dst, store)? })
}

/// The copied part of a row; none at its begin where the whole row is outside.
fn copied_bytes<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    row: A::Value,
    values: &RowValues<'_, A::Value>,
) -> Result<CopiedBytes<A::Value>, Refusal> {
    let KeptPart { first, count, inside } = kept_part(a, plan, row.clone(), values)?;
    // All bits where the row has a part that is copied.
    let mut has_any = a.constant(-1);
    let rest = inside.into_iter().flat_map(|bound| [(bound.place.clone(), None), (bound.extent, Some(bound.place))]);
    let (zero, one) = (a.constant(0), a.constant(1));
    for (value, below) in rest.chain([(count.clone(), Some(zero.clone()))]) {
        // `0 <= value`, or `below < value`.
        let above = below.map_or_else(
            || value.clone(),
            |below| {
                let more = a.sub(value.clone(), below);
                a.sub(more, one.clone())
            },
        );
        let sign = a.floor_div(above, 1 << 62);
        let sign = not_negative_bits(a, sign);
        has_any = a.and(has_any, sign);
    }
    let limit = a.constant(plan.row());
    let first = smaller(a, first, limit);
    let end = a.add(first.clone(), count);
    let [first, end] = [first, end].map(|place| {
        let kept = a.and(place, has_any.clone());
        a.scale(kept, plan.element_bytes())
    });
    let start = row_start(a, plan, Role::Dst, (row, values.dst))?;
    Ok(CopiedBytes { first, end, row: a.scale(start, plan.element_bytes()) })
}

/// All bits for 0, none for -1.
fn not_negative_bits<A: IndexArith>(a: &mut A, sign: A::Value) -> A::Value {
    let ones = a.constant(-1);
    a.sub(ones, sign)
}
