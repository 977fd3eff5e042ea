//! A group of tiles, up to 32 per word, that the window warp polls together, and the sum of their values.

use tile_isa::WARP;
use tile_plan::scan::Wait;
use tile_plan::scan::state::{AGGREGATE, MISSING};

use super::{Block, RingWork, reduce};
use crate::emit::{Cmp, Kit, Special, Val};
use crate::scan::lookback::fold_lanes;
use crate::scan::operator::Maybe;
use crate::scan::state;

/// Nanoseconds between polls: sleeping costs nothing, whereas polls compete with copies.
const SLEEP: i64 = 100;

/// Nanoseconds to sleep after `LONG_SPIN` polls without news, where only waiting helps.
const LONG_SLEEP: i64 = 2000;
const LONG_SPIN: i64 = 256;

/// Tiles that the warp polls together: the `count` tiles up to and including `top`.
pub struct Group<'b, 'k, 'c, 'a, W> {
    /// The block that polls.
    pub block: &'b Block<'k, 'c, 'a, W>,
    /// The last of the tiles, i32.
    pub top: Val<'c, 'a>,
    /// The number of tiles, i32; at least 1.
    pub count: Val<'c, 'a>,
}

impl<'c: 'a, 'a, W: RingWork<'c, 'a>> Group<'_, '_, 'c, 'a, W> {
    /// The number of words.
    fn words(&self) -> usize {
        self.block.ring.window as usize
    }

    /// The number of tiles in the words to the right of a word.
    fn right_of(&self, word: usize) -> i64 {
        WARP * word as i64
    }

    /// The tile of this lane in a word.
    fn tile(&self, kit: Kit<'c, 'a>, word: usize) -> Val<'c, 'a> {
        kit.sub(kit.plus(self.top, -self.right_of(word)), self.block.chain.lane)
    }

    /// Polls until the sums of all tiles are published or computed. Returns one value per word, and the counts of
    /// polls, fallbacks started and fallbacks published.
    pub fn collect(&self, kit: Kit<'c, 'a>) -> (Vec<Val<'c, 'a>>, [Val<'c, 'a>; 3]) {
        let words = self.words();
        let nothing = self.block.chain.nothing(kit);
        // A lane beyond the tiles has nothing to poll.
        let beyond = |word| kit.cmp(Cmp::Sge, kit.plus(self.block.chain.lane, self.right_of(word)), self.count);
        let have: Vec<_> = (0..words).map(beyond).collect();
        let asked = self.poll(kit, &have);
        let first = [vec![nothing; words], have, vec![kit.i32(0); 4], asked].concat();
        let answers = 2 * words + 4;
        let made = kit.repeat_after_list(
            &first,
            |kit, state| {
                let (again, mut next) = self.round(kit, &state[..answers], &state[answers..]);
                next.extend_from_slice(&state[answers..]);
                (again, next)
            },
            |kit, state| {
                let asked = self.poll(kit, &state[words..2 * words]);
                kit.sleep(SLEEP);
                if !matches!(self.block.exchange.wait, Wait::Fallback { .. }) {
                    let in_vain = kit.is(Cmp::Sge, state[2 * words], LONG_SPIN);
                    kit.when(in_vain, |kit| kit.sleep(LONG_SLEEP));
                }
                [&state[..answers], &asked].concat()
            },
        );
        (made[..words].to_vec(), [made[2 * words + 1], made[2 * words + 2], made[2 * words + 3]])
    }

    /// Processes the results of one poll. The state consists of values, bits that say whether they are present, and
    /// counts of spins, polls, fallbacks started and fallbacks published.
    fn round(
        &self,
        kit: Kit<'c, 'a>,
        state: &[Val<'c, 'a>],
        answers: &[Val<'c, 'a>],
    ) -> (Val<'c, 'a>, Vec<Val<'c, 'a>>) {
        let words = self.words();
        let (values, rest) = state.split_at(words);
        let (have, counts) = rest.split_at(words);
        let [spins, polls, started, inserted] = counts else { unreachable!("the state has four counts") };
        let seen = self.take(kit, values, have, answers);
        let before = have.iter().copied().reduce(|all, one| kit.and(all, one)).expect("there are words");
        let now = seen.iter().map(|&[_, have]| have).reduce(|all, one| kit.and(all, one)).expect("there are words");
        let missing = kit.ballot(kit.not(now));
        let open = kit.is(Cmp::Ne, missing, 0);
        // A round counts as without news if the same lanes miss something as before, which may hide news in another
        // word of a lane. This can only start a fallback earlier, never later.
        let news = kit.cmp(Cmp::Ne, missing, kit.ballot(kit.not(before)));
        let spins = kit.select(news, kit.i32(1), kit.plus(*spins, 1));
        let polls = kit.plus(*polls, 1);
        let flat: Vec<_> = seen.iter().map(|pair| pair[0]).chain(seen.iter().map(|pair| pair[1])).collect();
        match self.block.exchange.wait {
            Wait::Forever => {
                // Capped at the largest value that matters.
                let spins = kit.min(spins, kit.i32(LONG_SPIN));
                (open, [flat, vec![spins, polls, *started, *inserted]].concat())
            }
            Wait::GiveUp { polls: most } => {
                let again = kit.and(open, kit.is(Cmp::Slt, polls, most));
                let failed = kit.and(kit.and(open, kit.not(again)), self.block.chain.is_first_lane(kit));
                kit.when(failed, |kit| state::give_up(kit, &self.block.chain));
                (again, [flat, vec![spins, polls, *started, *inserted]].concat())
            }
            Wait::Fallback { max_spin } => {
                let stalled = kit.and(open, kit.is(Cmp::Sge, spins, max_spin));
                let unchanged = [flat, vec![spins, polls, *started, *inserted]].concat();
                let types: Vec<_> = unchanged.iter().map(melior::ir::ValueLike::r#type).collect();
                let next = kit.either_list(stalled, |kit| self.help(kit, &unchanged), &types, |_| unchanged.clone());
                (open, next)
            }
        }
    }

    /// Polls the states of this lane's tiles. A lane that already has its sum polls the newest tile, like other lanes
    /// of its warp: a branch would make the words wait for each other.
    fn poll(&self, kit: Kit<'c, 'a>, have: &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>> {
        let tile = |(word, &have): (usize, _)| kit.select(have, self.top, self.tile(kit, word));
        let tiles: Vec<_> = have.iter().enumerate().map(tile).collect();
        self.block.states().poll(kit, &tiles)
    }

    /// The values, and whether they are present, after the answers to a poll.
    fn take(
        &self,
        kit: Kit<'c, 'a>,
        values: &[Val<'c, 'a>],
        have: &[Val<'c, 'a>],
        answers: &[Val<'c, 'a>],
    ) -> Vec<[Val<'c, 'a>; 2]> {
        let seen = self.block.states().answers(kit, answers);
        let newer = |word: usize| {
            let value = kit.select(have[word], values[word], seen[word].sum);
            [value, kit.or(have[word], kit.is(Cmp::Ne, seen[word].flag, MISSING))]
        };
        (0..self.words()).map(newer).collect()
    }

    /// The word and the lane of a tile that is missing. Blocks that wait for the same tiles compute different ones: of m missing tiles,
    /// block b computes the one with the number b % m, counted from the newest.
    fn missing_tile(&self, kit: Kit<'c, 'a>, have: &[Val<'c, 'a>]) -> [Val<'c, 'a>; 2] {
        let missing: Vec<_> = have.iter().map(|&have| kit.ballot(kit.not(have))).collect();
        let counts: Vec<_> = missing.iter().map(|&word| kit.bits_set(word)).collect();
        let total = counts.iter().copied().reduce(|sum, count| kit.add(sum, count)).expect("there are words");
        let mut behind = kit.rem(kit.special(Special::Block), total);
        let right = kit.pure_assembly("mov.u32 $0, %lanemask_lt;", "=r", &[], kit.int_type(32));
        let (mut chosen, mut lane) = (kit.i32(0), kit.i32(0));
        for (word, (&missing, &count)) in missing.iter().zip(&counts).enumerate() {
            let is_chosen = kit.cmp(Cmp::Eq, kit.bits_set(kit.and(missing, right)), behind);
            let hit = kit.ballot(kit.and(is_chosen, kit.not(have[word])));
            let some = kit.is(Cmp::Ne, hit, 0);
            chosen = kit.select(some, kit.i32(word as i64), chosen);
            lane = kit.select(some, kit.trailing_zeros(hit), lane);
            behind = kit.sub(behind, count);
        }
        [chosen, lane]
    }

    /// Computes the sum of one missing tile and offers it.
    fn help(&self, kit: Kit<'c, 'a>, state: &[Val<'c, 'a>]) -> Vec<Val<'c, 'a>> {
        let words = self.words();
        let (chain, mut next) = (&self.block.chain, state.to_vec());
        let [chosen, lane] = self.missing_tile(kit, &state[words..2 * words]);
        let stalled = kit.sub(kit.sub(self.top, kit.times(chosen, WARP)), lane);
        let sum = reduce::stalled_sum(kit, self.block, stalled);
        let sum = chain.element().shuffled(kit, sum, |word| kit.shuffle_from(word, kit.i32(0)));
        let offer = |kit: Kit<'c, 'a>| {
            let inserted = self.block.states().offer(kit, stalled, AGGREGATE, sum);
            [kit.zero_extended(inserted, 32)]
        };
        let [inserted] = kit.either(chain.is_first_lane(kit), offer, [kit.int_type(32)], |kit| [kit.i32(0)]);
        for word in 0..words {
            let here = kit.and(kit.is(Cmp::Eq, chosen, word as i64), kit.cmp(Cmp::Eq, chain.lane, lane));
            next[word] = kit.select(here, sum, state[word]);
            next[words + word] = kit.or(here, state[words + word]);
        }
        next[2 * words] = kit.i32(0);
        next[2 * words + 2] = kit.plus(state[2 * words + 2], 1);
        next[2 * words + 3] = kit.add(state[2 * words + 3], inserted);
        next
    }
}

impl<'c: 'a, 'a, W: RingWork<'c, 'a>> Group<'_, '_, 'c, 'a, W> {
    /// The sum of all tiles, in every lane.
    pub fn fold(&self, kit: Kit<'c, 'a>, values: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        if self.block.chain.operator.commutes() {
            self.fold_lanes_first(kit, values)
        } else {
            self.fold_words(kit, values)
        }
    }

    /// The sum of each lane's tiles, then the sum over the lanes.
    fn fold_lanes_first(&self, kit: Kit<'c, 'a>, values: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let chain = &self.block.chain;
        let later = values.iter().enumerate().skip(1);
        let of_lane = later.fold(values[0], |sum, (word, &value)| {
            let is_there = kit.cmp(Cmp::Slt, kit.plus(chain.lane, self.right_of(word)), self.count);
            chain.operator.after(kit, Maybe::where_set(value, is_there), sum)
        });
        fold_lanes(kit, chain, of_lane, self.count)
    }

    /// The sum of each word's tiles from left to right, then the sum over the words.
    fn fold_words(&self, kit: Kit<'c, 'a>, values: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let chain = &self.block.chain;
        let sums = values.iter().enumerate().map(|(word, &value)| {
            let count = kit.plus(self.count, -self.right_of(word));
            Maybe::where_set(fold_lanes(kit, chain, value, count), kit.is(Cmp::Sgt, count, 0))
        });
        // The rightmost word always has a tile.
        let folded = sums.reduce(|right, left| Maybe::always(chain.operator.after(kit, left, right.value)));
        folded.expect("there are words").value
    }
}
