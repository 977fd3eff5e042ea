//! The kernel whose blocks pass their tiles through a ring. What a warp keeps of its part of a tile is collected in shared memory, and
//! leaves in one piece; no scan warp waits for another one.
//!
//! ```text
//!            load             reduce                    window                scan
//!   tile k   copies it in     payloads of the warps'    payloads of the       payload before the part: prefix, and the parts before
//!            (with the        parts; publishes their    tiles since the       results, collected by each warp
//!            elements beside) combination               block's last one      copies them out (cp.async.bulk)
//! ```

use tile_plan::chained::ChainedRing;
use tile_plan::scan::ring::SUM_BYTES;
use tile_plan::scan::{Ring, Tile};

use super::elements::ChainedPart;
use super::kernel::ChainedKernel;
use super::pieces::{Piece, WarpResults};
use super::regions::{self, ElementArguments, Emitted};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::kernel::ScannedArray;
use crate::scan::local;
use crate::scan::operator::Maybe;
use crate::scan::ring::{Bar, Block, RingWork, Round, TileRows, TileSource};
use crate::scan::transfer::{self, Items};

/// The work of a block that passes its tiles through a ring.
pub struct ChainedRingWork<'k, 'c, 'a> {
    /// The kernel.
    pub kernel: ChainedKernel<'k, 'c, 'a>,
    /// The ring.
    pub ring: &'k ChainedRing,
}

impl<'c: 'a, 'a> RingWork<'c, 'a> for ChainedRingWork<'_, 'c, 'a> {
    const REDUCES_LAST: bool = true;
    const MOST_TOGETHER: i64 = 16;

    fn releases(ring: &Ring) -> i64 {
        ring.tile.warps()
    }

    fn copy_in(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, round: Round<'c, 'a>) {
        let full = block.bar(kit, Bar::Full, round.slot);
        let tile = self.stage(kit, block, round.slot);
        let copies: Vec<_> = (self.kernel.sources.iter().zip(tile))
            .map(|(source, to)| self.copy_of(kit, block, (source, to), round.tile))
            .collect();
        let bytes = copies.iter().map(|copy| copy.bytes).reduce(|all, one| kit.add(all, one));
        kit.arrive_expecting(full, bytes.expect("an array is read"));
        copies.iter().for_each(|copy| kit.copy_in(copy.to, copy.from, copy.bytes, full));
    }

    fn rows(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, rows: TileRows<'c, 'a>) -> Items<'c, 'a> {
        regions::summaries(kit, &self.kernel, &self.part(kit, block, rows))
    }

    fn scan(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>) {
        let beginning = block.chain.beginning(kit);
        // Carried: the payload up to and including the block's last tile.
        block.rounds(kit, [beginning.value], |kit, round, [sum]| {
            for bar in [Bar::Full, Bar::Reduced, Bar::Prefixed] {
                block.wait(kit, bar, [round.slot, round.phase]);
            }
            let prefix = block.prefix(kit, round, sum);
            let next = block.including(kit, round, prefix);
            let before = self.before_warp(kit, block, (round, prefix));
            let full = block.is_full(kit, round.tile);
            kit.when(full, |kit| self.write_whole(kit, block, round, [before, next]));
            kit.when(kit.not(full), |kit| self.write_last(kit, block, round, before));
            [next]
        });
        // Shared memory is there until it has been read.
        kit.when(block.chain.is_first_lane(kit), |kit| kit.wait_copied_out(0));
    }
}

/// A copy of one array's part of a tile into a stage.
struct TileCopy<'c, 'a> {
    to: Val<'c, 'a>,
    from: Val<'c, 'a>,
    /// Bytes, i32.
    bytes: Val<'c, 'a>,
}

impl<'c: 'a, 'a> ChainedRingWork<'_, 'c, 'a> {
    /// For each source the address of its first element in a stage.
    fn stage(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, slot: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
        let stage = block.stage(kit, slot);
        self.ring.sources.iter().map(|&offset| kit.beyond(stage, offset)).collect()
    }

