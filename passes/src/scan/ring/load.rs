//! The load warp: one thread has tiles copied in as soon as their stages are free, a few at a time.

use super::{Bar, Block, Round};
use crate::emit::Kit;

pub fn run<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>) {
    kit.when(block.kernel.is_first_lane(kit), |kit| {
        block.rounds(kit, [], |kit, round, []| {
            wait_for_earlier(kit, block, round);
            block.wait_free(kit, round);
            let full = block.bar(kit, Bar::Full, round.slot);
            let copied = block.is_full(kit, round.tile);
            kit.when(copied, |kit| {
                let bytes = block.ring.tile_bytes;
                kit.arrive_expecting(full, bytes);
                let from = block.tile_at(kit, block.kernel.source, round.tile);
                kit.copy_in(block.stage(kit, round.slot), from, bytes, full);
            });
            // The scan warps read a tile at the end of the array themselves.
            kit.when(kit.not(copied), |kit| kit.arrive(full));
            []
        });
    });
}

/// Waits until so few tiles are in flight that another may follow. More of them keep memory no busier, but polls and
/// sums that blocks publish would queue behind them.
fn wait_for_earlier<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>, round: Round<'c, 'a>) {
    let rounds = block.ring.in_flight;
    kit.when(block.has_earlier(kit, round, rounds), |kit| {
        let [slot, phase] = block.earlier_stage(kit, round, rounds);
        kit.wait(block.bar(kit, Bar::Full, slot), phase);
    });
}
