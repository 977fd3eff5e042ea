//! The results of a warp: collected in shared memory at the phase of their array, and copied out in one piece.
//!
//! ```text
//!   array     … | 14 15 16 17 | 18 19 20 21 | 22 23 24 25 | …     vectors of 16 bytes
//!   results           16 17     18 19 20 21   22 23               of places 16 to 23
//!   shared      | -  -  16 17 | 18 19 20 21 | 22 23               both ends one by one, whole vectors by one copy
//! ```

use melior::ir::Type;
use tile_dialect::ops::ScanElement;
use tile_isa::WARP;
use tile_plan::chained::ChainedRing;
use tile_plan::scan::tile::VECTOR_BYTES;

use super::kernel::ChainedKernel;
use super::regions::Emitted;
use crate::emit::{Cmp, EmittedElement, Kit, Val};
use crate::scan::kernel::ScannedArray;

/// Bytes of a word of a vector.
const WORD_BYTES: i64 = 4;

/// The most bytes that lanes store themselves, a vector each.
const STORED_BYTES: i64 = WARP * VECTOR_BYTES;

/// Places of a warp's results in an array.
#[derive(Clone, Copy)]
pub struct Piece<'c, 'a> {
    /// The first one, i64.
    pub start: Val<'c, 'a>,
    /// The one after the lane's last result, i64; in the last lane that after the last result.
    pub end: Val<'c, 'a>,
}

impl<'c: 'a, 'a> Piece<'c, 'a> {
    /// Pieces as a list of loop-carried values.
    pub fn list(pieces: &[Self]) -> Vec<Val<'c, 'a>> {
        pieces.iter().flat_map(|piece| [piece.start, piece.end]).collect()
    }

    /// Pieces from such a list.
    pub fn from_list(values: &[Val<'c, 'a>]) -> Vec<Self> {
        values.chunks_exact(2).map(|pair| Piece { start: pair[0], end: pair[1] }).collect()
    }

    /// Begins at the place of the first lane's element, where the bit is set.
    pub fn begin(&mut self, kit: Kit<'c, 'a>, is_first: Val<'c, 'a>, place: Val<'c, 'a>) {
        self.start = kit.select(is_first, from_lane(kit, place, 0), self.start);
    }
}

/// A place (i64) of one lane.
fn from_lane<'c: 'a, 'a>(kit: Kit<'c, 'a>, place: Val<'c, 'a>, lane: i64) -> Val<'c, 'a> {
    let [low, high] = [place, kit.shr(place, 32)].map(|half| kit.shuffle_from(kit.narrow(half), kit.i32(lane)));
    kit.or(kit.zero_extended(low, 64), kit.shl(kit.zero_extended(high, 64), 32))
}

/// The shared memory in which a warp collects its results.
pub struct WarpResults<'k, 'w, 'c, 'a> {
    kernel: &'w ChainedKernel<'k, 'c, 'a>,
    /// For each array, where the warp's results begin.
    rooms: Vec<Val<'c, 'a>>,
    /// For each array, where its element 0 would be in shared memory.
    origins: Vec<Val<'c, 'a>>,
}

