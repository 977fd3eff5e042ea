//! The load warp: one thread has tiles copied in as soon as their stages are free.

use super::{Bar, Block};
use crate::scan::emit::Kit;

pub fn run<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>) {
    kit.when(block.kernel.is_first_lane(kit), |kit| {
        block.rounds(kit, [], |kit, round, []| {
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
