//! The one-pass kernel whose blocks take one tile each and keep it in registers.

use tile_plan::scan::state::PREFIX;
use tile_plan::scan::{Decoupled, Order, Tile, workspace};

use super::kernel::ScanKernel;
use super::local;
use super::operator::Maybe;
use super::search::{BEFORE, LookbackSearch, SUMS};
use super::state::{self, States};
use super::transfer::{self, ThreadPart};
use crate::emit::{Cmp, Kit, Special, Val};

/// Bytes of shared memory that the kernel needs.
pub fn shared_bytes(tile: &Tile, element_bytes: i64) -> i64 {
    SUMS + tile.warps() * element_bytes
}

/// The body of the kernel.
pub fn body<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>, plan: &Decoupled, tile: &Tile, order: Order) {
    let tiles = kernel.tiles(kit, tile.elements());
    let index = match order {
        Order::BlockId => kit.special(Special::Block),
        Order::Ticket => ticket(kit, kernel),
    };
    // A block beyond the last tile has nothing to do.
    kit.when(kit.cmp(Cmp::Slt, index, tiles), |kit| {
        let number = state::numbered(kit, &plan.hooks, [index, tiles]);
        scan_tile(kit, kernel, plan, tile, [number, kit.plus(tiles, -1)]);
    });
}

/// The block's number in the order in which blocks start. The last one to start resets the counter for the next launch.
fn ticket<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>) -> Val<'c, 'a> {
    let counter = kernel.field(kit, workspace::TICKET);
    kit.when(kit.is(Cmp::Eq, kernel.thread, 0), |kit| {
        let taken = kit.fetch_add(counter, kit.i32(1));
        kit.store(taken, kernel.shared, 4);
        let last = kit.plus(kit.special(Special::Blocks), -1);
        kit.when(kit.cmp(Cmp::Eq, taken, last), |kit| kit.store_relaxed(kit.i32(0), counter, 4));
    });
    kit.block_barrier();
    let taken = kit.load(kernel.shared, kit.int_type(32), 4);
    kit.block_barrier();
    taken
}

fn scan_tile<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    plan: &Decoupled,
    tile: &Tile,
    [number, last]: [Val<'c, 'a>; 2],
) {
    let states = States::new(kernel, plan.state);
    let place = ThreadPart::new(kit, kernel, tile, number);
    let rows = local::rows(kit, kernel, transfer::load(kit, kernel, tile, place));
    let room = (kit.beyond(kernel.shared, SUMS), kernel.bytes());
    let warps = local::warps(kit, kernel, tile, rows.total, room, |kit| kit.block_barrier());
    let is_first = kit.is(Cmp::Eq, number, 0);
    let leads = kit.is(Cmp::Eq, kernel.thread, 0);
    kit.when(leads, |kit| {
        state::hold(kit, states, &plan.hooks, [number, last]);
        kit.when(is_first, |kit| {
            let prefix = kernel.operator.after(kit, kernel.beginning(kit), warps.total);
            states.write(kit, number, PREFIX, prefix);
        });
        kit.when(kit.not(is_first), |kit| state::aggregate(kit, states, &plan.hooks, number, warps.total));
    });
    let before = before(kit, kernel, plan, tile, states, [number, warps.total]);
    let prefix = kernel.operator.join(kit, before, warps.before);
    let results = rows.results(kit, kernel, prefix);
    transfer::store(kit, kernel, tile, place, &results);
}

/// The sum before the tile, in all threads. The tile's prefix is published before its results are written, because
/// other blocks wait for it.
fn before<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    plan: &Decoupled,
    tile: &Tile,
    states: States<'_, 'c, 'a>,
    [number, total]: [Val<'c, 'a>; 2],
) -> Maybe<'c, 'a> {
    let element = kernel.element();
    let beginning = kernel.beginning(kit);
    let follows = kit.is(Cmp::Sgt, number, 0);
    let search = |kit: Kit<'c, 'a>| {
        let sum = LookbackSearch { kernel, plan, tile, states }.run(kit, number);
        let place = kit.beyond(kernel.shared, BEFORE);
        kit.when(kit.is(Cmp::Eq, kernel.thread, 0), |kit| {
            states.write(kit, number, PREFIX, kernel.operator.combine(kit, sum, total));
            kit.store(element.pack(kit, &[sum]), place, kernel.bytes());
        });
        kit.block_barrier();
        [element.unpack(kit, kit.load(place, element.vector_type(1), kernel.bytes()), 1)[0]]
    };
    let [value] = kit.either(follows, search, [element.0.r#type], |_| [beginning.value]);
    Maybe { value, there: beginning.there.map(|_| follows) }
}
