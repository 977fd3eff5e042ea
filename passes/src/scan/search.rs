//! The search for the sum before a tile in registers: the look-back, and the block's fallback for tiles that do not
//! publish their sum.

use tile_plan::scan::state::{AGGREGATE, MISSING, PREFIX};
use tile_plan::scan::{SumExchange, Tile, Wait, workspace};

use super::kernel::TileChain;
use super::lookback::Progress;
use super::operator::Maybe;
use super::state::{self, States};
use super::work::TileWork;
use super::{local, lookback};
use crate::emit::{Cmp, Kit, Val};

/// The offset, in bytes of a block's shared memory, of the number of the stalled tile.
pub const CONTROL: i64 = 0;
/// The offset of the sum before the tile.
pub const BEFORE: i64 = 16;
/// The offset of the sums of warps.
pub const SUMS: i64 = 32;

/// A block's search for the sum before its tile.
pub struct LookbackSearch<'k, 'c, 'a, W> {
    /// The chain.
    pub chain: &'k TileChain<'c, 'a>,
    /// How blocks exchange sums.
    pub exchange: &'k SumExchange,
    /// The tile.
    pub tile: &'k Tile,
    /// The states.
    pub states: States<'k, 'c, 'a>,
    /// The work on a tile, by which the sum of another block's tile is computed.
    pub work: &'k W,
}

