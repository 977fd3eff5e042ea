//! Publishing the sum of a tile, and fault injection around it.

use tile_plan::scan::Hooks;
use tile_plan::scan::state::{AGGREGATE, MISSING};

use super::kernel::Kernel;
use super::state::States;
use crate::emit::{Cmp, Kit, Val};

/// Publishes the sum of a tile that is not the first, by one thread. `last` is the number of the last tile.
pub fn aggregate<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    states: States<'_, 'c, 'a>,
    hooks: &Hooks,
    tile: Val<'c, 'a>,
    sum: Val<'c, 'a>,
) {
    match hooks.skip_post {
        None => states.write(kit, tile, AGGREGATE, sum),
        Some(mask) => {
            let published = kit.is(Cmp::Ne, kit.mask(kit.plus(tile, 1), mask), 0);
            kit.when(published, |kit| states.write(kit, tile, AGGREGATE, sum));
        }
    }
}

/// Waits, where the hook says so, until another block has published the sum of a tile. For the last tile none would.
pub fn hold<'c: 'a, 'a>(kit: Kit<'c, 'a>, states: States<'_, 'c, 'a>, hooks: &Hooks, [tile, last]: [Val<'c, 'a>; 2]) {
    let Some(mask) = hooks.hold else { return };
    let chosen = kit.is(Cmp::Eq, kit.mask(tile, mask), 0);
    let held = kit.and(chosen, kit.cmp(Cmp::Slt, tile, last));
    kit.when(held, |kit| {
        kit.repeat([], |kit, []| (kit.is(Cmp::Eq, states.read(kit, tile).flag, MISSING), []));
    });
}

/// The tile that a block takes as the `index`-th of `tiles`: from the end, where the hook says so.
pub fn numbered<'c: 'a, 'a>(kit: Kit<'c, 'a>, hooks: &Hooks, [index, tiles]: [Val<'c, 'a>; 2]) -> Val<'c, 'a> {
    if hooks.reverse { kit.sub(kit.plus(tiles, -1), index) } else { index }
}

/// Lets the workspace know that a block gave up.
pub fn give_up<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &Kernel<'c, 'a>) {
    let place = kernel.field(kit, tile_plan::scan::workspace::ERROR);
    kit.store_relaxed(kit.i32(1), place, 4);
}
