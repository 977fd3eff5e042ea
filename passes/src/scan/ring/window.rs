//! The window warp: it collects the sum of the tiles between the block's last one and this one, which other blocks
//! publish.
//!
//! ```text
//!   tile      t-G                          t-1   t         G blocks; t-G was this block's own
//!   lane             … 1 0 | 31 … 1 0 | 31 … 0             32 tiles per word; words from right to left
//! ```
//!
//! If the sum of a tile is still missing after `max_spin` polls, the warp computes it from global memory and offers it
//! to other blocks.

use tile_isa::WARP;
use tile_plan::scan::workspace;

use super::group::Group;
use super::{Bar, Block, RingWork, Round};
use crate::emit::{Cmp, Kit, Val};
use crate::scan::operator::Maybe;

pub fn run<'c: 'a, 'a, W: RingWork<'c, 'a>>(kit: Kit<'c, 'a>, block: &Block<'_, 'c, 'a, W>) {
    let zero = kit.i32(0);
    let counts = block.rounds(kit, [zero; 4], |kit, round, counts| {
        block.wait_free(kit, round);
        wait_for_others(kit, block, round);
        let since = kit.plus(kit.sub(round.tile, block.blocks), 1);
        let from = kit.select(round.is_first, kit.i32(0), since);
        let (sum, more) = window(kit, block, from, round.tile);
        kit.when(block.chain.is_first_lane(kit), |kit| {
            block.store_sum(kit, sum, block.before(kit, round.slot));
            kit.arrive(block.bar(kit, Bar::Prefixed, round.slot));
        });
        std::array::from_fn(|index| kit.add(counts[index], more[index]))
    });
    if block.exchange.hooks.counters {
        let fields = [workspace::POLLS, workspace::LOOKED, workspace::FALLBACKS, workspace::INSERTED];
        kit.when(block.chain.is_first_lane(kit), |kit| {
            fields.into_iter().zip(counts).for_each(|(field, count)| block.chain.count(kit, field, count));
        });
    }
}

/// Waits until the block itself has published the sum of its next tile, or of this one where there is no next one:
/// blocks run at about the same speed, so the others will then have published the sums that this round needs. Earlier
/// polls would have to be repeated, and polls delay the very sums that they wait for.
///
/// There is no such wait with two stages: a stage becomes free only when the tile after its own is copied out, so the
/// next tile's stage would be free too late. Nor is there one where fault injection holds back sums: such a sum waits
/// for the block that polls it.
fn wait_for_others<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    round: Round<'c, 'a>,
) {
    if block.ring.stages < 3 || block.exchange.hooks.hold.is_some() {
        return;
    }
    let has_next = kit.cmp(Cmp::Slt, kit.add(round.tile, block.blocks), block.tiles);
    let [next, turn] = block.next_stage(kit, [round.slot, round.phase]);
    let slot = kit.select(has_next, next, round.slot);
    let phase = kit.select(has_next, kit.mask(turn, 1), round.phase);
    block.wait(kit, Bar::Reduced, [slot, phase]);
}

/// The sum of tiles `from` to `to - 1` in every lane, an arbitrary value if there are none; and the counts of polls,
/// tiles, fallbacks started and fallbacks published.
fn window<'c: 'a, 'a, W: RingWork<'c, 'a>>(
    kit: Kit<'c, 'a>,
    block: &Block<'_, 'c, 'a, W>,
    from: Val<'c, 'a>,
    to: Val<'c, 'a>,
) -> (Val<'c, 'a>, [Val<'c, 'a>; 4]) {
    let zero = kit.i32(0);
    let first = [block.chain.nothing(kit), zero, zero, zero];
    let size = WARP * block.ring.window;
    let [sum, polls, started, inserted] = kit.count([from, to, kit.i32(size)], first, |kit, base, values| {
        let [sum, polls, started, inserted] = values;
        let count = kit.min(kit.sub(to, base), kit.i32(size));
        let group = Group { block, top: kit.plus(kit.add(base, count), -1), count };
        let (values, [p, b, i]) = group.collect(kit);
        let before = Maybe::where_set(sum, kit.cmp(Cmp::Sgt, base, from));
        let sum = block.chain.operator.after(kit, before, group.fold(kit, &values));
        [sum, kit.add(polls, p), kit.add(started, b), kit.add(inserted, i)]
    });
    (sum, [polls, kit.max(kit.sub(to, from), zero), started, inserted])
}
