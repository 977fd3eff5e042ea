//! The window warp: the sum of the tiles between the block's last one and this one, which other blocks publish.
//!
//! ```text
//!   tile      t-G                          t-1   t         G blocks; t-G was this block's own
//!   lane             … 1 0 | 31 … 1 0 | 31 … 0             32 tiles a word; words from right to left
//! ```
//!
//! A tile whose sum is still missing after `max_spin` polls is computed here, from global memory, and offered to others.

use tile_isa::WARP;
use tile_plan::scan::workspace;

use super::group::Group;
use super::{Bar, Block, Round};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::operator::Maybe;

pub fn run<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>) {
    let zero = kit.i32(0);
    let counts = block.rounds(kit, [zero; 4], |kit, round, counts| {
        block.wait_free(kit, round);
        wait_for_others(kit, block, round);
        let since = kit.plus(kit.sub(round.tile, block.blocks), 1);
        let from = kit.select(round.is_first, kit.i32(0), since);
        let (sum, more) = window(kit, block, from, round.tile);
        kit.when(block.kernel.is_first_lane(kit), |kit| {
            block.store_sum(kit, sum, block.before(kit, round.slot));
            kit.arrive(block.bar(kit, Bar::Prefixed, round.slot));
        });
        std::array::from_fn(|index| kit.add(counts[index], more[index]))
    });
    if block.plan.hooks.counters {
        let fields = [workspace::POLLS, workspace::LOOKED, workspace::FALLBACKS, workspace::INSERTED];
        kit.when(block.kernel.is_first_lane(kit), |kit| {
            fields.into_iter().zip(counts).for_each(|(field, count)| block.kernel.count(kit, field, count));
        });
    }
}

/// Waits until the block itself has published the sum of its next tile, or of this one where there is no next: blocks go
/// about as fast, so others will have published what is needed now. Earlier polls would be repeated, and polls delay the
/// sums that they wait for.
///
/// A stage is free when the tile after its own is copied out: of two stages, the next tile's would be free too late. A sum
/// that fault injection holds back waits for the block that polls it.
fn wait_for_others<'c: 'a, 'a>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a>, round: Round<'c, 'a>) {
    if block.ring.stages < 3 || block.plan.hooks.hold.is_some() {
        return;
    }
    let has_next = kit.cmp(Cmp::Slt, kit.add(round.tile, block.blocks), block.tiles);
    let [next, turn] = block.next_stage(kit, [round.slot, round.phase]);
    let slot = kit.select(has_next, next, round.slot);
    let phase = kit.select(has_next, kit.mask(turn, 1), round.phase);
    kit.wait(block.bar(kit, Bar::Reduced, slot), phase);
}

/// The sum of tiles `from` to `to - 1` in every lane; anything where there are none. And: polls, tiles, fallbacks started
/// and published.
fn window<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a>,
    from: Val<'c, 'a>,
    to: Val<'c, 'a>,
) -> (Val<'c, 'a>, [Val<'c, 'a>; 4]) {
    let zero = kit.i32(0);
    let first = [block.kernel.nothing(kit), zero, zero, zero];
    let size = WARP * block.ring.window;
    let [sum, polls, started, inserted] = kit.count([from, to, kit.i32(size)], first, |kit, base, values| {
        let [sum, polls, started, inserted] = values;
        let count = kit.min(kit.sub(to, base), kit.i32(size));
        let group = Group { block, top: kit.plus(kit.add(base, count), -1), count };
        let (values, [p, b, i]) = group.collect(kit);
        let before = Maybe::where_set(sum, kit.cmp(Cmp::Sgt, base, from));
        let sum = block.kernel.operator.after(kit, before, group.fold(kit, &values));
        [sum, kit.add(polls, p), kit.add(started, b), kit.add(inserted, i)]
    });
    (sum, [polls, kit.max(kit.sub(to, from), zero), started, inserted])
}
