//! The scan warps: they compute the results of a tile in place, then copy them out.

use super::places::SUM_BYTES;
use super::{Bar, Block, Round};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::local::{self, Rows};
use crate::scan::operator::Maybe;
use crate::scan::transfer::{self, Items, ThreadPart};

/// The named barrier of the scan warps.
const MEETING: i64 = 1;

pub fn run<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>) {
    let beginning = block.kernel.chain.beginning(kit);
    let zero = kit.i32(0);
    // Carried: the sum up to and including the block's last tile; which slots of the warps' sums are next; the stage of
    // the last tile.
    block.rounds(kit, [beginning.value, zero, zero], |kit, round, [sum, turn, last_slot]| {
        kit.wait(block.bar(kit, Bar::Full, round.slot), round.phase);
        let full = block.is_full(kit, round.tile);
        let place = ThreadPart::new(kit, &block.kernel.chain, &block.ring.tile, round.tile);
        let rows = local::rows(kit, &block.kernel.chain, load(kit, block, round, full, place));
        let room = block.warp_sums(kit, turn);
        let warps = local::warps(kit, &block.kernel.chain, &block.ring.tile, rows.total, (room, SUM_BYTES), |kit| {
            meet(kit, block);
        });
        kit.wait(block.bar(kit, Bar::Reduced, round.slot), round.phase);
        kit.wait(block.bar(kit, Bar::Prefixed, round.slot), round.phase);
        let prefix = prefix(kit, block, round, sum);
        // The sum of a partial tile at the end of the array is not known, but no tile follows it.
        let own = |kit: Kit<'c, 'a>| [block.load_sum(kit, block.own(kit, round.slot))];
        let [own] =
            kit.either(full, own, [block.kernel.chain.element().0.r#type], |kit| [block.kernel.chain.nothing(kit)]);
        let next = block.kernel.chain.operator.after(kit, prefix, own);
        let all_before = block.kernel.chain.operator.join(kit, prefix, warps.before);
        store(kit, block, [round.slot, last_slot], [round.tile, round.is_first, full], (&rows, all_before, place));
        [next, kit.sub(kit.i32(1), turn), round.slot]
    });
    kit.when(kit.is(Cmp::Eq, block.kernel.chain.thread, 0), |kit| kit.wait_copied_out(0));
}

fn meet<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>) {
    kit.meet(MEETING, block.ring.tile.threads);
}

/// A thread's elements: from the ring for a full tile, else from the array.
fn load<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a>,
    round: Round<'c, 'a>,
    full: Val<'c, 'a>,
    place: ThreadPart<'c, 'a>,
) -> Items<'c, 'a> {
    let (tile, element) = (&block.ring.tile, block.kernel.chain.element());
    let from_ring = |kit: Kit<'c, 'a>| {
        let own = own_part(kit, block, round.slot);
        let vector = |row: i64| {
            let pointer = kit.beyond(own, row * tile.row_elements() * block.kernel.chain.bytes());
            kit.load(pointer, element.vector_type(tile.vector), tile.vector * block.kernel.chain.bytes())
        };
        (0..tile.rows).map(vector).collect()
    };
    let types = vec![element.vector_type(tile.vector); tile.rows as usize];
    let vectors =
        kit.either_list(full, from_ring, &types, |kit| transfer::load_inside(kit, &block.kernel.source, tile, place));
    vectors.into_iter().map(|vector| element.unpack(kit, vector, tile.vector)).collect()
}

/// The address of the thread's elements in a stage.
fn own_part<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
    let (tile, kernel) = (&block.ring.tile, block.kernel);
    let inside = kit.add(kit.times(kernel.chain.warp, tile.warp_elements()), kit.times(kernel.chain.lane, tile.vector));
    kit.at(block.stage(kit, slot), kit.wide(kit.times(inside, kernel.chain.bytes())))
}

/// The sum before the tile: the block's own sum so far, and the sums that the window warp collected.
fn prefix<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a>,
    round: Round<'c, 'a>,
    sum: Val<'c, 'a>,
) -> Maybe<'c, 'a> {
    let follows = kit.not(round.is_first);
    let there = block.kernel.chain.first.map_or(Some(follows), |_| None);
    let window = block.load_sum(kit, block.before(kit, round.slot));
    let others = kit.is(Cmp::Sgt, block.blocks, 1);
    let earlier = kit.is(Cmp::Sgt, round.tile, 0);
    let some = kit.select(round.is_first, earlier, others);
    block.kernel.chain.operator.join(kit, Maybe { value: sum, there }, Maybe::where_set(window, some))
}

/// Stores the results: of a full tile into the ring and from there to the array, else directly to the array.
fn store<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a>,
    [slot, last_slot]: [Val<'c, 'a>; 2],
    [number, is_first, full]: [Val<'c, 'a>; 3],
    (rows, before, place): (&Rows<'c, 'a>, Maybe<'c, 'a>, ThreadPart<'c, 'a>),
) {
    let (tile, element) = (&block.ring.tile, block.kernel.chain.element());
    let items = rows.results(kit, &block.kernel.chain, before, block.kernel.exclusive);
    kit.when(full, |kit| {
        let own = own_part(kit, block, slot);
        for (row, items) in items.iter().enumerate() {
            let pointer = kit.beyond(own, row as i64 * tile.row_elements() * block.kernel.chain.bytes());
            kit.store(element.pack(kit, items), pointer, tile.vector * block.kernel.chain.bytes());
        }
        kit.fence_for_copies();
        meet(kit, block);
        kit.when(kit.is(Cmp::Eq, block.kernel.chain.thread, 0), |kit| {
            let to = block.tile_at(kit, block.kernel.dest.first, number);
            kit.copy_out(to, block.stage(kit, slot), block.ring.tile_bytes);
            // All groups but the newest have read shared memory: the last tile's stage is free.
            kit.wait_copied_out(1);
            kit.when(kit.not(is_first), |kit| kit.arrive(block.bar(kit, Bar::Done, last_slot)));
        });
    });
    kit.when(kit.not(full), |kit| transfer::store_inside(kit, &block.kernel.dest, tile, place, &items));
}
