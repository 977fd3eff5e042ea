//! The one-pass kernel whose persistent blocks pass their tiles through a ring in shared memory.
//!
//! ```text
//!            load            reduce                  window                    scan
//!   tile k   waits for done  waits for full          waits for done            waits for full, red, pref
//!            copies it in    publishes agg[k]        collects pref[k]: sums    prefix = prefix + pref[k]
//!            full[k] ───────▶ red[k] ───────────┐    of the tiles between the  scans, writes back in place
//!                                               │    block's last and this     copies it out; done[k]
//!                                               └──────────────▶ prefix + agg[k] for the next tile
//! ```
//!
//! Each stage has four mbarriers: `full`, `red`, `pref`, `done`. The sum of a tile is published several rounds before
//! the tile is scanned, and a block waits only for sums of tiles, never for another block's prefix: there is no chain
//! of dependent blocks.

mod group;
mod places;
mod reduce;
mod scan;
mod window;

use tile_plan::scan::{Ring, SumExchange};

use super::kernel::TileChain;
use super::operator::Maybe;
use super::transfer::Items;
use crate::emit::{Cmp, Kit, Special, Val};

/// What the blocks of a ring do with their tiles.
pub trait RingWork<'c, 'a>: Sized {
    /// Whether the reduce warps also compute the sums of a tile's parts where the array ends inside of it.
    const REDUCES_LAST: bool;
    /// The most elements of a lane that are reduced together.
    const MOST_TOGETHER: i64;

    /// The scan warps that arrive when they have read a stage, or have copied it out.
    fn releases(ring: &Ring) -> i64;

    /// Copies a whole tile into its stage, by one thread; the stage's mbarrier `full` counts it.
    fn copy_in(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, round: Round<'c, 'a>);

    /// The lane's elements, to be combined, of some rows of a warp's part of a tile.
    fn rows(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>, rows: TileRows<'c, 'a>) -> Items<'c, 'a>;

    /// The role of the scan warps.
    fn scan(&self, kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, Self>);
}

/// Where the elements of a tile are.
#[derive(Clone, Copy)]
pub enum TileSource<'c, 'a> {
    /// In a stage (i32), all of them.
    Stage(Val<'c, 'a>),
    /// In the arrays, all of them.
    Arrays,
    /// In the arrays, which end inside of the tile.
    ArrayEnds,
}

/// Rows of a tile.
#[derive(Clone, Copy)]
pub struct TileRows<'c, 'a> {
    /// Where the tile is.
    pub source: TileSource<'c, 'a>,
    /// The tile, i32.
    pub tile: Val<'c, 'a>,
    /// The place in the tile of the lane's first element, i32.
    pub start: Val<'c, 'a>,
    /// The number of rows.
    pub count: i64,
}

/// A block that passes tiles through a ring.
pub struct Block<'k, 'c, 'a, W> {
    /// What blocks exchange; the warp number is counted within the role.
    pub chain: TileChain<'c, 'a>,
    /// What the block does with its tiles.
    pub work: &'k W,
    /// How blocks exchange sums.
    pub exchange: &'k SumExchange,
    /// The ring.
    pub ring: &'k Ring,
    /// The stages in shared memory, which hold tiles.
    pub stages: Val<'c, 'a>,
    /// The block's first tile, i32.
    first: Val<'c, 'a>,
    /// The number of blocks that have a tile, i32.
    pub blocks: Val<'c, 'a>,
    /// The number of tiles of the array, i32.
    pub tiles: Val<'c, 'a>,
}

/// A round of a block: the tile, and its stage in the ring.
#[derive(Clone, Copy)]
pub struct Round<'c, 'a> {
    /// The tile, i32.
    pub tile: Val<'c, 'a>,
    /// The stage, i32.
    pub slot: Val<'c, 'a>,
    /// The parity of the stage's phase, i32.
    pub phase: Val<'c, 'a>,
    /// Whether this is the block's first tile.
    pub is_first: Val<'c, 'a>,
    /// Whether the stage held another tile before.
    pub is_reused: Val<'c, 'a>,
}