impl<'k, 'w, 'c: 'a, 'a> WarpResults<'k, 'w, 'c, 'a> {
    /// The rooms of a warp, of a ring that begins at an address in shared memory.
    pub fn new(
        kit: Kit<'c, 'a>,
        kernel: &'w ChainedKernel<'k, 'c, 'a>,
        ring: &ChainedRing,
        (shared, warp): (Val<'c, 'a>, Val<'c, 'a>),
    ) -> Self {
        let room = |(dest, &offset): (&ScannedArray<'c, 'a>, &i64)| {
            let skipped = kit.times(warp, ring.warp_bytes(dest.element.bytes()));
            kit.at(kit.beyond(shared, offset), kit.wide(skipped))
        };
        let rooms: Vec<_> = kernel.dests.iter().zip(&ring.results).map(room).collect();
        WarpResults { kernel, origins: rooms.clone(), rooms }
    }

    /// Waits until the results of the tile before have been read.
    pub fn wait_free(&self, kit: Kit<'c, 'a>) {
        kit.when(self.kernel.chain.is_first_lane(kit), |kit| kit.wait_copied_out(0));
        kit.warp_barrier();
    }

    /// The bytes between an address of whole vectors and the first result, i64.
    fn phase(&self, kit: Kit<'c, 'a>, index: usize, piece: &Piece<'c, 'a>) -> Val<'c, 'a> {
        kit.mask(kit.address(self.kernel.dests[index].place(kit, piece.start)), VECTOR_BYTES - 1)
    }

    /// Finds where results of these places are kept.
    pub fn locate(&mut self, kit: Kit<'c, 'a>, pieces: &[Piece<'c, 'a>]) {
        for (index, piece) in pieces.iter().enumerate() {
            let skipped = kit.times(piece.start, self.kernel.dests[index].element.bytes());
            self.origins[index] = kit.at(self.rooms[index], kit.sub(self.phase(kit, index, piece), skipped));
        }
    }

    /// Keeps the results of one element, where it is kept.
    pub fn keep(&self, kit: Kit<'c, 'a>, results: &[Emitted<'c, 'a>]) {
        for ((dest, result), &origin) in self.kernel.dests.iter().zip(results).zip(&self.origins) {
            kit.when(result.kept, |kit| {
                let place = kit.at(origin, kit.times(result.place, dest.element.bytes()));
                kit.store(dest.element.pack(kit, &[result.value]), place, dest.element.bytes());
            });
        }
    }

    /// Copies out what the warp has collected.
    pub fn copy_out(&self, kit: Kit<'c, 'a>, pieces: &[Piece<'c, 'a>]) {
        pieces.iter().enumerate().for_each(|(index, piece)| self.copy_piece(kit, index, piece));
    }

    fn copy_piece(&self, kit: Kit<'c, 'a>, index: usize, piece: &Piece<'c, 'a>) {
        let (dest, room, lane) = (&self.kernel.dests[index], self.rooms[index], self.kernel.chain.lane);
        let bytes = dest.element.bytes();
        let phase = self.phase(kit, index, piece);
        let to = kit.at(dest.place(kit, piece.start), kit.sub(kit.i64(0), phase));
        let results = kit.narrow(kit.sub(from_lane(kit, piece.end, WARP - 1), piece.start));
        let phase = kit.narrow(phase);
        // Bytes from the first vector on: to the end, to the first whole vector, and to the end of the last one.
        let end = kit.add(phase, kit.times(results, bytes));
        let first = kit.select(kit.is(Cmp::Eq, phase, 0), kit.i32(0), kit.i32(VECTOR_BYTES));
        let last = kit.mask(end, -VECTOR_BYTES);
        let some = kit.cmp(Cmp::Sge, last, first);
        if bytes < VECTOR_BYTES {
            let step = kit.times(lane, bytes);
            let one = |kit: Kit<'c, 'a>, offset, inside| {
                kit.when(inside, |kit| copy(kit, dest.element, (room, to), offset));
            };
            let head = kit.add(phase, step);
            one(kit, head, kit.cmp(Cmp::Slt, head, kit.min(first, end)));
            let tail = kit.add(last, step);
            one(kit, tail, kit.and(some, kit.cmp(Cmp::Slt, tail, end)));
        }
        let whole = kit.sub(last, first);
        let many = kit.is(Cmp::Sgt, whole, STORED_BYTES);
        kit.when(kit.and(many, self.kernel.chain.is_first_lane(kit)), |kit| {
            let [from, to] = [room, to].map(|base| kit.at(base, kit.wide(first)));
            kit.copy_out(to, from, whole);
        });
        let offset = kit.add(first, kit.times(lane, VECTOR_BYTES));
        let stored = kit.and(kit.not(many), kit.cmp(Cmp::Slt, offset, last));
        kit.when(stored, |kit| copy(kit, vector(kit), (room, to), offset));
    }
}

/// Copies one element from shared to global memory, at the same offset (i32) from both.
fn copy<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    element: EmittedElement<'c>,
    (from, to): (Val<'c, 'a>, Val<'c, 'a>),
    offset: Val<'c, 'a>,
) {
    let [from, to] = [from, to].map(|base| kit.at(base, kit.wide(offset)));
    kit.store(kit.load(from, element.vector_type(1), element.bytes()), to, element.bytes());
}

/// A whole vector as one element.
fn vector<'c: 'a, 'a>(kit: Kit<'c, 'a>) -> EmittedElement<'c> {
    let words = Type::vector(&[(VECTOR_BYTES / WORD_BYTES) as u64], kit.int_type(32));
    EmittedElement(ScanElement::new(words).expect("a vector of words is an element"))
}
