//! The one-pass kernel whose blocks stay and pass their tiles through a ring in shared memory.
//!
//! ```text
//!            load            reduce                  window                    scan
//!   tile k   waits for done  waits for full          waits for done            waits for full, red, pref
//!            copies it in    tells the sum: agg[k]   collects pref[k]: sums    prefix = prefix + pref[k]
//!            full[k] ───────▶ red[k] ───────────┐    of the tiles between the  scans, writes back in place
//!                                               │    block's last and this     copies it out; done[k]
//!                                               └──────────────▶ prefix + agg[k] for the next one
//! ```
//!
//! Four mbarriers per stage: `full`, `red`, `pref`, `done`. The sum of a tile is told rounds before the tile is scanned,
//! and a block waits for sums of tiles alone, never for another block's prefix: there is no chain of blocks.

mod load;
mod reduce;
mod scan;
mod window;

use tile_plan::scan::{Decoupled, Ring};

use super::emit::{Cmp, Kit, Val};
use super::kernel::Kernel;
use super::state::States;

/// A kernel with a ring.
#[derive(Clone, Copy)]
pub struct Block<'k, 'c, 'a> {
    /// What kernels share; its warp is that of the role.
    pub kernel: &'k Kernel<'c, 'a>,
    /// The plan.
    pub plan: &'k Decoupled,
    /// The ring.
    pub ring: &'k Ring,
    /// Tiles in shared memory.
    pub stages: Val<'c, 'a>,
    /// The block's first tile, i32.
    first: Val<'c, 'a>,
    /// Blocks, i32.
    pub blocks: Val<'c, 'a>,
    /// Tiles of the array, i32.
    pub tiles: Val<'c, 'a>,
}

/// A round of a block: the tile, and its place in the ring.
#[derive(Clone, Copy)]
pub struct Round<'c, 'a> {
    /// The tile, i32.
    pub tile: Val<'c, 'a>,
    /// The stage, i32.
    pub slot: Val<'c, 'a>,
    /// Parity of the stage's phase, i32.
    pub phase: Val<'c, 'a>,
    /// Is this the block's first tile?
    pub is_first: Val<'c, 'a>,
    /// Did the stage hold another tile before?
    pub is_reused: Val<'c, 'a>,
}

/// The mbarriers of a stage.
#[derive(Clone, Copy)]
pub enum Bar {
    /// The tile is there.
    Full = 0,
    /// Its sum is known.
    Reduced = 1,
    /// What is before it is known.
    Prefixed = 2,
    /// It has been copied out.
    Done = 3,
}

const BARS: [Bar; 4] = [Bar::Full, Bar::Reduced, Bar::Prefixed, Bar::Done];

/// Bytes of the largest element, and of a sum's place.
const SUM_BYTES: i64 = 16;

/// Bytes of static shared memory.
pub fn shared_bytes(ring: &Ring) -> i64 {
    Layout::new(ring).end
}

/// Offsets in static shared memory, in bytes.
struct Layout {
    own: i64,
    before: i64,
    partial: i64,
    warps: i64,
    end: i64,
}

impl Layout {
    fn new(ring: &Ring) -> Self {
        let own = 32 * ring.stages;
        let before = own + SUM_BYTES * ring.stages;
        let partial = before + SUM_BYTES * ring.stages;
        let warps = partial + SUM_BYTES * ring.stages * ring.reduce_warps;
        Layout { own, before, partial, warps, end: warps + 2 * SUM_BYTES * ring.tile.warps() }
    }
}

/// The body of the kernel; `stages` is the dynamic shared memory.
pub fn body<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &Kernel<'c, 'a>, plan: &Decoupled, ring: &Ring, stages: Val<'c, 'a>) {
    let blocks = kit.special("nctaid.x");
    let number = kit.special("ctaid.x");
    let first = if plan.hooks.reverse { kit.sub(kit.plus(blocks, -1), number) } else { number };
    let tiles = kernel.tiles(kit, ring.tile.elements());
    let block = Block { kernel, plan, ring, stages, first, blocks, tiles };
    kit.when(kit.is(Cmp::Eq, kernel.thread, 0), |kit| {
        for (bar, slot) in BARS.into_iter().flat_map(|bar| (0..ring.stages).map(move |slot| (bar, slot))) {
            let place = kit.beyond(kernel.shared, 8 * (bar as i64 * ring.stages + slot));
            kit.mbarrier_init(place, 1);
        }
        kit.mbarrier_init_fence();
    });
    kit.block_barrier();
    block.role(kit, 0, ring.tile.warps(), scan::run);
    block.role(kit, ring.tile.warps(), ring.reduce_warps, reduce::run);
    block.role(kit, ring.tile.warps() + ring.reduce_warps, 1, window::run);
    block.role(kit, ring.tile.warps() + ring.reduce_warps + 1, 1, load::run);
}