/// The mbarriers of a stage.
#[derive(Clone, Copy)]
pub enum Bar {
    /// The tile has arrived.
    Full = 0,
    /// Its sum is known.
    Reduced = 1,
    /// The sum before it is known.
    Prefixed = 2,
    /// It is no longer needed.
    Done = 3,
}

const BARS: [Bar; 4] = [Bar::Full, Bar::Reduced, Bar::Prefixed, Bar::Done];

/// The body of the kernel; `stages` is the dynamic shared memory.
pub fn body<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    (chain, work): (TileChain<'c, 'a>, &W),
    (exchange, ring): (&SumExchange, &Ring),
    stages: Val<'c, 'a>,
) {
    let launched = kit.special(Special::Blocks);
    let number = kit.special(Special::Block);
    let first = if exchange.hooks.reverse { kit.sub(kit.plus(launched, -1), number) } else { number };
    let tiles = chain.tiles(kit, ring.tile.elements());
    // Blocks without a tile do not count, so that numbers of later rounds stay within 32 bits, however large the grid
    // is.
    let blocks = kit.min(launched, tiles);
    let block = Block { chain, work, exchange, ring, stages, first, blocks, tiles };
    kit.when(kit.is(Cmp::Eq, chain.thread, 0), |kit| {
        for (bar, slot) in BARS.into_iter().flat_map(|bar| (0..ring.stages).map(move |slot| (bar, slot))) {
            let place = kit.beyond(chain.shared, 8 * (bar as i64 * ring.stages + slot));
            kit.mbarrier_init(place, if matches!(bar, Bar::Done) { W::releases(ring) } else { 1 });
        }
        kit.mbarrier_init_fence();
    });
    kit.block_barrier();
    block.role(kit, 0, ring.tile.warps(), |kit, block| work.scan(kit, block));
    block.role(kit, ring.tile.warps(), ring.reduce_warps, reduce::run);
    block.role(kit, ring.tile.warps() + ring.reduce_warps, 1, window::run);
    block.role(kit, ring.tile.warps() + ring.reduce_warps + 1, 1, load);
}

impl<'c: 'a, 'a, W: RingWork<'c, 'a>> Block<'_, 'c, 'a, W> {
    /// Emits the code of a role, which the `count` warps starting at `from` run; within the role, warps are numbered
    /// from 0.
    fn role(&self, kit: Kit<'c, 'a>, from: i64, count: i64, run: impl FnOnce(Kit<'c, 'a>, &Self)) {
        let warp = kit.plus(self.chain.warp, -from);
        let at_least = kit.is(Cmp::Sge, warp, 0);
        let belongs = kit.and(at_least, kit.is(Cmp::Slt, warp, count));
        kit.when(belongs, |kit| {
            run(kit, &Block { chain: TileChain { warp, ..self.chain }, ..*self });
        });
    }

    /// Runs `body` for each of the block's tiles; the values are carried from round to round.
    pub fn rounds<const N: usize>(
        &self,
        kit: Kit<'c, 'a>,
        first: [Val<'c, 'a>; N],
        body: impl FnOnce(Kit<'c, 'a>, Round<'c, 'a>, [Val<'c, 'a>; N]) -> [Val<'c, 'a>; N],
    ) -> [Val<'c, 'a>; N] {
        let start: Vec<_> = [kit.i32(0), kit.i32(0)].into_iter().chain(first).collect();
        let made = kit.count_list([self.first, self.tiles, self.blocks], &start, |kit, tile, values| {
            let (slot, turn) = (values[0], values[1]);
            let round = Round {
                tile,
                slot,
                phase: kit.mask(turn, 1),
                is_first: kit.cmp(Cmp::Eq, tile, self.first),
                is_reused: kit.is(Cmp::Sgt, turn, 0),
            };
            let next = body(kit, round, std::array::from_fn(|index| values[index + 2]));
            self.next_stage(kit, [slot, turn]).into_iter().chain(next).collect()
        });
        std::array::from_fn(|index| made[index + 2])
    }