impl<'c: 'a, 'a, W: TileWork<'c, 'a>> LookbackSearch<'_, 'c, 'a, W> {
    /// The sum before tile `number`, at least 1, in the lanes of warp 0; an arbitrary value in the other warps.
    pub fn run(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> Val<'c, 'a> {
        let begin = Progress::begin(kit, self.chain, number);
        let is_searching = kit.is(Cmp::Eq, self.chain.warp, 0);
        let (progress, counts) = match self.exchange.wait {
            Wait::Fallback { .. } => self.with_fallback(kit, begin, is_searching),
            wait => {
                let progress = self.look_back(kit, begin, is_searching, wait);
                (progress, [kit.i32(0); 2])
            }
        };
        if let Wait::GiveUp { .. } = self.exchange.wait {
            let failed = kit.and(is_searching, kit.not(progress.done));
            kit.when(failed, |kit| state::give_up(kit, self.chain));
        }
        if self.exchange.hooks.counters {
            self.count(kit, number, progress, counts);
        }
        match self.exchange.deterministic {
            false => progress.sum.value,
            true => {
                let nothing = self.chain.nothing(kit);
                let from = kit.plus(progress.look, 1);
                let fold = |kit| [lookback::fold_forward(kit, self.chain, self.states, [from, number])];
                kit.either(is_searching, fold, [self.chain.element().0.r#type], |_| [nothing])[0]
            }
        }
    }

    /// The look-back of warp 0.
    fn look_back(
        &self,
        kit: Kit<'c, 'a>,
        from: Progress<'c, 'a>,
        is_searching: Val<'c, 'a>,
        wait: Wait,
    ) -> Progress<'c, 'a> {
        let searching = kit.and(is_searching, kit.not(from.done));
        let types = from.list(kit).map(|value| melior::ir::ValueLike::r#type(&value));
        Progress::from_list(kit.either(
            searching,
            |kit| lookback::look_back(kit, self.chain, self.states, from, wait).list(kit),
            types,
            |kit| from.list(kit),
        ))
    }

    /// Alternates between look-back and fallback. All threads read from shared memory whether to continue, so they
    /// agree.
    fn with_fallback(
        &self,
        kit: Kit<'c, 'a>,
        begin: Progress<'c, 'a>,
        is_searching: Val<'c, 'a>,
    ) -> (Progress<'c, 'a>, [Val<'c, 'a>; 2]) {
        let [look, value, there, done, polls] = begin.list(kit);
        let first = [look, value, there, done, polls, kit.i32(0), kit.i32(0)];
        let control = kit.beyond(self.chain.shared, CONTROL);
        let [look, value, there, done, polls, started, inserted] = kit.repeat(first, |kit, values| {
            let [look, value, there, done, polls, started, inserted] = values;
            let from = Progress::from_list([look, value, there, done, polls]);
            let seen = self.look_back(kit, from, is_searching, self.exchange.wait);
            kit.when(kit.is(Cmp::Eq, self.chain.thread, 0), |kit| {
                let chosen = |kit: Kit<'c, 'a>| [self.missing_tile(kit, begin.look, seen.look)];
                let [stalled] = kit.either(seen.done, |kit| [kit.i32(-1)], [kit.int_type(32)], chosen);
                kit.store(stalled, control, 4);
            });
            kit.block_barrier();
            let stalled = kit.load(control, kit.int_type(32), 4);
            let is_stalled = kit.is(Cmp::Sge, stalled, 0);
            let list = seen.list(kit);
            let unchanged = [list[0], list[1], list[2], list[3], list[4], started, inserted];
            let types = unchanged.map(|value| melior::ir::ValueLike::r#type(&value));
            let help = |kit: Kit<'c, 'a>| {
                let (after, was_inserted) = self.help(kit, seen, stalled, is_searching);
                let [look, value, there, done, polls] = after.list(kit);
                [look, value, there, done, polls, kit.plus(started, 1), kit.add(inserted, was_inserted)]
            };
            let next = kit.either(is_stalled, help, types, |_| unchanged);
            kit.block_barrier();
            (is_stalled, next)
        });
        (Progress::from_list([look, value, there, done, polls]), [started, inserted])
    }

    /// The tile whose sum a block computes while it waits for the `nearest` one that is missing, if `last` is the tile before its own.
    fn missing_tile(&self, kit: Kit<'c, 'a>, last: Val<'c, 'a>, nearest: Val<'c, 'a>) -> Val<'c, 'a> {
        let other = state::helped(kit, last, nearest);
        kit.select(kit.is(Cmp::Eq, self.states.read(kit, other).flag, MISSING), other, nearest)
    }

    /// The whole block computes the sum of a stalled tile with the same code as its owner. Warp 0 offers it to other
    /// blocks, and takes it, or the state that was published in the meantime, if it is the tile that it reads next. Returns 1,
    /// in the first lane, if the offer was accepted.
    fn help(
        &self,
        kit: Kit<'c, 'a>,
        from: Progress<'c, 'a>,
        stalled: Val<'c, 'a>,
        is_searching: Val<'c, 'a>,
    ) -> (Progress<'c, 'a>, Val<'c, 'a>) {
        let sum = self.aggregate(kit, stalled);
        let list = from.list(kit);
        let unchanged = [list[0], list[1], list[2], list[3], list[4], kit.i32(0)];
        let types = unchanged.map(|value| melior::ir::ValueLike::r#type(&value));
        let offered = |kit: Kit<'c, 'a>| {
            let (after, inserted) = self.offer(kit, from, stalled, sum);
            let [look, value, there, done, polls] = after.list(kit);
            [look, value, there, done, polls, inserted]
        };
        let [look, value, there, done, polls, inserted] = kit.either(is_searching, offered, types, |_| unchanged);
        (Progress::from_list([look, value, there, done, polls]), inserted)
    }

    fn offer(
        &self,
        kit: Kit<'c, 'a>,
        from: Progress<'c, 'a>,
        stalled: Val<'c, 'a>,
        sum: Val<'c, 'a>,
    ) -> (Progress<'c, 'a>, Val<'c, 'a>) {
        let chain = self.chain;
        let seen = self.states.read(kit, stalled);
        // All lanes use the state that the first lane saw.
        let flag = kit.shuffle_from(seen.flag, kit.i32(0));
        let published = chain.element().shuffled(kit, seen.sum, |word| kit.shuffle_from(word, kit.i32(0)));
        let is_first = kit.is(Cmp::Eq, stalled, 0);
        let prefix = chain.operator.after(kit, chain.beginning(kit), sum);
        let recomputed = kit.select(is_first, prefix, sum);
        let missing = kit.is(Cmp::Eq, flag, MISSING);
        let [inserted] = kit.either(
            kit.and(missing, chain.is_first_lane(kit)),
            |kit| {
                let offer = |flag| move |kit: Kit<'c, 'a>| [self.states.offer(kit, stalled, flag, recomputed)];
                let done = kit.either(is_first, offer(PREFIX), [kit.int_type(1)], offer(AGGREGATE))[0];
                [kit.zero_extended(done, 32)]
            },
            [kit.int_type(32)],
            |kit| [kit.i32(0)],
        );
        let value = kit.select(missing, recomputed, published);
        let taken = Progress {
            look: kit.plus(stalled, -1),
            sum: chain.operator.join(kit, Maybe::always(value), from.sum),
            done: kit.or(kit.and(missing, is_first), kit.is(Cmp::Eq, flag, PREFIX)),
            polls: from.polls,
        };
        let is_next = kit.cmp(Cmp::Eq, stalled, from.look);
        let pairs = taken.list(kit).into_iter().zip(from.list(kit));
        let list: Vec<_> = pairs.map(|(taken, before)| kit.select(is_next, taken, before)).collect();
        (Progress::from_list(list.try_into().expect("as many")), inserted)
    }

    fn count(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>, progress: Progress<'c, 'a>, counts: [Val<'c, 'a>; 2]) {
        let looked = kit.sub(kit.plus(number, -1), progress.look);
        kit.when(kit.is(Cmp::Eq, self.chain.thread, 0), |kit| {
            self.chain.count(kit, workspace::POLLS, progress.polls);
            self.chain.count(kit, workspace::LOOKED, looked);
            self.chain.count(kit, workspace::FALLBACKS, counts[0]);
            self.chain.count(kit, workspace::INSERTED, counts[1]);
        });
    }

    /// The sum of a tile that lies inside the array, in all threads of the block.
    fn aggregate(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> Val<'c, 'a> {
        let (items, _) = self.work.load(kit, number);
        let total = local::rows(kit, self.chain, items).total;
        let room = (kit.beyond(self.chain.shared, SUMS), self.chain.bytes());
        local::warps(kit, self.chain, self.tile, total, room, |kit| kit.block_barrier()).total
    }
}