impl<'c: 'a, 'a> Block<'_, 'c, 'a> {
    /// Runs what `count` warps from `from` on do; each of them is numbered from 0.
    fn role(&self, kit: Kit<'c, 'a>, from: i64, count: i64, run: impl FnOnce(Kit<'c, 'a>, &Block<'_, 'c, 'a>)) {
        let warp = kit.plus(self.kernel.warp, -from);
        let at_least = kit.is(Cmp::Ge, warp, 0);
        let belongs = kit.and(at_least, kit.is(Cmp::Lt, warp, count));
        kit.when(belongs, |kit| {
            let kernel = Kernel { warp, ..*self.kernel };
            run(kit, &Block { kernel: &kernel, ..*self });
        });
    }

    /// Runs `body` for each of the block's tiles; values go from round to round.
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
                is_reused: kit.is(Cmp::Gt, turn, 0),
            };
            let next = body(kit, round, std::array::from_fn(|index| values[index + 2]));
            self.next_stage(kit, [slot, turn]).into_iter().chain(next).collect()
        });
        std::array::from_fn(|index| made[index + 2])
    }

    /// The stage of the next round, and its turn around the ring.
    pub fn next_stage(&self, kit: Kit<'c, 'a>, [slot, turn]: [Val<'c, 'a>; 2]) -> [Val<'c, 'a>; 2] {
        let after = kit.plus(slot, 1);
        let wraps = kit.is(Cmp::Eq, after, self.ring.stages);
        [kit.select(wraps, kit.i32(0), after), kit.select(wraps, kit.plus(turn, 1), turn)]
    }

    /// An mbarrier of a stage.
    pub fn bar(&self, kit: Kit<'c, 'a>, bar: Bar, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        let all = kit.beyond(self.kernel.shared, 8 * bar as i64 * self.ring.stages);
        kit.at(all, kit.wide(kit.times(slot, 8)))
    }

    /// Waits until a stage is free for the round's tile.
    pub fn wait_free(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>) {
        kit.when(round.is_reused, |kit| {
            let before = kit.sub(kit.i32(1), round.phase);
            kit.wait(self.bar(kit, Bar::Done, round.slot), before);
        });
    }

    /// Where the round's tile is in shared memory.
    pub fn stage(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(self.stages, kit.wide(kit.times(slot, self.ring.tile_bytes)))
    }

    /// The address of a tile in an array.
    pub fn tile_at(&self, kit: Kit<'c, 'a>, array: Val<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(array, kit.times(kit.wide(tile), self.ring.tile_bytes))
    }

    /// Does all of a tile lie inside the array?
    pub fn is_full(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        let end = kit.times(kit.wide(kit.plus(tile, 1)), self.ring.tile.elements());
        kit.cmp(Cmp::Le, end, self.kernel.n)
    }

    /// The states of tiles.
    pub fn states(&self) -> States<'_, 'c, 'a> {
        States::new(self.kernel, self.plan.state)
    }

    /// Where the sum of a stage's tile is.
    pub fn own(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).own, slot)
    }

    /// Where the sum of the tiles since the block's last one is.
    pub fn before(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).before, slot)
    }

    /// Where the sums of a stage's reducing warps are.
    pub fn partial(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).partial, kit.times(slot, self.ring.reduce_warps))
    }

    /// Where the sums of scanning warps are; rounds take turns between two places.
    pub fn warp_sums(&self, kit: Kit<'c, 'a>, turn: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).warps, kit.times(turn, self.ring.tile.warps()))
    }

    fn sum_of(&self, kit: Kit<'c, 'a>, offset: i64, index: Val<'c, 'a>) -> Val<'c, 'a> {
        let all = kit.beyond(self.kernel.shared, offset);
        kit.at(all, kit.wide(kit.times(index, SUM_BYTES)))
    }

    /// Reads a sum from shared memory.
    pub fn load_sum(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Val<'c, 'a> {
        let element = self.kernel.element();
        element.unpack(kit, kit.load(place, element.vector_type(1), self.kernel.bytes()), 1)[0]
    }

    /// Writes a sum to shared memory.
    pub fn store_sum(&self, kit: Kit<'c, 'a>, sum: Val<'c, 'a>, place: Val<'c, 'a>) {
        kit.store(self.kernel.element().pack(kit, &[sum]), place, self.kernel.bytes());
    }
}
