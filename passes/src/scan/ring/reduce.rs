//! The reduce warps: they publish the sum of a tile to all blocks as soon as the tile has arrived.

use tile_isa::WARP;

use super::places::SUM_BYTES;
use super::{Bar, Block, Round};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::operator::Maybe;
use crate::scan::state;

/// The named barrier of the reduce warps.
const MEETING: i64 = 2;

/// Rows whose loads are in flight together.
const TOGETHER: i64 = 8;

pub fn run<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>) {
    block.rounds(kit, [], |kit, round, []| {
        kit.wait(block.bar(kit, Bar::Full, round.slot), round.phase);
        let reduced = block.bar(kit, Bar::Reduced, round.slot);
        let leads = kit.and(kit.is(Cmp::Eq, block.kernel.chain.warp, 0), block.kernel.chain.is_first_lane(kit));
        let full = block.is_full(kit, round.tile);
        kit.when(full, |kit| {
            let total = tile_sum(kit, block, round);
            kit.when(leads, |kit| {
                let states = block.states();
                let last = kit.plus(block.tiles, -1);
                state::hold(kit, states, &block.plan.exchange.hooks, [round.tile, last]);
                state::aggregate(kit, states, &block.plan.exchange.hooks, round.tile, total);
                block.store_sum(kit, total, block.own(kit, round.slot));
                kit.arrive(reduced);
            });
        });
        // No block polls the sum of a tile at the end of the array.
        kit.when(kit.not(full), |kit| {
            kit.when(leads, |kit| kit.arrive(reduced));
        });
        []
    });
}

/// The sum of the round's tile, in the reduce warps' first lanes.
fn tile_sum<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>, round: Round<'c, 'a>) -> Val<'c, 'a> {
    let tile = block.stage(kit, round.slot);
    let own = warp_sum(kit, block, tile, block.kernel.chain.warp);
    let partial = block.partial(kit, round.slot);
    kit.when(block.kernel.chain.is_first_lane(kit), |kit| {
        let place = kit.at(partial, kit.wide(kit.times(block.kernel.chain.warp, SUM_BYTES)));
        block.store_sum(kit, own, place);
    });
    kit.meet(MEETING, WARP * block.ring.reduce_warps);
    let sum = |warp: i64| block.load_sum(kit, kit.beyond(partial, warp * SUM_BYTES));
    (1..block.ring.reduce_warps).fold(sum(0), |total, warp| block.kernel.chain.operator.combine(kit, total, sum(warp)))
}

/// The sum of a tile in global memory, computed by one warp, in its first lane. It adds the same parts in the same
/// order as the reduce warps, so the bits are the same.
pub fn stalled_sum<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
    let from = block.tile_at(kit, block.kernel.source.first, tile);
    let warps = [kit.i32(0), kit.i32(block.ring.reduce_warps), kit.i32(1)];
    let [sum] = kit.count(warps, [block.kernel.chain.nothing(kit)], |kit, warp, [sum]| {
        let before = Maybe::where_set(sum, kit.is(Cmp::Sgt, warp, 0));
        [block.kernel.chain.operator.after(kit, before, warp_sum(kit, block, from, warp))]
    });
    sum
}

/// The sum of one reduce warp's rows of a tile, in the first lane.
///
/// ```text
///   an operator that commutes    each lane adds its elements of all rows; then the lanes are added, once
///   a region                     the lanes of each row are added, from left to right; then the rows
/// ```
fn warp_sum<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a>,
    tile: Val<'c, 'a>,
    warp: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let shape = &block.ring.tile;
    let rows = shape.warps() * shape.rows / block.ring.reduce_warps;
    let together = (1..=TOGETHER.min(rows)).rev().find(|together| rows % together == 0).unwrap_or(1);
    let row_bytes = shape.row_elements() * block.kernel.chain.bytes();
    let lane = kit.times(block.kernel.chain.lane, shape.vector * block.kernel.chain.bytes());
    let start = kit.add(kit.times(warp, rows * row_bytes), lane);
    let from = kit.at(tile, kit.wide(start));
    let steps = [kit.i32(0), kit.i32(rows), kit.i32(together)];
    let [sum] = kit.count(steps, [block.kernel.chain.nothing(kit)], |kit, row, [sum]| {
        let from = kit.at(from, kit.wide(kit.times(row, row_bytes)));
        let before = Maybe::where_set(sum, kit.is(Cmp::Sgt, row, 0));
        [block.kernel.chain.operator.after(kit, before, rows_sum(kit, block, from, [together, row_bytes]))]
    });
    if block.kernel.chain.operator.commutes() { lanes_sum(kit, block, sum) } else { sum }
}

/// The sum of `rows` rows, `row_bytes` bytes apart: of the lane's part where the operator commutes, else of all lanes'
/// parts, in the first lane.
fn rows_sum<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a>,
    from: Val<'c, 'a>,
    [rows, row_bytes]: [i64; 2],
) -> Val<'c, 'a> {
    let (element, operator) = (block.kernel.chain.element(), &block.kernel.chain.operator);
    let vector = block.ring.tile.vector;
    let load = |row: i64| {
        kit.load(kit.beyond(from, row * row_bytes), element.vector_type(vector), vector * block.kernel.chain.bytes())
    };
    let vectors: Vec<_> = (0..rows).map(load).collect();
    let sum = |values: Vec<Val<'c, 'a>>| {
        values.into_iter().reduce(|left, right| operator.combine(kit, left, right)).expect("there are rows and vectors")
    };
    let rows = vectors.into_iter().map(|loaded| sum(element.unpack(kit, loaded, vector)));
    match operator.commutes() {
        true => sum(rows.collect()),
        false => sum(rows.map(|own| lanes_sum(kit, block, own)).collect()),
    }
}

/// The sum of all lanes, from left to right, in the first lane.
fn lanes_sum<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>, own: Val<'c, 'a>) -> Val<'c, 'a> {
    [1, 2, 4, 8, 16].into_iter().fold(own, |sum, distance| {
        let right = block.kernel.chain.element().shuffled(kit, sum, |word| kit.shuffle_down(word, distance));
        block.kernel.chain.operator.combine(kit, sum, right)
    })
}
