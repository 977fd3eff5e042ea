//! The chunks and the elements at ends of rows that a thread has.
//!
//! All addresses are in bytes from the storages' first elements.

use tile_layout::IndexArith;

use super::plan::{CHUNK_BYTES, RealignedCopy};
use super::rows::{RowValues, copied_row, placed, row_split};
use crate::problem::mask::Bounded;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// A chunk, which is there where all bounds hold.
#[derive(Clone, Debug)]
pub struct RealignedChunk<V> {
    /// What must be within bounds for there to be one.
    pub inside: Vec<Bounded<V>>,
    /// The aligned chunks of the source that hold its bytes; the same one twice where one holds all.
    pub loads: [V; 2],
    /// The place in the first of them where its first byte is.
    pub shift: V,
    /// Where it is stored.
    pub store: V,
}

/// An element at an end of a row, which is there where all bounds hold.
#[derive(Clone, Debug)]
pub struct RowEdge<V> {
    /// What must be within bounds for there to be one.
    pub inside: Vec<Bounded<V>>,
    /// Where it is loaded.
    pub load: V,
    /// Where it is stored.
    pub store: V,
}

/// What a thread has in a round: a place in a row, and what must be within bounds for there to be one.
pub(super) struct RowSlot<V> {
    /// The row.
    pub row: V,
    /// The place in it.
    pub place: V,
    /// What must be within bounds.
    pub inside: Vec<Bounded<V>>,
}

/// The chunk of thread `thread` in round `round`, below [`RealignedCopy::chunk_rounds`].
///
/// # Errors
/// `missing-value` where values are too few.
pub fn realigned_chunk<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    (round, thread): (A::Value, A::Value),
    values: &RowValues<'_, A::Value>,
) -> Result<RealignedChunk<A::Value>, Refusal> {
    let slot = slot(a, plan, plan.chunks_of_row(), (round, thread));
    let row = copied_row(a, plan, slot.row, values)?;
    let [from, to] =
        [(0, row.src.clone()), (1, row.dst.clone())].map(|(side, at)| a.add(values.bases[side].clone(), at));
    let split = row_split(a, from, to, row.bytes);
    let moved = a.scale(slot.place.clone(), CHUNK_BYTES);
    let at = a.add(split.first, moved);
    let inside = [slot.inside, row.inside, vec![Bounded { place: slot.place, extent: split.chunks }]].concat();
    let begin = a.add(row.src, at.clone());
    let load = a.sub(begin, split.shift.clone());
    // 16 bytes further, unless the first chunk holds all.
    let [most, chunk] = [CHUNK_BYTES - 1, CHUNK_BYTES].map(|number| a.constant(number));
    let further = a.add(split.shift.clone(), most);
    let further = a.and(further, chunk);
    let next = a.add(load.clone(), further);
    let store = a.add(row.dst, at);
    let [load, next] = [placed(a, plan, Role::Src, load)?, placed(a, plan, Role::Src, next)?];
    Ok(RealignedChunk { inside, loads: [load, next], shift: split.shift, store: placed(a, plan, Role::Dst, store)? })
}

/// What must be within bounds for a thread to have a place at an end of a row in a round, whatever is there.
pub fn edge_place<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    (round, thread): (A::Value, A::Value),
) -> Vec<Bounded<A::Value>> {
    slot(a, plan, plan.edges_of_row(), (round, thread)).inside
}

/// The element at an end of a row that thread `thread` has in round `round`, below [`RealignedCopy::edge_rounds`].
///
/// # Errors
/// `missing-value` where values are too few.
pub fn row_edge<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    (round, thread): (A::Value, A::Value),
    values: &RowValues<'_, A::Value>,
) -> Result<RowEdge<A::Value>, Refusal> {
    let slot = slot(a, plan, plan.edges_of_row(), (round, thread));
    let row = copied_row(a, plan, slot.row, values)?;
    let [from, to] =
        [(0, row.src.clone()), (1, row.dst.clone())].map(|(side, at)| a.add(values.bases[side].clone(), at));
    let split = row_split(a, from, to, row.bytes.clone());
    // Elements before the chunks, then those behind them.
    let offset = a.scale(slot.place, plan.element_bytes());
    let held = a.scale(split.chunks, CHUNK_BYTES);
    let behind = a.sub(offset.clone(), split.first);
    let is_before = a.floor_div(behind, 1 << 62);
    let skipped = a.and(held.clone(), is_before);
    let skipped = a.sub(held, skipped);
    let place = a.add(offset, skipped);
    let extent = row.bytes;
    let inside = [slot.inside, row.inside, vec![Bounded { place: place.clone(), extent }]].concat();
    let (load, store) = (a.add(row.src, place.clone()), a.add(row.dst, place));
    Ok(RowEdge { inside, load: placed(a, plan, Role::Src, load)?, store: placed(a, plan, Role::Dst, store)? })
}

/// The place of a thread in a round, where each row has `of_row`. Places count over the rows: those of a round follow each other.
pub(super) fn slot<A: IndexArith>(
    a: &mut A,
    plan: &RealignedCopy,
    of_row: i64,
    (round, thread): (A::Value, A::Value),
) -> RowSlot<A::Value> {
    let (threads, rows) = (plan.threads, plan.rows());
    let before = a.scale(round.clone(), threads);
    let number = a.add(thread.clone(), before);
    let all = rows.saturating_mul(of_row);
    let inside =
        if all % threads == 0 { Vec::new() } else { vec![Bounded { place: number.clone(), extent: a.constant(all) }] };
    if rows == 1 {
        return RowSlot { row: a.constant(0), place: number, inside };
    }
    let length = a.constant(of_row.max(1));
    if threads % of_row.max(1) != 0 {
        return RowSlot { row: a.div(number.clone(), length.clone()), place: a.rem(number, length), inside };
    }
    // Rounds move by whole rows.
    let before = a.scale(round, threads / of_row.max(1));
    let row = a.div(thread.clone(), length.clone());
    RowSlot { row: a.add(row, before), place: a.rem(thread, length), inside }
}
