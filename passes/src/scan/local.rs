//! The scan of a tile in the registers of its warps.
//!
//! ```text
//!   thread   inclusive scan of each vector                    items
//!   warp     scan of the totals of a row's vectors, by lane   ex[row]; the row's total
//!            fold of the rows' totals, by row                 carry[row]; the warp's total
//!   block    fold of the warps' totals, by warp               before the warp; the tile's sum
//! ```
//!
//! Everything is combined from left to right, so that operators need not commute; nothing needs an identity.

use tile_isa::WARP;
use tile_plan::scan::Tile;

use super::kernel::TileChain;
use super::operator::Maybe;
use super::transfer::Items;
use crate::emit::{Cmp, Kit, Val};

/// A warp's part of a tile.
pub struct Rows<'c, 'a> {
    /// Inclusive scan of each vector.
    items: Items<'c, 'a>,
    /// The sum before the vector of each row, inside the warp.
    before: Vec<Maybe<'c, 'a>>,
    /// The sum of the warp's part.
    pub total: Val<'c, 'a>,
}

/// Scans the rows of a warp.
pub fn rows<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, items: Items<'c, 'a>) -> Rows<'c, 'a> {
    let items: Items<'c, 'a> = items.into_iter().map(|row| along(kit, chain, row)).collect();
    let totals = lanes(kit, chain, items.iter().map(|row| row[row.len() - 1]).collect());
    let element = chain.element();
    let is_first = chain.is_first_lane(kit);
    let mut before = Vec::with_capacity(totals.len());
    let mut carry: Option<Val<'c, 'a>> = None;
    for inclusive in totals {
        let exclusive = element.shuffled(kit, inclusive, |word| kit.shuffle_up(word, kit.i32(1)));
        let total = element.shuffled(kit, inclusive, |word| kit.shuffle_from(word, kit.i32(WARP - 1)));
        before.push(match carry {
            None => Maybe::where_set(exclusive, kit.not(is_first)),
            Some(carry) => {
                let both = chain.operator.combine(kit, carry, exclusive);
                Maybe::always(kit.select(is_first, carry, both))
            }
        });
        carry = Some(carry.map_or(total, |carry| chain.operator.combine(kit, carry, total)));
    }
    Rows { items, before, total: carry.expect("a tile has rows") }
}

/// Inclusive scan of the elements of one thread.
fn along<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, row: Vec<Val<'c, 'a>>) -> Vec<Val<'c, 'a>> {
    row.into_iter().fold(Vec::new(), |mut scanned, item| {
        scanned.push(scanned.last().map_or(item, |&left| chain.operator.combine(kit, left, item)));
        scanned
    })
}

/// Inclusive scans over the lanes of a warp, one per row. Each step is done for all rows, so that no row's step waits
/// for the last step of another row.
fn lanes<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, rows: Vec<Val<'c, 'a>>) -> Vec<Val<'c, 'a>> {
    let element = chain.element().0;
    if element.float || element.scalar_bits < 64 {
        return [1, 2, 4, 8, 16].into_iter().fold(rows, |rows, distance| step(kit, chain, &rows, kit.i32(distance)));
    }
    // Where an addition takes two instructions, ptxas schedules one row after another, with the latency of five
    // shuffles per row. A loop over the steps prevents that. Its first distance comes from assembly, so that LLVM
    // cannot compute the trip count and unroll it.
    let one = kit.assembly_value("mov.u32 $0, 1;", "=r", &[], kit.int_type(32));
    let first: Vec<_> = std::iter::once(one).chain(rows).collect();
    let made = kit.repeat_list(&first, |kit, values| {
        let next = kit.add(values[0], values[0]);
        let scanned = step(kit, chain, &values[1..], values[0]);
        (kit.is(Cmp::Slt, next, WARP), std::iter::once(next).chain(scanned).collect())
    });
    made[1..].to_vec()
}

/// One step: combines the value of the lane `distance` to the left with the lane's own.
fn step<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    rows: &[Val<'c, 'a>],
    distance: Val<'c, 'a>,
) -> Vec<Val<'c, 'a>> {
    let left = |&value: &_| chain.element().shuffled(kit, value, |word| kit.shuffle_up(word, distance));
    let lefts: Vec<_> = rows.iter().map(left).collect();
    let has_left = kit.cmp(Cmp::Sge, chain.lane, distance);
    let both = |(left, &value)| kit.select(has_left, chain.operator.combine(kit, left, value), value);
    lefts.into_iter().zip(rows).map(both).collect()
}

/// The sums of a block's warps.
pub struct Warps<'c, 'a> {
    /// The sum before this warp, inside the tile.
    pub before: Maybe<'c, 'a>,
    /// The sum of the tile.
    pub total: Val<'c, 'a>,
}

/// Exchanges the warps' sums through `room`, shared memory with a slot every `stride` bytes that nothing else uses
/// until the next call of `meet`; `meet` is a barrier of the warps.
pub fn warps<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    tile: &Tile,
    total: Val<'c, 'a>,
    (room, stride): (Val<'c, 'a>, i64),
    meet: impl FnOnce(Kit<'c, 'a>),
) -> Warps<'c, 'a> {
    let element = chain.element();
    kit.when(chain.is_first_lane(kit), |kit| {
        let place = kit.at(room, kit.wide(kit.times(chain.warp, stride)));
        kit.store(element.pack(kit, &[total]), place, chain.bytes());
    });
    meet(kit);
    let sum = |warp: i64| {
        let place = kit.beyond(room, warp * stride);
        element.unpack(kit, kit.load(place, element.vector_type(1), chain.bytes()), 1)[0]
    };
    let mut all = sum(0);
    let mut before = all;
    for warp in 1..tile.warps() {
        before = kit.select(kit.is(Cmp::Eq, chain.warp, warp), all, before);
        all = chain.operator.combine(kit, all, sum(warp));
    }
    Warps { before: Maybe::where_set(before, kit.is(Cmp::Ne, chain.warp, 0)), total: all }
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    /// The sums of a thread's elements, given the prefix before its warp: for each vector the sum before it, and the sum up to and
    /// including each of its elements.
    pub fn sums(
        &self,
        kit: Kit<'c, 'a>,
        chain: &TileChain<'c, 'a>,
        prefix: Maybe<'c, 'a>,
    ) -> Vec<(Val<'c, 'a>, Vec<Val<'c, 'a>>)> {
        let prefixes = self.before.iter().map(|&before| chain.operator.join(kit, prefix, before));
        let rows = prefixes.zip(&self.items);
        rows.map(|(prefix, row)| {
            let inclusive = row.iter().map(|&item| chain.operator.after(kit, prefix, item));
            (prefix.value, inclusive.collect())
        })
        .collect()
    }

    /// The results of a thread, given the prefix before its warp; `exclusive` results leave out their own element.
    pub fn results(
        &self,
        kit: Kit<'c, 'a>,
        chain: &TileChain<'c, 'a>,
        prefix: Maybe<'c, 'a>,
        exclusive: bool,
    ) -> Items<'c, 'a> {
        let sums = self.sums(kit, chain, prefix).into_iter();
        sums.map(|(before, inclusive)| match exclusive {
            false => inclusive,
            true => {
                let count = inclusive.len();
                std::iter::once(before).chain(inclusive).take(count).collect()
            }
        })
        .collect()
    }
}
