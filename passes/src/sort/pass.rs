//! A kernel that sorts by one digit. Each block has a tile, and each of its threads a digit.
//!
//! ```text
//!   keys of the tile        ▶ registers: a warp's rows
//!   ranks among equals      ▶ counts of each warp and digit
//!   counts of the tile      ▶ published; where each warp's keys with a digit begin in the tile
//!   keys                    ▶ shared memory, in the order of digits
//!   counts of all before    ▶ where the keys with a digit go
//!   keys, then values       ▶ memory: runs of equal digits
//! ```

use tile_isa::WARP;
use tile_plan::sort::{COUNT_BYTES, DIGIT_BITS, DIGITS, GAP_EVERY};

use super::kernel::MovedArray;
use super::rank::{self, Packed, warp_scan};
use super::words::{self, INCLUSIVE, Pass};
use crate::emit::{Cmp, Kit, Special, Val};
use crate::scan::state;

/// A block's tile.
struct BlockTile<'c, 'a> {
    /// Its number, i32.
    number: Val<'c, 'a>,
    /// The index of its first element, i32.
    first: Val<'c, 'a>,
    /// The number of its elements, i32.
    count: Val<'c, 'a>,
    /// Whether all of it lies inside the array.
    full: Val<'c, 'a>,
}

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
    /// The body of the kernel.
    pub fn body(&self, kit: Kit<'c, 'a>) {
        self.clear_next(kit);
        let tile = self.tile(kit);
        let keys = self.load_keys(kit, &tile);
        let counts = self.clear_counts(kit);
        let ranks = rank::ranks(kit, &self.kernel, (&keys, self.digit), counts);
        kit.block_barrier();
        self.hold(kit, tile.number);
        let (sum, inside) = self.count_tile(kit, tile.number);
        kit.block_barrier();
        let follows = kit.is(Cmp::Sgt, tile.number, 0);
        // The first words are on their way while the keys are moved.
        let words = self.words(kit, kit.max(kit.plus(tile.number, -1), kit.i32(0)));
        let places = self.scatter_keys(kit, (&keys, counts), &ranks);
        let search = |kit: Kit<'c, 'a>| self.look_back(kit, tile.number, words);
        let types = [kit.int_type(32), kit.int_type(1)];
        let [before, done] = kit.either(follows, search, types, |kit| [self.smaller(kit), kit.int(1, 1)]);
        let all = kit.add(before, sum);
        match self.gives_up() {
            false => self.publish(kit, tile.number, all, kit.i32(INCLUSIVE)),
            true => drop(kit.when(done, |kit| self.publish(kit, tile.number, all, kit.i32(INCLUSIVE)))),
        }
        // Without its count, a digit has no place.
        let begin = kit.select(done, kit.sub(before, inside), self.kernel.n);
        let dest = self.kernel.room_of_thread(kit, self.kernel.plan.tile.rooms().dests, COUNT_BYTES);
        kit.store(begin, dest, COUNT_BYTES);
        kit.block_barrier();
        self.write(kit, &tile, &places);
    }

    /// Clears the totals of the next sort, in the first pass of this one.
    fn clear_next(&self, kit: Kit<'c, 'a>) {
        if self.digit > 0 {
            return;
        }
        let totals = self.kernel.totals(kit, true);
        let place = kit.at(totals, kit.wide(kit.times(self.kernel.thread, COUNT_BYTES)));
        kit.when(kit.is(Cmp::Eq, kit.special(Special::Block), 0), |kit| {
            for pass in 0..self.kernel.plan.passes {
                kit.store(kit.i32(0), kit.beyond(place, pass * DIGITS * COUNT_BYTES), COUNT_BYTES);
            }
        });
    }

    fn tile(&self, kit: Kit<'c, 'a>) -> BlockTile<'c, 'a> {
        let (block, tiles) = (kit.special(Special::Block), kit.special(Special::Blocks));
        let number = state::numbered(kit, &self.kernel.plan.hooks, [block, tiles]);
        let elements = self.kernel.plan.tile.elements();
        let first = kit.times(number, elements);
        let count = kit.min(kit.sub(self.kernel.n, first), kit.i32(elements));
        BlockTile { number, first, count, full: kit.is(Cmp::Eq, count, elements) }
    }

    /// The index in the tile of the thread's first element as it is loaded, i32; the next ones follow by rows of a warp.
    fn loaded_index(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        kit.add(kit.times(self.kernel.warp, WARP * self.kernel.plan.tile.items), self.kernel.lane)
    }

    /// The thread's elements of an array, one of each row; beyond its end, the last one.
    fn load(
        &self,
        kit: Kit<'c, 'a>,
        tile: &BlockTile<'c, 'a>,
        (array, bits): (&MovedArray<'c, 'a>, u32),
        read: impl Fn(Val<'c, 'a>, Val<'c, 'a>) -> Val<'c, 'a>,
    ) -> Vec<Val<'c, 'a>> {
        let index = self.loaded_index(kit);
        let place = array.place(kit, kit.add(tile.first, index));
        let rows = || (0..self.kernel.plan.tile.items).map(|row| row * WARP);
        let whole = |kit: Kit<'c, 'a>| {
            rows().map(|row| read(kit.beyond(place, row * array.bytes), kit.int(1, 1))).collect::<Vec<_>>()
        };
        let types = vec![kit.int_type(bits); self.kernel.plan.tile.items as usize];
        kit.either_list(tile.full, whole, &types, |kit| {
            let inside = |row| {
                let index = kit.plus(index, row);
                let nearest = kit.add(tile.first, kit.min(index, kit.plus(tile.count, -1)));
                read(array.place(kit, nearest), kit.cmp(Cmp::Slt, index, tile.count))
            };
            rows().map(inside).collect()
        })
    }

    /// The thread's keys, ordered; beyond the end of the array they come after all others.
    fn load_keys(&self, kit: Kit<'c, 'a>, tile: &BlockTile<'c, 'a>) -> Vec<Val<'c, 'a>> {
        let (order, from) = (self.kernel.order, &self.from);
        let bits = order.register_bits();
        self.load(kit, tile, (&from.keys, bits), |place, is_inside| {
            kit.select(is_inside, from.read_key(kit, order, place), kit.int(bits, -1))
        })
    }

    /// Clears the warp's counts, and returns where they are.
    fn clear_counts(&self, kit: Kit<'c, 'a>) -> Val<'c, 'a> {
        let (kernel, bytes) = (&self.kernel, self.kernel.plan.tile.warp_bytes());
        let counts = kit.at(kernel.room(kit, self.kernel.plan.tile.rooms().counts), kit.times(kernel.warp, bytes));
        let lane_bytes = bytes / WARP;
        let lane_counts = kit.at(counts, kit.times(kernel.lane, lane_bytes));
        (0..lane_bytes / 8).for_each(|word| kit.store(kit.i64(0), kit.beyond(lane_counts, word * 8), 8));
        kit.warp_barrier();
        counts
    }

    /// Waits, where the hook requests it, until another block has published the tile's counts. Not for the last tile: no block would.
    fn hold(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) {
        let Some(mask) = self.kernel.plan.hooks.hold else { return };
        let last = kit.plus(kit.special(Special::Blocks), -1);
        let held = kit.and(kit.is(Cmp::Eq, kit.mask(tile, mask), 0), kit.cmp(Cmp::Slt, tile, last));
        let place = self.kernel.count_of_thread(kit, tile);
        kit.when(held, |kit| {
            kit.repeat([], |kit, []| (kit.not(self.is_published(kit, words::load(kit, place))), []));
        });
    }

    /// Publishes how many keys of the tile have the thread's digit. Returns that, and how many have a smaller one; the counts of
    /// warps become the places in the tile where their keys begin.
    fn count_tile(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>) -> (Val<'c, 'a>, Val<'c, 'a>) {
        let (kernel, plan) = (&self.kernel, &self.kernel.plan.tile);
        let place = kernel.room_of_thread(kit, self.kernel.plan.tile.rooms().counts, plan.warp_bytes() / DIGITS);
        let of_warp = |warp| kit.beyond(place, warp * plan.warp_bytes());
        let count = |warp| kit.zero_extended(kit.load(of_warp(warp), kit.int_type(16), 2), 32);
        let counts: Vec<_> = (0..plan.warps()).map(count).collect();
        let sum = counts.iter().copied().reduce(|sum, count| kit.add(sum, count)).expect("a block has warps");
        self.publish_tile(kit, tile, sum);
        let sums = kernel.room(kit, self.kernel.plan.tile.rooms().sums);
        let scan = warp_scan(kit, kernel.lane, sum);
        kit.when(kit.is(Cmp::Eq, kernel.lane, WARP - 1), |kit| {
            kit.store(scan, kit.at(sums, kit.times(kernel.warp, COUNT_BYTES)), COUNT_BYTES);
        });
        kit.block_barrier();
        let before = (0..plan.warps() - 1).map(|warp| {
            let sum = kit.load(kit.beyond(sums, warp * COUNT_BYTES), kit.int_type(32), COUNT_BYTES);
            kit.select(kit.is(Cmp::Sgt, kernel.warp, warp), sum, kit.i32(0))
        });
        let inside = before.fold(kit.sub(scan, sum), |all, sum| kit.add(all, sum));
        let mut begin = inside;
        for (warp, &count) in counts.iter().enumerate() {
            kit.store(kit.truncated(begin, 16), of_warp(warp as i64), 2);
            begin = kit.add(begin, count);
        }
        (sum, inside)
    }

    /// Publishes the thread's count of a tile that is not the first, unless the hook skips it.
    fn publish_tile(&self, kit: Kit<'c, 'a>, tile: Val<'c, 'a>, count: Val<'c, 'a>) {
        let follows = kit.is(Cmp::Sgt, tile, 0);
        let publishes = match self.kernel.plan.hooks.skip_post {
            None => follows,
            Some(mask) => kit.and(follows, kit.is(Cmp::Ne, kit.mask(kit.plus(tile, 1), mask), 0)),
        };
        kit.when(publishes, |kit| self.publish(kit, tile, count, kit.i32(0)));
    }

    /// The address in shared memory of a place (i32) in the tile.
    fn slot(&self, kit: Kit<'c, 'a>, place: Val<'c, 'a>) -> Val<'c, 'a> {
        let slot = kit.add(place, kit.over(place, GAP_EVERY));
        kit.at(self.kernel.shared, kit.times(slot, self.kernel.plan.tile.slot_bytes))
    }

    /// Moves the keys to their places in the tile, which it returns.
    fn scatter_keys(
        &self,
        kit: Kit<'c, 'a>,
        (keys, begins): (&[Val<'c, 'a>], Val<'c, 'a>),
        ranks: &Packed<'c, 'a>,
    ) -> Packed<'c, 'a> {
        let order = self.kernel.order;
        let place = |(index, &key): (usize, &Val<'c, 'a>)| {
            // Or LLVM keeps the addresses from the ranking in registers.
            let key = kit.opaque(key);
            let begin = kit.at(begins, kit.times(order.digit(kit, key, self.digit), 2));
            let begin = kit.zero_extended(kit.load(begin, kit.int_type(16), 2), 32);
            let place = kit.add(begin, ranks.get(kit, index));
            kit.store(key, self.slot(kit, place), i64::from(order.register_bits() / 8));
            place
        };
        let places: Vec<_> = keys.iter().enumerate().map(place).collect();
        Packed::new(kit, &places, 16)
    }

    /// Writes the keys, then the values.
    fn write(&self, kit: Kit<'c, 'a>, tile: &BlockTile<'c, 'a>, places: &Packed<'c, 'a>) {
        let order = self.kernel.order;
        let keys = self.collect(kit, order.register_bits());
        let digits: Vec<_> = keys.iter().map(|&key| order.digit(kit, key, self.digit)).collect();
        let digits = Packed::new(kit, &digits, DIGIT_BITS as usize);
        self.write_runs(kit, tile, (&keys, &digits), |kit, index, key| {
            self.to.write_key(kit, order, self.to.keys.place(kit, index), key);
        });
        let (Some(from), Some(to)) = (self.from.values, self.to.values) else { return };
        let bits = (8 * from.bytes as u32).max(32);
        let values = self.load(kit, tile, (&from, bits), |place, _| from.read(kit, place));
        kit.block_barrier();
        for (index, &value) in values.iter().enumerate() {
            kit.store(value, self.slot(kit, places.get(kit, index)), i64::from(bits / 8));
        }
        kit.block_barrier();
        let values = self.collect(kit, bits);
        self.write_runs(kit, tile, (&values, &digits), |kit, index, value| {
            to.write(kit, to.place(kit, index), value);
        });
    }

    /// The elements in shared memory at the places that the thread writes: its number, and every `DIGITS`-th after it.
    fn collect(&self, kit: Kit<'c, 'a>, bits: u32) -> Vec<Val<'c, 'a>> {
        let first = self.slot(kit, self.kernel.thread);
        let row_bytes = (DIGITS + DIGITS / GAP_EVERY) * self.kernel.plan.tile.slot_bytes;
        let element = |row| kit.load(kit.beyond(first, row * row_bytes), kit.int_type(bits), i64::from(bits / 8));
        (0..self.kernel.plan.tile.items).map(element).collect()
    }

    /// Writes elements where those with their digits go; `write` takes an element and its index in the array.
    fn write_runs(
        &self,
        kit: Kit<'c, 'a>,
        tile: &BlockTile<'c, 'a>,
        (elements, digits): (&[Val<'c, 'a>], &Packed<'c, 'a>),
        write: impl Fn(Kit<'c, 'a>, Val<'c, 'a>, Val<'c, 'a>),
    ) {
        let dests = self.kernel.room(kit, self.kernel.plan.tile.rooms().dests);
        let rows = || elements.iter().copied().zip(0..);
        let place = |kit: Kit<'c, 'a>, row: i64| {
            let digit = digits.get(kit, row as usize);
            let begin = kit.load(kit.at(dests, kit.times(digit, COUNT_BYTES)), kit.int_type(32), COUNT_BYTES);
            kit.add(begin, kit.plus(self.kernel.thread, row * DIGITS))
        };
        let one = |kit: Kit<'c, 'a>, element, row| {
            let index = place(kit, row);
            match self.gives_up() {
                false => write(kit, index, element),
                true => drop(kit.when(kit.cmp(Cmp::Slt, index, self.kernel.n), |kit| write(kit, index, element))),
            }
        };
        kit.when(tile.full, |kit| {
            rows().for_each(|(element, row)| one(kit, element, row));
        });
        kit.when(kit.not(tile.full), |kit| {
            for (element, row) in rows() {
                let is_inside = kit.cmp(Cmp::Slt, kit.plus(self.kernel.thread, row * DIGITS), tile.count);
                kit.when(is_inside, |kit| one(kit, element, row));
            }
        });
    }
}