    /// The copy of an array's part of a tile to an address: with a halo, whole vectors on both sides, as far as the array has them.
    /// Where it has none, the elements beside the tile are written by this thread: at an end, the one inside.
    fn copy_of(
        &self,
        kit: Kit<'c, 'a>,
        block: &Block<'_, 'c, 'a, Self>,
        (source, to): (&ScannedArray<'c, 'a>, Val<'c, 'a>),
        tile: Val<'c, 'a>,
    ) -> TileCopy<'c, 'a> {
        let (elements, halo, element) = (block.ring.tile.elements(), self.ring.halo_bytes, source.element);
        let bytes = elements * element.bytes();
        let start = kit.times(kit.wide(tile), elements);
        let from = source.place(kit, start);
        if halo == 0 {
            return TileCopy { to, from, bytes: kit.i32(bytes) };
        }
        let copy_one = |kit: Kit<'c, 'a>, index, to| {
            kit.store(element.pack(kit, &[source.read(kit, source.place(kit, index))]), to, element.bytes());
            kit.fence_for_copies();
        };
        let has_before = kit.is(Cmp::Sgt, tile, 0);
        kit.when(kit.not(has_before), |kit| copy_one(kit, start, kit.beyond(to, -element.bytes())));
        let (end, last) = (kit.plus(start, elements), kit.plus(block.chain.n, -1));
        let has_after = kit.cmp(Cmp::Sle, kit.plus(end, halo / element.bytes()), block.chain.n);
        kit.when(kit.not(has_after), |kit| copy_one(kit, kit.min(end, last), kit.beyond(to, bytes)));
        let [before, after] = [has_before, has_after].map(|has| kit.select(has, kit.i32(halo), kit.i32(0)));
        let back = kit.sub(kit.i64(0), kit.wide(before));
        TileCopy { to: kit.at(to, back), from: kit.at(from, back), bytes: kit.plus(kit.add(before, after), bytes) }
    }

    /// A lane's elements of some rows of a tile.
    fn part(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, rows: TileRows<'c, 'a>) -> ChainedPart<'c, 'a> {
        let tile = Tile { rows: rows.count, ..block.ring.tile };
        let stage = match rows.source {
            TileSource::Stage(slot) => Some(self.stage(kit, block, slot)),
            TileSource::Arrays | TileSource::ArrayEnds => None,
        };
        let from = stage.clone();
        ChainedPart::load(kit, &self.kernel, ([rows.tile, rows.start], stage), |index, source, place| {
            let vectors = match (&from, rows.source) {
                (Some(stage), _) => {
                    let (element, vector) = (source.element, tile.vector);
                    let first = kit.at(stage[index], kit.wide(kit.times(rows.start, element.bytes())));
                    let load = |row: i64| {
                        let pointer = kit.beyond(first, row * tile.row_elements() * element.bytes());
                        kit.load(pointer, element.vector_type(vector), vector * element.bytes())
                    };
                    (0..tile.rows).map(load).collect()
                }
                (None, TileSource::ArrayEnds) => transfer::load_inside(kit, source, &tile, place),
                (None, _) => transfer::load_vectors(kit, source, &tile, place.start),
            };
            transfer::unpacked(kit, source, &tile, vectors)
        })
    }

    /// The payload before a warp's part of the round's tile, given the one before the tile.
    fn before_warp(
        &self,
        kit: Kit<'c, 'a>,
        block: &Block<'_, 'c, 'a, Self>,
        (round, prefix): (Round<'c, 'a>, Maybe<'c, 'a>),
    ) -> Val<'c, 'a> {
        let partial = block.partial(kit, round.slot);
        let mut before = prefix.value;
        let mut all = before;
        for warp in 1..block.ring.tile.warps() {
            let part = block.load_sum(kit, kit.beyond(partial, (warp - 1) * SUM_BYTES));
            all = block.chain.operator.combine(kit, all, part);
            before = kit.select(kit.is(Cmp::Sge, block.chain.warp, warp), all, before);
        }
        before
    }

