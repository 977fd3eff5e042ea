//! Addresses: of stages in dynamic shared memory, and of barriers and sums in static shared memory.

use tile_plan::scan::ring::{SUM_BYTES, SumRooms};

use super::{Bar, Block, RingWork, Round};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::state::States;

impl<'c: 'a, 'a, W: RingWork<'c, 'a>> Block<'_, 'c, 'a, W> {
    /// An mbarrier of a stage.
    pub fn bar(&self, kit: Kit<'c, 'a>, bar: Bar, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        let all = kit.beyond(self.chain.shared, 8 * bar as i64 * self.ring.stages);
        kit.at(all, kit.wide(kit.times(slot, 8)))
    }

    /// Waits until an mbarrier of a stage has completed the phase of this parity.
    pub fn wait(&self, kit: Kit<'c, 'a>, bar: Bar, [slot, parity]: [Val<'c, 'a>; 2]) {
        kit.wait(self.bar(kit, bar, slot), parity);
    }

    /// Waits until a stage is free for the round's tile.
    pub fn wait_free(&self, kit: Kit<'c, 'a>, round: Round<'c, 'a>) {
        kit.when(round.is_reused, |kit| {
            let before = kit.sub(kit.i32(1), round.phase);
            self.wait(kit, Bar::Done, [round.slot, before]);
        });
    }

    /// The address of a stage in shared memory.
    pub fn stage(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        kit.at(self.stages, kit.wide(kit.times(slot, self.ring.stage_bytes)))
    }

    /// Whether all of a tile lies inside the array.
    pub fn is_full(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> Val<'c, 'a> {
        let end = kit.times(kit.wide(kit.plus(tile, 1)), self.ring.tile.elements());
        kit.cmp(Cmp::Sle, end, self.chain.n)
    }

    /// The states of tiles.
    pub fn states(&self) -> States<'_, 'c, 'a> {
        States::new(&self.chain, self.exchange.state)
    }

    /// The address of the sum of a stage's tile.
    pub fn aggregate(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, SumRooms::of_ring(self.ring).aggregate, slot)
    }

    /// The address of the sum of the tiles since the block's last one.
    pub fn before(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, SumRooms::of_ring(self.ring).before, slot)
    }

    /// The address of the partial sums of the reduce warps for a stage, [`SUM_BYTES`] apart.
    pub fn partial(&self, kit: Kit<'c, 'a>, slot: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, SumRooms::of_ring(self.ring).partial, kit.times(slot, self.ring.reduce_warps))
    }

    /// The place in a tile of the first element of a lane of a scan warp, i32.
    pub fn lane_start(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        let tile = &self.ring.tile;
        kit.add(kit.times(self.chain.warp, tile.warp_elements()), kit.times(self.chain.lane, tile.vector))
    }

    /// The address of the sums of the scan warps; rounds alternate between two of them.
    pub fn warp_sums(&self, kit: Kit<'c, 'a>, turn: Val<'c, 'a>) -> Val<'c, 'a> {
        self.sum_of(kit, SumRooms::of_ring(self.ring).warps, kit.times(turn, self.ring.tile.warps()))
    }

    fn sum_of(&self, kit: Kit<'c, 'a>, offset: i64, index: Val<'c, 'a>) -> Val<'c, 'a> {
        let all = kit.beyond(self.chain.shared, offset);
        kit.at(all, kit.wide(kit.times(index, SUM_BYTES)))
    }

    /// Reads a sum from shared memory.
    pub fn load_sum(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Val<'c, 'a> {
        let element = self.chain.element();
        element.unpack(kit, kit.load(place, element.vector_type(1), self.chain.bytes()), 1)[0]
    }

    /// Writes a sum to shared memory.
    pub fn store_sum(&self, kit: Kit<'c, 'a>, sum: Val<'c, 'a>, place: Val<'c, 'a>) {
        kit.store(self.chain.element().pack(kit, &[sum]), place, self.chain.bytes());
    }
}
