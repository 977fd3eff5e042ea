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
    let totals = items.iter().map(|row| row[row.len() - 1]).collect();
    let most = chain.most.map(|most| most * WARP * items[0].len() as i64);
    let packed = most.and_then(|most| [8, 16].into_iter().find(|&bits| most < 1 << bits));
    let sums = match packed {
        Some(bits) => packed_sums(kit, chain, (totals, bits)),
        None => row_sums(kit, chain, totals),
    };
    let mut before = Vec::with_capacity(sums.len());
    let mut carry: Option<Val<'c, 'a>> = None;
    for (exclusive, total) in sums {
        before.push(match carry {
            None => exclusive,
            Some(carry) => chain.operator.join(kit, Maybe::always(carry), exclusive),
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

/// Inclusive scans over the lanes of a warp, one per row.
fn lanes<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, rows: Vec<Val<'c, 'a>>) -> Vec<Val<'c, 'a>> {
    lane_steps(kit, chain, rows, |kit, rows, distance| step(kit, chain, rows, distance))
}

/// Five steps over the lanes of a warp, at distances 1, 2, 4, 8 and 16 (i32). Each is done for all rows, so that no row's step waits for
/// the last step of another row.
pub fn lane_steps<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    rows: Vec<Val<'c, 'a>>,
    step: impl Fn(Kit<'c, 'a>, &[Val<'c, 'a>], Val<'c, 'a>) -> Vec<Val<'c, 'a>>,
) -> Vec<Val<'c, 'a>> {
    let element = chain.element().0;
    if rows.len() == 1 || element.lanes == 1 && (element.float || element.scalar_bits < 64) {
        return [1, 2, 4, 8, 16].into_iter().fold(rows, |rows, distance| step(kit, &rows, kit.i32(distance)));
    }
    // Where one combination takes several instructions, ptxas schedules one row after another, with the latency of five
    // shuffles per row. A loop over the steps prevents that. Its first distance comes from assembly, so that LLVM
    // cannot compute the trip count and unroll it.
    let one = kit.assembly_value("mov.u32 $0, 1;", "=r", &[], kit.int_type(32));
    let first: Vec<_> = std::iter::once(one).chain(rows).collect();
    let made = kit.repeat_list(&first, |kit, values| {
        let next = kit.add(values[0], values[0]);
        let stepped = step(kit, &values[1..], values[0]);
        (kit.is(Cmp::Slt, next, WARP), std::iter::once(next).chain(stepped).collect())
    });
    made[1..].to_vec()
}

/// What is before the lane in each row, and each row's total.
type RowSums<'c, 'a> = Vec<(Maybe<'c, 'a>, Val<'c, 'a>)>;

fn row_sums<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, rows: Vec<Val<'c, 'a>>) -> RowSums<'c, 'a> {
    let element = chain.element();
    let is_first = chain.is_first_lane(kit);
    let sums = |inclusive| {
        let exclusive = element.shuffled(kit, inclusive, |word| kit.shuffle_up(word, kit.i32(1)));
        let total = element.shuffled(kit, inclusive, |word| kit.shuffle_from(word, kit.i32(WARP - 1)));
        (Maybe::where_set(exclusive, kit.not(is_first)), total)
    };
    lanes(kit, chain, rows).into_iter().map(sums).collect()
}

/// The same of small counts, several in a word, none of which reaches the next one.
///
/// ```text
///   word     row 3    row 2    row 1    row 0       8 bits each, of at most 4 elements in each of 32 lanes
/// ```
fn packed_sums<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    (rows, bits): (Vec<Val<'c, 'a>>, i64),
) -> RowSums<'c, 'a> {
    let width = i64::from(chain.element().0.scalar_bits);
    let per_word = (WORD_BITS / bits) as usize;
    let words = rows.chunks(per_word).map(|rows| {
        let word = |row| if width > WORD_BITS { kit.truncated(row, 32) } else { kit.zero_extended(row, 32) };
        let placed = |(place, &row): (usize, &_)| kit.shl(word(row), place as i64 * bits);
        rows.iter().enumerate().map(placed).reduce(|all, one| kit.or(all, one)).expect("a chunk has rows")
    });
    let words: Vec<_> = words.collect();
    let step = |words: Vec<Val<'c, 'a>>, distance: i64| -> Vec<Val<'c, 'a>> {
        let has_left = kit.is(Cmp::Sge, chain.lane, distance);
        let lefts: Vec<_> = words.iter().map(|&word| kit.shuffle_up(word, kit.i32(distance))).collect();
        let both = |(&word, left)| kit.add(word, kit.select(has_left, left, kit.i32(0)));
        words.iter().zip(lefts).map(both).collect()
    };
    let inclusive = [1, 2, 4, 8, 16].into_iter().fold(words.clone(), step);
    let sums = inclusive.into_iter().zip(words).flat_map(|(inclusive, own)| {
        let total = kit.shuffle_from(inclusive, kit.i32(WARP - 1));
        let exclusive = kit.sub(inclusive, own);
        let part = move |word, place: usize| {
            let bits_of_row = kit.mask(kit.shr(word, place as i64 * bits), (1 << bits) - 1);
            let width = width as u32;
            if i64::from(width) > WORD_BITS {
                kit.zero_extended(bits_of_row, width)
            } else {
                kit.truncated(bits_of_row, width)
            }
        };
        (0..per_word).map(move |place| (Maybe::always(part(exclusive, place)), part(total, place)))
    });
    sums.take(rows.len()).collect()
}

/// Bits of the words in which counts are packed.
const WORD_BITS: i64 = 32;

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
