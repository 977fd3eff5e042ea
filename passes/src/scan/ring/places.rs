//! Addresses: of stages in dynamic shared memory, and of barriers and sums in static shared memory.

use tile_isa::WARP;
use tile_plan::scan::Ring;

use super::{Bar, Block, Round};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::state::States;

/// Bytes of the largest element, and of the slot of a sum.
pub const SUM_BYTES: i64 = 16;

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
        let own = WARP * ring.stages;
        let before = own + SUM_BYTES * ring.stages;
        let partial = before + SUM_BYTES * ring.stages;
        let warps = partial + SUM_BYTES * ring.stages * ring.reduce_warps;
        Layout { own, before, partial, warps, end: warps + 2 * SUM_BYTES * ring.tile.warps() }
    }
}

impl<'c: 'a, 'a> Block<'_, 'c, 'a> {
    /// An mbarrier of a stage.
    pub fn bar(&self, kit: Kit<'c, 'a>, bar: Bar, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        let all = kit.beyond(self.kernel.chain.shared, 8 * bar as i64 * self.ring.stages);
        kit.at(all, kit.wide(kit.times(slot, 8)))
    }

    /// Waits until a stage is free for the round's tile.
    pub fn wait_free(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>) {
        kit.when(round.is_reused, |kit| {
            let before = kit.sub(kit.i32(1), round.phase);
            kit.wait(self.bar(kit, Bar::Done, round.slot), before);
        });
    }

    /// The address of a stage in shared memory.
    pub fn stage(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(self.stages, kit.wide(kit.times(slot, self.ring.tile_bytes)))
    }

    /// The address of a tile in an array.
    pub fn tile_at(&self, kit: Kit<'c, 'a>, array: Val<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(array, kit.times(kit.wide(tile), self.ring.tile_bytes))
    }

    /// Whether all of a tile lies inside the array.
    pub fn is_full(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        let end = kit.times(kit.wide(kit.plus(tile, 1)), self.ring.tile.elements());
        kit.cmp(Cmp::Sle, end, self.kernel.chain.n)
    }

    /// The states of tiles.
    pub fn states(&self) -> States<'_, 'c, 'a> {
        States::new(&self.kernel.chain, self.plan.exchange.state)
    }

    /// The address of the sum of a stage's tile.
    pub fn own(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).own, slot)
    }

    /// The address of the sum of the tiles since the block's last one.
    pub fn before(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).before, slot)
    }

    /// The address of the partial sums of the reduce warps for a stage.
    pub fn partial(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).partial, kit.times(slot, self.ring.reduce_warps))
    }

    /// The address of the sums of the scan warps; rounds alternate between two of them.
    pub fn warp_sums(&self, kit: Kit<'c, 'a>, turn: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, Layout::new(self.ring).warps, kit.times(turn, self.ring.tile.warps()))
    }

    fn sum_of(&self, kit: Kit<'c, 'a>, offset: i64, index: Val<'c, 'a>) -> Val<'c, 'a> {
        let all = kit.beyond(self.kernel.chain.shared, offset);
        kit.at(all, kit.wide(kit.times(index, SUM_BYTES)))
    }

    /// Reads a sum from shared memory.
    pub fn load_sum(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Val<'c, 'a> {
        let element = self.kernel.chain.element();
        element.unpack(kit, kit.load(place, element.vector_type(1), self.kernel.chain.bytes()), 1)[0]
    }

    /// Writes a sum to shared memory.
    pub fn store_sum(&self, kit: Kit<'c, 'a>, sum: Val<'c, 'a>, place: Val<'c, 'a>) {
        kit.store(self.kernel.chain.element().pack(kit, &[sum]), place, self.kernel.chain.bytes());
    }
}
