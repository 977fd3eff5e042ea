//! The look-back from a tile, 32 tiles at a time, by one warp.
//!
//! ```text
//!   tile         … t-6   t-5   t-4   t-3   t-2   t-1   t
//!   state           P     A     A     -     A     A
//!   lane            5     4     3     2     1     0
//!   taken                                   ^-----^      sum of t-2 and t-1; look = t-3, polled again
//! ```

use tile_isa::WARP;
use tile_plan::scan::Wait;
use tile_plan::scan::state::{MISSING, PREFIX};

use super::kernel::TileChain;
use super::operator::Maybe;
use super::state::States;
use crate::emit::{Cmp, Kit, Val};

/// The progress of a look-back. Values are the same in all lanes.
#[derive(Clone, Copy)]
pub struct Progress<'c, 'a> {
    /// The tile to read next, i32.
    pub look: Val<'c, 'a>,
    /// The sum of the tiles after it that have been read.
    pub sum: Maybe<'c, 'a>,
    /// A bit: whether a prefix has been found.
    pub done: Val<'c, 'a>,
    /// The number of polls so far, i32.
    pub polls: Val<'c, 'a>,
}

impl<'c: 'a, 'a> Progress<'c, 'a> {
    /// The initial progress of tile `tile`.
    pub fn begin(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, tile: Val<'c, 'a>) -> Self {
        let nothing = chain.nothing(kit);
        Progress {
            look: kit.plus(tile, -1),
            sum: Maybe::where_set(nothing, kit.int(1, 0)),
            done: kit.int(1, 0),
            polls: kit.i32(0),
        }
    }

    /// The progress as a list of loop-carried values.
    pub fn list(self, kit: Kit<'c, 'a>) -> [Val<'c, 'a>; 5] {
        [self.look, self.sum.value, self.sum.there.unwrap_or_else(|| kit.int(1, 1)), self.done, self.polls]
    }

    /// The progress from such a list.
    pub fn from_list([look, value, there, done, polls]: [Val<'c, 'a>; 5]) -> Self {
        Progress { look, sum: Maybe::where_set(value, there), done, polls }
    }
}

/// Looks back until a prefix is found; or, depending on `wait`, until too many polls in a row have brought nothing new,
/// or until there have been too many in all.
pub fn look_back<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    states: States<'_, 'c, 'a>,
    from: Progress<'c, 'a>,
    wait: Wait,
) -> Progress<'c, 'a> {
    let [look, value, there, done, polls] = from.list(kit);
    let first = [look, value, there, done, polls, kit.i32(0)];
    let [look, value, there, done, polls, _] = kit.repeat(first, |kit, [look, value, there, _, polls, spins]| {
        let before = Progress::from_list([look, value, there, kit.int(1, 0), polls]);
        let (after, taken) = poll(kit, chain, states, before);
        let moved = kit.is(Cmp::Sgt, taken, 0);
        let spins = kit.select(moved, kit.i32(0), kit.plus(spins, 1));
        let open = kit.not(after.done);
        let again = match wait {
            Wait::Fallback { max_spin } => kit.and(open, kit.is(Cmp::Slt, spins, max_spin)),
            Wait::GiveUp { polls } => kit.and(open, kit.is(Cmp::Slt, after.polls, polls)),
            Wait::Forever => open,
        };
        let [look, value, there, done, polls] = after.list(kit);
        (again, [look, value, there, done, polls, spins])
    });
    Progress::from_list([look, value, there, done, polls])
}

/// Reads the states of 32 tiles once, and takes the consecutive published ones up to the nearest prefix; returns how
/// many it took.
fn poll<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    states: States<'_, 'c, 'a>,
    from: Progress<'c, 'a>,
) -> (Progress<'c, 'a>, Val<'c, 'a>) {
    // Lanes that would read before tile 0 read tile 0 instead: its state is a prefix or missing, so none of them is
    // taken.
    let tile = kit.max(kit.sub(from.look, chain.lane), kit.i32(0));
    let seen = states.read(kit, tile);
    let missing = kit.trailing_zeros(kit.ballot(kit.is(Cmp::Eq, seen.flag, MISSING)));
    let prefix = kit.trailing_zeros(kit.ballot(kit.is(Cmp::Eq, seen.flag, PREFIX)));
    let taken = kit.min(missing, kit.plus(prefix, 1));
    let taken = kit.min(taken, kit.i32(WARP));
    let window = fold_lanes(kit, chain, seen.sum, taken);
    let some = kit.is(Cmp::Sgt, taken, 0);
    let joined = chain.operator.join(kit, Maybe::where_set(window, some), from.sum);
    let progress = Progress {
        look: kit.sub(from.look, taken),
        sum: joined,
        done: kit.cmp(Cmp::Slt, prefix, missing),
        polls: kit.plus(from.polls, 1),
    };
    (progress, taken)
}

/// The sum of the first `count` lanes, the highest of them leftmost, in every lane; an arbitrary value if `count` is 0.
pub fn fold_lanes<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    value: Val<'c, 'a>,
    count: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let element = chain.element();
    let folded = [1, 2, 4, 8, 16].into_iter().fold(value, |value, distance| {
        let left = element.shuffled(kit, value, |word| kit.shuffle_down(word, kit.i32(distance)));
        let both = chain.operator.combine(kit, left, value);
        kit.select(kit.cmp(Cmp::Slt, kit.plus(chain.lane, distance), count), both, value)
    });
    element.shuffled(kit, folded, |word| kit.shuffle_from(word, kit.i32(0)))
}

/// The prefix before tile `to` as a left fold, tile by tile, starting at the prefix of tile `from`. The sum is
/// bracketed in the same way whichever blocks have published a prefix by then: an intermediate prefix is this same fold
/// up to that tile.
///
/// Some lane has seen every state from `from` on, so each is visible to the other lanes, or soon will be: relaxed
/// stores need not become visible to all lanes at the same time.
pub fn fold_forward<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    chain: &TileChain<'c, 'a>,
    states: States<'_, 'c, 'a>,
    [from, to]: [Val<'c, 'a>; 2],
) -> Val<'c, 'a> {
    let element = chain.element();
    let [sum] = kit.count([from, to, kit.i32(WARP)], [chain.nothing(kit)], |kit, base, [sum]| {
        let tile = kit.min(kit.add(base, chain.lane), kit.plus(to, -1));
        let first = [kit.i32(MISSING), chain.nothing(kit)];
        let [flag, value] = kit.repeat(first, |kit, _| {
            let seen = states.read(kit, tile);
            (kit.is(Cmp::Ne, kit.ballot(kit.is(Cmp::Eq, seen.flag, MISSING)), 0), [seen.flag, seen.sum])
        });
        let count = kit.min(kit.sub(to, base), kit.i32(WARP));
        kit.count([kit.i32(0), count, kit.i32(1)], [sum], |kit, lane, [sum]| {
            let value = element.shuffled(kit, value, |word| kit.shuffle_from(word, lane));
            let is_prefix = kit.is(Cmp::Eq, kit.shuffle_from(flag, lane), PREFIX);
            [kit.select(is_prefix, value, chain.operator.combine(kit, sum, value))]
        })
    });
    sum
}
