//! The reduce warps: they publish the sum of a tile to all blocks as soon as the tile has arrived.

use tile_isa::WARP;
use tile_plan::scan::ring::SUM_BYTES;

use super::{Bar, Block, RingWork, Round, TileRows, TileSource};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::local;
use crate::scan::operator::Maybe;
use crate::scan::state;
use crate::scan::transfer::Items;

/// The named barrier of the reduce warps.
const MEETING: i64 = 2;

/// Rows whose loads are in flight together.
const TOGETHER: i64 = 8;

pub fn run<'c: 'a, 'a, W: RingWork<'c, 'a>>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, W>) {
    block.rounds(kit, [], |kit, round, []| {
        block.wait(kit, Bar::Full, [round.slot, round.phase]);
        let reduced = block.bar(kit, Bar::Reduced, round.slot);
        let leads = kit.and(kit.is(Cmp::Eq, block.chain.warp, 0), block.chain.is_first_lane(kit));
        let full = block.is_full(kit, round.tile);
        kit.when(full, |kit| {
            let total = tile_sum(kit, block, round, TileSource::Stage(round.slot));
            kit.when(leads, |kit| {
                let states = block.states();
                let last = kit.plus(block.tiles, -1);
                state::hold(kit, states, &block.exchange.hooks, [round.tile, last]);
                state::aggregate(kit, states, &block.exchange.hooks, round.tile, total);
                block.store_sum(kit, total, block.aggregate(kit, round.slot));
                kit.arrive(reduced);
            });
        });
        // No block polls the sum of a tile at the end of the array.
        kit.when(kit.not(full), |kit| {
            if W::REDUCES_LAST {
                tile_sum(kit, block, round, TileSource::ArrayEnds);
            }
            kit.when(leads, |kit| kit.arrive(reduced));
        });
        []
    });
}

/// The sum of the round's tile, in the reduce warps' first lanes; those of their parts are in shared memory.
fn tile_sum<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    round: Round<'c, 'a>,
    source: TileSource<'c, 'a>,
) -> Val<'c, 'a> {
    let of_warp = warp_sum(kit, block, (source, round.tile), block.chain.warp);
    let partial = block.partial(kit, round.slot);
    kit.when(block.chain.is_first_lane(kit), |kit| {
        let place = kit.at(partial, kit.wide(kit.times(block.chain.warp, SUM_BYTES)));
        block.store_sum(kit, of_warp, place);
    });
    kit.meet(MEETING, WARP * block.ring.reduce_warps);
    let sum = |warp: i64| block.load_sum(kit, kit.beyond(partial, warp * SUM_BYTES));
    (1..block.ring.reduce_warps).fold(sum(0), |total, warp| block.chain.operator.combine(kit, total, sum(warp)))
}

/// The sum of a tile in global memory, computed by one warp, in its first lane. It adds the same parts in the same
/// order as the reduce warps, so the bits are the same.
pub fn stalled_sum<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    tile: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let warps = [kit.i32(0), kit.i32(block.ring.reduce_warps), kit.i32(1)];
    let [sum] = kit.count(warps, [block.chain.nothing(kit)], |kit, warp, [sum]| {
        let before = Maybe::where_set(sum, kit.is(Cmp::Sgt, warp, 0));
        let of_warp = warp_sum(kit, block, (TileSource::Arrays, tile), warp);
        [block.chain.operator.after(kit, before, of_warp)]
    });
    sum
}

/// The sum of one reduce warp's rows of a tile, in the first lane.
///
/// ```text
///   an operator that commutes    each lane adds its elements of all rows; then the lanes are added, once
///   a region                     the lanes of each row are added, from left to right; then the rows
/// ```
fn warp_sum<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    (source, tile): (TileSource<'c, 'a>, Val<'c, 'a>),
    warp: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let (shape, operator) = (&block.ring.tile, &block.chain.operator);
    let rows = shape.warps() * shape.rows / block.ring.reduce_warps;
    let most = TOGETHER.min(rows).min((W::MOST_TOGETHER / shape.vector).max(1));
    let together = (1..=most).rev().find(|together| rows % together == 0).unwrap_or(1);
    let lane = kit.times(block.chain.lane, shape.vector);
    let first = kit.add(kit.times(warp, rows * shape.row_elements()), lane);
    let steps = [kit.i32(0), kit.i32(rows), kit.i32(together)];
    let [sum] = kit.count(steps, [block.chain.nothing(kit)], |kit, row, [sum]| {
        let start = kit.add(first, kit.times(row, shape.row_elements()));
        let items = block.work.rows(kit, block, TileRows { source, tile, start, count: together });
        let before = Maybe::where_set(sum, kit.is(Cmp::Sgt, row, 0));
        [operator.after(kit, before, rows_sum(kit, block, items))]
    });
    if operator.commutes() { lanes_sums(kit, block, vec![sum])[0] } else { sum }
}

/// The sum of rows: of the lane's part where the operator commutes, else of all lanes' parts, in the first lane.
fn rows_sum<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    items: Items<'c, 'a>,
) -> Val<'c, 'a> {
    let operator = &block.chain.operator;
    let sum = |values: Vec<Val<'c, 'a>>| {
        values.into_iter().reduce(|left, right| operator.combine(kit, left, right)).expect("there are rows and vectors")
    };
    let rows = items.into_iter().map(sum).collect();
    sum(if operator.commutes() { rows } else { lanes_sums(kit, block, rows) })
}

/// The sums of all lanes, from left to right, in the first lane, one per row.
fn lanes_sums<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    rows: Vec<Val<'c, 'a>>,
) -> Vec<Val<'c, 'a>> {
    let chain = &block.chain;
    local::lane_steps(kit, chain, rows, |kit, rows, distance| {
        let right = |&sum: &_| chain.element().shuffled(kit, sum, |word| kit.shuffle_down(word, distance));
        let rights: Vec<_> = rows.iter().map(right).collect();
        rows.iter().zip(rights).map(|(&sum, right)| chain.operator.combine(kit, sum, right)).collect()
    })
}
