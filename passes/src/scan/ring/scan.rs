//! The scan warps: they compute the results of a tile in place, then copy them out.

use tile_plan::scan::Ring;
use tile_plan::scan::ring::SUM_BYTES;

use super::{Bar, Block, RingWork, Round, TileRows, TileSource};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::kernel::ScanKernel;
use crate::scan::local::{self, Rows};
use crate::scan::operator::Maybe;
use crate::scan::transfer::{self, Items, ThreadPart};

/// The named barrier of the scan warps.
const MEETING: i64 = 1;

/// A block of a scan.
type ScanBlock<'k, 'c, 'a> = Block<'k, 'c, 'a, ScanKernel<'c, 'a>>;

impl<'c: 'a, 'a> RingWork<'c, 'a> for ScanKernel<'c, 'a> {
    const REDUCES_LAST: bool = false;
    const MOST_TOGETHER: i64 = i64::MAX;

    fn releases(_ring: &Ring) -> i64 {
        1
    }

    fn copy_in(&self, kit: Kit<'c, 'a>, block: &ScanBlock<'_, 'c, 'a>, round: Round<'c, 'a>) {
        let (full, bytes) = (block.bar(kit, Bar::Full, round.slot), kit.i32(block.ring.stage_bytes));
        kit.arrive_expecting(full, bytes);
        kit.copy_in(block.stage(kit, round.slot), tile_at(kit, block, self.source.first, round.tile), bytes, full);
    }

    fn rows(&self, kit: Kit<'c, 'a>, block: &ScanBlock<'_, 'c, 'a>, rows: TileRows<'c, 'a>) -> Items<'c, 'a> {
        let (tile, element) = (&block.ring.tile, block.chain.element());
        let from = match rows.source {
            TileSource::Stage(slot) => block.stage(kit, slot),
            TileSource::Arrays | TileSource::ArrayEnds => tile_at(kit, block, self.source.first, rows.tile),
        };
        let from = kit.at(from, kit.wide(kit.times(rows.start, element.bytes())));
        let load = |row: i64| {
            let pointer = kit.beyond(from, row * tile.row_elements() * element.bytes());
            kit.load(pointer, element.vector_type(tile.vector), tile.vector * element.bytes())
        };
        let vectors: Vec<_> = (0..rows.count).map(load).collect();
        vectors.into_iter().map(|vector| element.unpack(kit, vector, tile.vector)).collect()
    }

    fn scan(&self, kit: Kit<'c, 'a>, block: &ScanBlock<'_, 'c, 'a>) {
        let beginning = block.chain.beginning(kit);
        let zero = kit.i32(0);
        // Carried: the sum up to and including the block's last tile; which slots of the warps' sums are next; the stage of
        // the last tile.
        block.rounds(kit, [beginning.value, zero, zero], |kit, round, [sum, turn, last_slot]| {
            block.wait(kit, Bar::Full, [round.slot, round.phase]);
            let full = block.is_full(kit, round.tile);
            let place = ThreadPart::new(kit, &block.chain, &block.ring.tile, round.tile);
            let rows = local::rows(kit, &block.chain, load(kit, block, round, full, place));
            let room = block.warp_sums(kit, turn);
            let warps = local::warps(kit, &block.chain, &block.ring.tile, rows.total, (room, SUM_BYTES), |kit| {
                meet(kit, block);
            });
            block.wait(kit, Bar::Reduced, [round.slot, round.phase]);
            block.wait(kit, Bar::Prefixed, [round.slot, round.phase]);
            let prefix = block.prefix(kit, round, sum);
            let next = block.including(kit, round, prefix);
            let all_before = block.chain.operator.join(kit, prefix, warps.before);
            store(kit, block, [round.slot, last_slot], [round.tile, round.is_first, full], (&rows, all_before, place));
            [next, kit.sub(kit.i32(1), turn), round.slot]
        });
        kit.when(kit.is(Cmp::Eq, block.chain.thread, 0), |kit| kit.wait_copied_out(0));
    }
}

/// The address of a tile in an array.
fn tile_at<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &ScanBlock<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    tile: Val<'c, 'a>,
) -> Val<'c, 'a> {
    kit.at(array, kit.times(kit.wide(tile), block.ring.stage_bytes))
}

fn meet<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &ScanBlock<'_, 'c, 'a>) {
    kit.meet(MEETING, block.ring.tile.threads);
}

/// A thread's elements: from the ring for a full tile, else from the array.
fn load<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &ScanBlock<'_, 'c, 'a>,
    round: Round<'c, 'a>,
    full: Val<'c, 'a>,
    place: ThreadPart<'c, 'a>,
) -> Items<'c, 'a> {
    let (tile, element) = (&block.ring.tile, block.chain.element());
    let from_ring = |kit: Kit<'c, 'a>| {
        let part = lane_part(kit, block, round.slot);
        let vector = |row: i64| {
            let pointer = kit.beyond(part, row * tile.row_elements() * block.chain.bytes());
            kit.load(pointer, element.vector_type(tile.vector), tile.vector * block.chain.bytes())
        };
        (0..tile.rows).map(vector).collect()
    };
    let types = vec![element.vector_type(tile.vector); tile.rows as usize];
    let vectors =
        kit.either_list(full, from_ring, &types, |kit| transfer::load_inside(kit, &block.work.source, tile, place));
    vectors.into_iter().map(|vector| element.unpack(kit, vector, tile.vector)).collect()
}

/// The address of the thread's elements in a stage.
fn lane_part<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &ScanBlock<'_, 'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
    kit.at(block.stage(kit, slot), kit.wide(kit.times(block.lane_start(kit), block.chain.bytes())))
}

/// Stores the results: of a full tile into the ring and from there to the array, else directly to the array.
fn store<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &ScanBlock<'_, 'c, 'a>,
    [slot, last_slot]: [Val<'c, 'a>; 2],
    [number, is_first, full]: [Val<'c, 'a>; 3],
    (rows, before, place): (&Rows<'c, 'a>, Maybe<'c, 'a>, ThreadPart<'c, 'a>),
) {
    let (tile, element) = (&block.ring.tile, block.chain.element());
    let items = rows.results(kit, &block.chain, before, block.work.exclusive);
    kit.when(full, |kit| {
        let part = lane_part(kit, block, slot);
        for (row, items) in items.iter().enumerate() {
            let pointer = kit.beyond(part, row as i64 * tile.row_elements() * block.chain.bytes());
            kit.store(element.pack(kit, items), pointer, tile.vector * block.chain.bytes());
        }
        kit.fence_for_copies();
        meet(kit, block);
        kit.when(kit.is(Cmp::Eq, block.chain.thread, 0), |kit| {
            let to = tile_at(kit, block, block.work.dest.first, number);
            kit.copy_out(to, block.stage(kit, slot), kit.i32(block.ring.stage_bytes));
            // All groups but the newest have read shared memory: the last tile's stage is free.
            kit.wait_copied_out(1);
            kit.when(kit.not(is_first), |kit| kit.arrive(block.bar(kit, Bar::Done, last_slot)));
        });
    });
    kit.when(kit.not(full), |kit| transfer::store_inside(kit, &block.work.dest, tile, place, &items));
}
