//! The one-pass kernel whose blocks take one tile each and keep it in registers.

use tile_plan::scan::state::PREFIX;
use tile_plan::scan::{Order, SumExchange, Tile, workspace};

use super::kernel::{ScanKernel, TileChain};
use super::local::{self, Rows};
use super::operator::Maybe;
use super::search::{BEFORE, LookbackSearch, SUMS};
use super::state::{self, States};
use super::transfer::{self, Items, ThreadPart};
use super::work::{Prefixes, TileWork};
use crate::emit::{Cmp, Kit, Special, Val};

/// Bytes of shared memory that the exchange of sums needs.
pub fn shared_bytes(tile: &Tile, element_bytes: i64) -> i64 {
    SUMS + tile.warps() * element_bytes
}

/// The kernel.
pub struct RegisterKernel<'k, 'c, 'a, W> {
    /// What its blocks exchange.
    pub chain: &'k TileChain<'c, 'a>,
    /// How they do so.
    pub exchange: &'k SumExchange,
    /// The tile of a block.
    pub tile: &'k Tile,
    /// Which block takes which tile.
    pub order: Order,
    /// Whether a block takes several tiles, and begins to read each before it has finished the one before.
    pub is_persistent: bool,
    /// The work on a tile.
    pub work: &'k W,
}

impl<'c: 'a, 'a, W: TileWork<'c, 'a>> RegisterKernel<'_, 'c, 'a, W> {
    /// The body of the kernel.
    pub fn body(&self, kit: Kit<'c, 'a>) {
        let tiles = self.chain.tiles(kit, self.tile.elements());
        let index = match self.order {
            Order::BlockId => kit.special(Special::Block),
            Order::Ticket => ticket(kit, self.chain),
        };
        let numbered = |kit, index| state::numbered(kit, &self.exchange.hooks, [index, tiles]);
        // A block beyond the last tile has nothing to do.
        kit.when(kit.cmp(Cmp::Slt, index, tiles), |kit| {
            let (number, last) = (numbered(kit, index), kit.plus(tiles, -1));
            if !self.is_persistent {
                let loaded = self.work.load(kit, number);
                return self.one_tile(kit, [number, last], loaded);
            }
            self.work.begin(kit, number);
            let blocks = kit.special(Special::Blocks);
            kit.count([index, tiles, blocks], [], |kit, index, []| {
                let (number, next) = (numbered(kit, index), kit.add(index, blocks));
                let has_next = kit.cmp(Cmp::Slt, next, tiles);
                let loaded = self.work.load_begun(kit, number, (numbered(kit, next), has_next));
                self.one_tile(kit, [number, last], loaded);
                []
            });
        });
    }

    fn one_tile(&self, kit: Kit<'c, 'a>, [number, last]: [Val<'c, 'a>; 2], (items, part): (Items<'c, 'a>, W::Part)) {
        let (chain, hooks) = (self.chain, &self.exchange.hooks);
        let states = States::new(chain, self.exchange.state);
        let rows = local::rows(kit, chain, items);
        let room = (kit.beyond(chain.shared, SUMS), chain.bytes());
        let warps = local::warps(kit, chain, self.tile, rows.total, room, |kit| kit.block_barrier());
        let is_first = kit.is(Cmp::Eq, number, 0);
        let leads = kit.is(Cmp::Eq, chain.thread, 0);
        kit.when(leads, |kit| {
            state::hold(kit, states, hooks, [number, last]);
            kit.when(is_first, |kit| {
                let prefix = chain.operator.after(kit, chain.beginning(kit), warps.total);
                states.write(kit, number, PREFIX, prefix);
            });
            kit.when(kit.not(is_first), |kit| state::aggregate(kit, states, hooks, number, warps.total));
        });
        let before = self.before(kit, states, [number, warps.total]);
        let warp = chain.operator.join(kit, before, warps.before);
        self.work.write(kit, number, part, &rows, Prefixes { tile: before, warp });
    }

    /// The sum before the tile, in all threads. The tile's prefix is published before its results are written, because
    /// other blocks wait for it.
    fn before(&self, kit: Kit<'c, 'a>, states: States<'_, 'c, 'a>, [number, total]: [Val<'c, 'a>; 2]) -> Maybe<'c, 'a> {
        let chain = self.chain;
        let element = chain.element();
        let beginning = chain.beginning(kit);
        let follows = kit.is(Cmp::Sgt, number, 0);
        let search = |kit: Kit<'c, 'a>| {
            let search = LookbackSearch { chain, exchange: self.exchange, tile: self.tile, states, work: self.work };
            let sum = search.run(kit, number);
            let place = kit.beyond(chain.shared, BEFORE);
            kit.when(kit.is(Cmp::Eq, chain.thread, 0), |kit| {
                states.write(kit, number, PREFIX, chain.operator.combine(kit, sum, total));
                kit.store(element.pack(kit, &[sum]), place, chain.bytes());
            });
            kit.block_barrier();
            [element.unpack(kit, kit.load(place, element.vector_type(1), chain.bytes()), 1)[0]]
        };
        let [value] = kit.either(follows, search, [element.0.r#type], |_| [beginning.value]);
        Maybe { value, there: beginning.there.map(|_| follows) }
    }
}

/// The block's number in the order in which blocks start. The last one to start resets the counter for the next launch.
fn ticket<'c: 'a, 'a>(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>) -> Val<'c, 'a> {
    let counter = chain.field(kit, workspace::TICKET);
    kit.when(kit.is(Cmp::Eq, chain.thread, 0), |kit| {
        let taken = kit.fetch_add(counter, kit.i32(1));
        kit.store(taken, chain.shared, 4);
        let last = kit.plus(kit.special(Special::Blocks), -1);
        kit.when(kit.cmp(Cmp::Eq, taken, last), |kit| kit.store_relaxed(kit.i32(0), counter, 4));
    });
    kit.block_barrier();
    let taken = kit.load(chain.shared, kit.int_type(32), 4);
    kit.block_barrier();
    taken
}

/// A scan's work on a tile: elements are read, and their sums written.
pub struct ScanWork<'k, 'c, 'a> {
    /// The kernel.
    pub kernel: &'k ScanKernel<'c, 'a>,
    /// The tile.
    pub tile: &'k Tile,
}

impl<'c: 'a, 'a> TileWork<'c, 'a> for ScanWork<'_, 'c, 'a> {
    type Part = ThreadPart<'c, 'a>;

    fn load(&self, kit: Kit<'c, 'a>, number: Val<'c, 'a>) -> (Items<'c, 'a>, ThreadPart<'c, 'a>) {
        let place = ThreadPart::new(kit, &self.kernel.chain, self.tile, number);
        (transfer::load(kit, &self.kernel.source, self.tile, place), place)
    }

    fn write(
        &self,
        kit: Kit<'c, 'a>,
        _number: Val<'c, 'a>,
        place: ThreadPart<'c, 'a>,
        rows: &Rows<'c, 'a>,
        prefixes: Prefixes<'c, 'a>,
    ) {
        let results = rows.results(kit, &self.kernel.chain, prefixes.warp, self.kernel.exclusive);
        transfer::store(kit, &self.kernel.dest, self.tile, place, &results);
    }
}