    /// Whether there is a round `rounds` rounds before this one.
    pub fn has_earlier(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>, rounds: i64) -> Val<'c, 'a> {
        let since = kit.sub(round.tile, self.first);
        kit.cmp(Cmp::Sge, since, kit.times(self.blocks, rounds))
    }

    /// The stage of the round `rounds` rounds before this one, at most the number of stages, and the parity of its
    /// phase.
    pub fn earlier_stage(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>, rounds: i64) -> [Val<'c, 'a>; 2] {
        let slot = kit.plus(round.slot, -rounds);
        let wraps = kit.is(Cmp::Slt, slot, 0);
        let other = kit.sub(kit.i32(1), round.phase);
        [kit.select(wraps, kit.plus(slot, self.ring.stages), slot), kit.select(wraps, other, round.phase)]
    }

    /// The stage of the next round, and the number of its turn around the ring.
    pub fn next_stage(&self, kit: Kit<'c, 'a>, [slot, turn]: [Val<'c, 'a>; 2]) -> [Val<'c, 'a>; 2] {
        let after = kit.plus(slot, 1);
        let wraps = kit.is(Cmp::Eq, after, self.ring.stages);
        [kit.select(wraps, kit.i32(0), after), kit.select(wraps, kit.plus(turn, 1), turn)]
    }

    /// The sum before the round's tile, given the one before the block's next tile as of the last round: that sum, and those of the
    /// tiles between, which the window warp collected.
    pub fn prefix(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>, sum: Val<'c, 'a>) -> Maybe<'c, 'a> {
        let follows = kit.not(round.is_first);
        let there = self.chain.first.map_or(Some(follows), |_| None);
        let window = self.load_sum(kit, self.before(kit, round.slot));
        let others = kit.is(Cmp::Sgt, self.blocks, 1);
        let earlier = kit.is(Cmp::Sgt, round.tile, 0);
        let some = kit.select(round.is_first, earlier, others);
        self.chain.operator.join(kit, Maybe { value: sum, there }, Maybe::where_set(window, some))
    }

    /// The sum up to and including the round's tile, given the one before it. Where the array ends inside of the tile it is not
    /// known, but no tile follows.
    pub fn including(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>, prefix: Maybe<'c, 'a>) -> Val<'c, 'a> {
        let aggregate = |kit: Kit<'c, 'a>| [self.load_sum(kit, self.aggregate(kit, round.slot))];
        let full = self.is_full(kit, round.tile);
        let [aggregate] = kit.either(full, aggregate, [self.chain.element().0.r#type], |kit| [self.chain.nothing(kit)]);
        self.chain.operator.after(kit, prefix, aggregate)
    }
}

/// The load warp: one thread issues the copies of tiles as soon as their stages are free, a few at a time.
fn load<'c: 'a, 'a, W: RingWork<'c, 'a>>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, W>) {
    kit.when(block.chain.is_first_lane(kit), |kit| {
        block.rounds(kit, [], |kit, round, []| {
            wait_for_earlier(kit, block, round);
            block.wait_free(kit, round);
            let copied = block.is_full(kit, round.tile);
            kit.when(copied, |kit| block.work.copy_in(kit, block, round));
            // The scan warps read a tile at the end of the array themselves.
            kit.when(kit.not(copied), |kit| kit.arrive(block.bar(kit, Bar::Full, round.slot)));
            []
        });
    });
}

/// Waits until few enough tiles are in flight for another one to be issued. More of them would not increase memory
/// throughput, but polls and published sums would queue behind them.
fn wait_for_earlier<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    round: Round<'c, 'a>,
) {
    let rounds = block.ring.in_flight;
    kit.when(block.has_earlier(kit, round, rounds), |kit| {
        let [slot, phase] = block.earlier_stage(kit, round, rounds);
        block.wait(kit, Bar::Full, [slot, phase]);
    });
}
