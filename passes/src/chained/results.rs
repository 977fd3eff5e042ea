//! Results: collected in shared memory and written in one piece, or written one by one.
//!
//! ```text
//!   element     a  b  c  d  e      kept: b, d, e
//!   place       7  7  8  8  9      the tile's first is 7
//!   shared      b  d  e            at place - 7
//!   array       … b d e …          from 7 to the end, 10, by neighbouring threads
//! ```

use tile_plan::chained::{GAP_EVERY, ResultRoom};

use super::elements::ChainedPart;
use super::kernel::ChainedKernel;
use super::work::ElementResults;
use crate::emit::{Cmp, Kit, Val};
use crate::scan::kernel::ScannedArray;

/// Bytes of a place in shared memory.
const PLACE_BYTES: i64 = 8;

/// Writes the results of a tile, and leaves the payload of its last element in shared memory. All threads of the block call it, and
/// see that payload afterwards.
pub fn write<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    part: &ChainedPart<'c, 'a>,
    outcomes: &[ElementResults<'c, 'a>],
) {
    note_ends(kit, kernel, part, outcomes);
    kit.block_barrier();
    if kernel.op.is_scattered() {
        for outcome in outcomes {
            for (dest, result) in kernel.dests.iter().zip(&outcome.results) {
                kit.when(result.kept, |kit| dest.write(kit, dest.place(kit, result.place), result.value));
            }
        }
        return;
    }
    let rooms = &kernel.rooms.results;
    let firsts: Vec<_> = rooms.iter().map(|room| load_place(kit, kernel, room.first)).collect();
    let counts =
        rooms.iter().zip(&firsts).map(|(room, &first)| kit.narrow(kit.sub(load_place(kit, kernel, room.end), first)));
    let counts: Vec<_> = counts.collect();
    for outcome in outcomes {
        for (index, result) in outcome.results.iter().enumerate() {
            let (room, dest) = (&rooms[index], &kernel.dests[index]);
            let slot = kit.narrow(kit.sub(result.place, firsts[index]));
            let place = slot_address(kit, kernel, (room, dest), slot);
            kit.when(result.kept, |kit| store_shared(kit, dest, place, result.value));
        }
    }
    kit.block_barrier();
    for (index, dest) in kernel.dests.iter().enumerate() {
        copy_out(kit, kernel, (&rooms[index], dest), [firsts[index], counts[index]]);
    }
}

/// Notes the place of the tile's first result and the one after its last, of each array, and the last element's payload.
fn note_ends<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    part: &ChainedPart<'c, 'a>,
    outcomes: &[ElementResults<'c, 'a>],
) {
    let rooms = &kernel.rooms.results;
    let thread = kernel.chain.thread;
    kit.when(kit.is(Cmp::Eq, thread, 0), |kit| {
        for (room, result) in rooms.iter().zip(&outcomes[0].results) {
            kit.store(result.place, kernel.room(kit, room.first), PLACE_BYTES);
        }
    });
    let note = |kit: Kit<'c, 'a>, outcome: &ElementResults<'c, 'a>| {
        for (room, result) in rooms.iter().zip(&outcome.results) {
            let end = kit.add(result.place, kit.zero_extended(result.kept, 64));
            kit.store(end, kernel.room(kit, room.end), PLACE_BYTES);
        }
        if !kernel.totals.is_empty() {
            let packed = kernel.element().pack(kit, &[outcome.payload]);
            kit.store(packed, kernel.room(kit, kernel.rooms.last), kernel.element().bytes());
        }
    };
    let full = part.place.full;
    let last_thread = kit.is(Cmp::Eq, thread, kernel.tile.threads - 1);
    kit.when(kit.and(full, last_thread), |kit| note(kit, &outcomes[outcomes.len() - 1]));
    kit.when(kit.not(full), |kit| {
        let last = kit.plus(part.count, -1);
        for outcome in outcomes {
            kit.when(kit.cmp(Cmp::Eq, outcome.position, last), |kit| note(kit, outcome));
        }
    });
}

/// Writes the results that were collected for an array: `count` (i32) from the place `first` on (i64).
fn copy_out<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    (room, dest): (&ResultRoom, &ScannedArray<'c, 'a>),
    [first, count]: [Val<'c, 'a>; 2],
) {
    let base = ScannedArray { first: dest.place(kit, first), ..*dest };
    let threads = kit.i32(kernel.tile.threads);
    kit.count([kernel.chain.thread, count, threads], [], |kit, slot, []| {
        let from = slot_address(kit, kernel, (room, dest), slot);
        let loaded = kit.load(from, dest.element.vector_type(1), dest.element.bytes());
        base.write(kit, base.place(kit, kit.wide(slot)), dest.element.unpack(kit, loaded, 1)[0]);
        []
    });
}

fn slot_address<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    (room, dest): (&ResultRoom, &ScannedArray<'c, 'a>),
    slot: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let bytes = kit.times(slot, dest.element.bytes());
    let gaps = kit.times(kit.over(bytes, GAP_EVERY), room.gap());
    kit.at(kernel.room(kit, room.items), kit.wide(kit.add(bytes, gaps)))
}

fn store_shared<'c: 'a, 'a>(kit: Kit<'c, 'a>, dest: &ScannedArray<'c, 'a>, place: Val<'c, 'a>, value: Val<'c, 'a>) {
    kit.store(dest.element.pack(kit, &[value]), place, dest.element.bytes());
}

fn load_place<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ChainedKernel<'_, 'c, 'a>, offset: i64) -> Val<'c, 'a> {
    kit.load(kernel.room(kit, offset), kit.int_type(64), PLACE_BYTES)
}
