//! What a warp does for a block that does not publish the counts of its tile: it counts the warp's digits of that tile.

use tile_isa::WARP;
use tile_ops::nvvm::{self, ReduxKind, VoteSyncKind};
use tile_plan::sort::{COUNT_BYTES, DIGITS};

use super::rank::warp_scan;
use super::words::{self, INCLUSIVE, Pass};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::state;

/// Keys of a lane that it loads together.
const LOADS: i64 = DIGITS / WARP;

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
    /// The number of keys of all tiles with a smaller digit than the thread's, by all lanes of a warp together.
    pub fn smaller(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        let kernel = &self.kernel;
        let totals = kit.beyond(kernel.totals(kit, false), self.digit * DIGITS * COUNT_BYTES);
        let total = |digit: Val<'c, 'a>| {
            let place = kit.at(totals, kit.wide(kit.times(digit, COUNT_BYTES)));
            kit.load_constant(place, kit.int_type(32), COUNT_BYTES)
        };
        let of_warp = |warp: i64| {
            let is_before = kit.is(Cmp::Sgt, kernel.warp, warp);
            kit.select(is_before, total(kit.plus(kernel.lane, warp * WARP)), kit.i32(0))
        };
        let before = (0..DIGITS / WARP).map(of_warp).reduce(|sum, count| kit.add(sum, count)).expect("there are warps");
        let digit_count = total(kernel.thread);
        let below = kit.sub(warp_scan(kit, kernel.lane, digit_count), digit_count);
        kit.add(over_warp(kit, before, ReduxKind::Add), below)
    }

    /// The tile that a warp counts while it waits for the `nearest` one that is missing, if `last` is the tile before its own.
    pub fn missing_tile(&self, kit: Kit<'c, 'a>, last: Val<'c, 'a>, nearest: Val<'c, 'a>) -> Val<'c, 'a> {
        let other = state::helped(kit, last, nearest);
        let word = words::load(kit, self.kernel.count_of_thread(kit, other));
        let is_missing = kit.vote(kit.not(self.is_published(kit, word)), VoteSyncKind::Any);
        kit.select(is_missing, other, nearest)
    }

    /// Counts the thread's digit in a whole tile (i32), by all lanes of a warp together, and offers the count to other blocks; returns
    /// 1 where no block had published it, else 0.
    pub fn help(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        let counted = self.counted(kit, tile);
        let is_first = kit.is(Cmp::Eq, tile, 0);
        // The counts of the first tile are those of all smaller digits, too.
        let [count] =
            kit.either(is_first, |kit| [kit.add(self.smaller(kit), counted)], [kit.int_type(32)], |_| [counted]);
        let flag = kit.select(is_first, kit.i32(INCLUSIVE), kit.i32(0));
        let word = kit.or(kit.or(count, flag), kit.i32(self.parity()));
        let place = self.kernel.count_of_thread(kit, tile);
        let old = words::load(kit, place);
        let is_missing = kit.not(self.is_published(kit, old));
        let swap = |kit: Kit<'c, 'a>| {
            let is_swapped = kit.cmp(Cmp::Eq, kit.compare_and_swap(place, old, word), old);
            [kit.zero_extended(is_swapped, 32)]
        };
        kit.either(is_missing, swap, [kit.int_type(32)], |kit| [kit.i32(0)])[0]
    }

    /// The number of keys with the thread's digit in a whole tile.
    fn counted(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        let (kernel, from) = (&self.kernel, &self.from);
        let rooms = kernel.plan.tile.rooms();
        let counts = kit.at(kernel.room(kit, rooms.helped), kit.times(kernel.warp, WARP * COUNT_BYTES));
        let digit_count = kit.at(counts, kit.times(kernel.lane, COUNT_BYTES));
        kit.store(kit.i32(0), digit_count, COUNT_BYTES);
        kit.warp_barrier();
        let first = from.keys.place(kit, kit.add(kit.times(tile, kernel.plan.tile.elements()), kernel.lane));
        kit.count([kit.i32(0), kit.i32(kernel.plan.tile.items), kit.i32(1)], [], |kit, step, []| {
            let place = kit.at(first, kit.wide(kit.times(step, DIGITS * from.keys.bytes)));
            let key = |load| from.read_key(kit, kernel.order, kit.beyond(place, load * WARP * from.keys.bytes));
            let keys: Vec<_> = (0..LOADS).map(key).collect();
            for key in keys {
                let digit = kernel.order.digit(kit, key, self.digit);
                let is_of_warp = kit.cmp(Cmp::Eq, kit.over(digit, WARP), kernel.warp);
                kit.when(is_of_warp, |kit| {
                    let place = kit.at(counts, kit.times(kit.mask(digit, WARP - 1), COUNT_BYTES));
                    kit.fetch_add(place, kit.i32(1));
                });
            }
            []
        });
        kit.warp_barrier();
        let counted = kit.load(digit_count, kit.int_type(32), COUNT_BYTES);
        kit.warp_barrier();
        counted
    }
}

/// The sum, or the largest, of the numbers of all lanes.
pub fn over_warp<'c: 'a, 'a>(kit: Kit<'c, 'a>, number: Val<'c, 'a>, kind: ReduxKind) -> Val<'c, 'a> {
    nvvm::redux_sync(kit.builder, number, kit.i32(-1), kind).value()
}