    /// Writes the results of a warp's part of a whole tile, given the payload before the part, and the one up to the tile's end.
    fn write_whole(
        &self,
        kit: Kit<'c, 'a>,
        block: &Block<'_, 'c, 'a, Self>,
        round: Round<'c, 'a>,
        [before, next]: [Val<'c, 'a>; 2],
    ) {
        let mut results = WarpResults::new(kit, &self.kernel, self.ring, (block.stages, block.chain.warp));
        results.wait_free(kit);
        let pieces: Vec<_> = self.kernel.dests.iter().flat_map(|_| [kit.i64(0), kit.i64(0)]).collect();
        let first = [vec![before], pieces].concat();
        let made =
            self.parts(kit, block, (TileSource::Stage(round.slot), round.tile), &first, |kit, row, part, values| {
                let is_first = kit.is(Cmp::Eq, row, 0);
                let mut pieces = Piece::from_list(&values[1..]);
                let before = self.emit(kit, part, values[0], |kit, at, emitted, _| {
                    if at == [0, 0] {
                        pieces.iter_mut().zip(emitted).for_each(|(piece, one)| piece.begin(kit, is_first, one.place));
                        results.locate(kit, &pieces);
                    }
                    results.keep(kit, emitted);
                    pieces.iter_mut().zip(emitted).for_each(|(piece, one)| piece.end = one.end(kit));
                });
                [vec![before], Piece::list(&pieces)].concat()
            });
        // All lanes have read the stage.
        kit.fence_for_copies();
        kit.warp_barrier();
        kit.when(block.chain.is_first_lane(kit), |kit| kit.arrive(block.bar(kit, Bar::Done, round.slot)));
        results.copy_out(kit, &Piece::from_list(&made[1..]));
        let end = kit.times(kit.wide(kit.plus(round.tile, 1)), block.ring.tile.elements());
        let is_last = kit.cmp(Cmp::Eq, end, block.chain.n);
        let finishes = kit.and(is_last, kit.is(Cmp::Eq, block.chain.thread, 0));
        kit.when(finishes, |kit| regions::finish(kit, &self.kernel, next));
    }

    /// Writes the results of a warp's part of the tile inside of which the array ends, each where it belongs.
    fn write_last(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, round: Round<'c, 'a>, before: Val<'c, 'a>) {
        self.parts(kit, block, (TileSource::ArrayEnds, round.tile), &[before], |kit, _, part, values| {
            let last = kit.plus(part.count, -1);
            let before = self.emit(kit, part, values[0], |kit, at, emitted, payload| {
                regions::write_each(kit, &self.kernel, emitted);
                let is_last = kit.cmp(Cmp::Eq, part.position(kit, &self.kernel, at), last);
                kit.when(is_last, |kit| regions::finish(kit, &self.kernel, payload));
            });
            vec![before]
        });
    }

    /// Runs `body` for the parts of a warp's rows of a tile, from left to right; the values are carried from part to part.
    fn parts(
        &self,
        kit: Kit<'c, 'a>,
        block: &Block<'_, 'c, 'a, Self>,
        (source, number): (TileSource<'c, 'a>, Val<'c, 'a>),
        first: &[Val<'c, 'a>],
        body: impl FnOnce(Kit<'c, 'a>, Val<'c, 'a>, &ChainedPart<'c, 'a>, &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>>,
    ) -> Vec<Val<'c, 'a>> {
        let (tile, count) = (&block.ring.tile, self.ring.part_rows);
        let lane = block.lane_start(kit);
        let range = [kit.i32(0), kit.i32(tile.rows), kit.i32(count)];
        kit.count_list(range, first, |kit, row, values| {
            let start = kit.add(lane, kit.times(row, tile.row_elements()));
            let part = self.part(kit, block, TileRows { source, tile: number, start, count });
            body(kit, row, &part, values)
        })
    }

    /// Runs the region `emit` for each element of a part, given the payload before it; `each` gets its row and place, what the region
    /// yields, and the payload up to it. Returns the payload up to the part's end.
    fn emit(
        &self,
        kit: Kit<'c, 'a>,
        part: &ChainedPart<'c, 'a>,
        before: Val<'c, 'a>,
        mut each: impl FnMut(Kit<'c, 'a>, [usize; 2], &[Emitted<'c, 'a>], Val<'c, 'a>),
    ) -> Val<'c, 'a> {
        let chain = &self.kernel.chain;
        let rows = local::rows(kit, chain, regions::summaries(kit, &self.kernel, part));
        let arguments = ElementArguments::of_emit(kit, &self.kernel, part);
        for (row, (first, inclusive)) in rows.sums(kit, chain, Maybe::always(before)).into_iter().enumerate() {
            let befores = std::iter::once(first).chain(inclusive.iter().copied());
            for (place, (before, payload)) in befores.zip(inclusive.iter().copied()).enumerate() {
                let emitted = regions::emitted(kit, &self.kernel, &arguments, ([row, place], [before, payload]));
                each(kit, [row, place], &emitted, payload);
            }
        }
        chain.operator.combine(kit, before, rows.total)
    }
}
