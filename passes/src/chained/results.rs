//! Results: collected in shared memory and written in one piece, or written one by one.
//!
//! ```text
//!   element     a  b  c  d  e      kept: b, d, e
//!   place       7  7  8  8  9      the tile's first is 7
//!   shared      -  -  -  b  d  e   behind a phase of 3: places from 4 on are 16 bytes
//!   array       … b d e …          from 7 to the end, 10; whole vectors of 16 bytes by one store each
//! ```

use tile_dialect::ops::ScanElement;
use tile_plan::chained::{GAP_EVERY, PLACE_BYTES, ResultRoom};
use tile_plan::scan::tile::VECTOR_BYTES;

use super::kernel::{ChainedKernel, RegisterWork};
use super::regions::{self, Emitted};
use crate::emit::{Cmp, EmittedElement, Kit, Val};
use crate::scan::kernel::ScannedArray;

/// Where the results of a tile begin in shared memory.
#[derive(Clone, Copy)]
pub struct ResultStart<'c, 'a> {
    /// The place in the array of the first slot, i64.
    base: Val<'c, 'a>,
    /// The slots before the tile's first result, i32: as many as the array has elements between an address of a whole vector and it.
    phase: Val<'c, 'a>,
}

/// Where the results of each array begin, given the places of a tile's first ones.
pub fn starts<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ChainedKernel<'_, 'c, 'a>,
    firsts: &[Val<'c, 'a>],
) -> Vec<ResultStart<'c, 'a>> {
    let start = |(dest, &first): (&ScannedArray<'c, 'a>, &Val<'c, 'a>)| {
        let address = kit.address(dest.place(kit, first));
        let phase = kit.over(kit.narrow(kit.mask(address, VECTOR_BYTES - 1)), dest.element.bytes());
        ResultStart { base: kit.sub(first, kit.wide(phase)), phase }
    };
    kernel.dests.iter().zip(firsts).map(start).collect()
}

/// Keeps the results of one element, where it is kept: in shared memory, or, without starts, where they belong.
pub fn keep<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    work: &RegisterWork<'_, 'c, 'a>,
    results: &[Emitted<'c, 'a>],
    starts: &[ResultStart<'c, 'a>],
) {
    if starts.is_empty() {
        return regions::write_each(kit, &work.kernel, results);
    }
    for (index, (result, start)) in results.iter().zip(starts).enumerate() {
        let dest = &work.kernel.dests[index];
        kit.when(result.kept, |kit| {
            let slot = kit.narrow(kit.sub(result.place, start.base));
            let place = slot_address(kit, work, &work.rooms.results[index], slot);
            kit.store(dest.element.pack(kit, &[result.value]), place, dest.element.bytes());
        });
    }
}

/// Notes what follows from the tile's last element, by the thread that has it: the places after the last results, and its payload.
pub fn note_last<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    work: &RegisterWork<'_, 'c, 'a>,
    (results, payload): (&[Emitted<'c, 'a>], Val<'c, 'a>),
) {
    let kernel = &work.kernel;
    for (room, result) in work.rooms.results.iter().zip(results) {
        kit.store(result.end(kit), work.room(kit, room.end), PLACE_BYTES);
    }
    if !kernel.totals.is_empty() {
        let packed = kernel.element().pack(kit, &[payload]);
        kit.store(packed, work.room(kit, work.rooms.last), kernel.element().bytes());
    }
}

/// Writes the results that were collected: whole vectors by one store each, the elements at both ends one by one.
pub fn copy_out<'c: 'a, 'a>(kit: Kit<'c, 'a>, work: &RegisterWork<'_, 'c, 'a>, starts: &[ResultStart<'c, 'a>]) {
    let kernel = &work.kernel;
    for (index, start) in starts.iter().enumerate() {
        let (dest, room) = (&kernel.dests[index], &work.rooms.results[index]);
        let end = kit.load(work.room(kit, room.end), kit.int_type(64), PLACE_BYTES);
        let end = kit.narrow(kit.sub(end, start.base));
        let base = ScannedArray { first: dest.place(kit, start.base), ..*dest };
        let slots = VECTOR_BYTES / room.result_bytes;
        let vectors = kit.over(kit.plus(end, slots - 1), slots);
        let threads = kit.i32(kernel.tile.threads);
        kit.count([kernel.chain.thread, vectors, threads], [], |kit, vector, []| {
            let from = kit.times(vector, slots);
            let begins = kit.cmp(Cmp::Sge, from, start.phase);
            let ends = kit.cmp(Cmp::Sle, kit.plus(from, slots), end);
            // Where elements may be anywhere, so may vectors.
            let is_aligned = kit.int(1, i64::from(dest.alignment >= room.result_bytes));
            let whole = kit.and(kit.and(begins, ends), is_aligned);
            let place = base.place(kit, kit.wide(from));
            kit.when(whole, |kit| copy_vector(kit, slot_address(kit, work, room, from), place, room));
            kit.when(kit.not(whole), |kit| {
                for offset in 0..slots {
                    let slot = kit.plus(from, offset);
                    let inside = kit.and(kit.cmp(Cmp::Sge, slot, start.phase), kit.cmp(Cmp::Slt, slot, end));
                    kit.when(inside, |kit| {
                        let at = slot_address(kit, work, room, slot);
                        let loaded = kit.load(at, dest.element.vector_type(1), dest.element.bytes());
                        base.write(kit, base.after(kit, place, offset), dest.element.unpack(kit, loaded, 1)[0]);
                    });
                }
            });
            []
        });
    }
}

/// Copies 16 bytes from shared memory, where gaps leave them aligned to words only.
fn copy_vector<'c: 'a, 'a>(kit: Kit<'c, 'a>, from: Val<'c, 'a>, to: Val<'c, 'a>, room: &ResultRoom) {
    let bytes = room.gap().min(8);
    let word = kit.int_type(8 * bytes as u32);
    let element = EmittedElement(ScanElement::new(word).expect("a word is a number"));
    let words: Vec<_> =
        (0..VECTOR_BYTES / bytes).map(|index| kit.load(kit.beyond(from, index * bytes), word, bytes)).collect();
    kit.store(element.pack(kit, &words), to, VECTOR_BYTES);
}

fn slot_address<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    work: &RegisterWork<'_, 'c, 'a>,
    room: &ResultRoom,
    slot: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let bytes = kit.times(slot, room.result_bytes);
    let gaps = kit.times(kit.over(bytes, GAP_EVERY), room.gap());
    kit.at(work.room(kit, room.items), kit.wide(kit.add(bytes, gaps)))
}
