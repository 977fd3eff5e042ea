//! A thread's elements of a tile, and their neighbours.
//!
//! ```text
//!   element        to its right
//!   in a vector    the next one of the vector
//!   the last one   the first one of the next lane, by a shuffle; in the last lane, from memory
//! ```

use tile_isa::WARP;

use super::ahead;
use super::kernel::ChainedKernel;
use crate::emit::{Cmp, Kit, Val};
use crate::scan::kernel::ScannedArray;
use crate::scan::transfer::{self, Items, ThreadPart};

/// A thread's part of a tile: its elements of each source, and where they are.
pub struct ChainedPart<'c, 'a> {
    /// The elements of each source.
    pub sources: Vec<Items<'c, 'a>>,
    /// The position in the arrays.
    pub place: ThreadPart<'c, 'a>,
    /// The thread's first element, counted from the tile's, i32.
    pub local: Val<'c, 'a>,
    /// The number of elements in the tile, i32.
    pub count: Val<'c, 'a>,
    /// The place of the array's first element in the tile, i32; -1 where it is in another one.
    pub first: Val<'c, 'a>,
    /// The same of the array's last element.
    pub last: Val<'c, 'a>,
}

/// Which neighbours of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Neighbour {
    /// Those before.
    Left,
    /// Those after.
    Right,
}

impl<'c: 'a, 'a> ChainedPart<'c, 'a> {
    /// Reads a thread's part of a tile, from shared memory if it was read ahead.
    pub fn load(
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        number: Val<'c, 'a>,
        was_read_ahead: bool,
    ) -> Self {
        let (chain, tile) = (&kernel.chain, kernel.tile);
        let place = ThreadPart::new(kit, chain, tile, number);
        let local = kit.add(kit.times(chain.warp, tile.warp_elements()), kit.times(chain.lane, tile.vector));
        let whole = kit.i64(tile.elements());
        let left = kit.sub(chain.n, kit.times(kit.wide(number), tile.elements()));
        let count = kit.narrow(kit.min(left, whole));
        let (nowhere, is_last) = (kit.i32(-1), kit.cmp(Cmp::Sle, left, whole));
        let load = |(index, source): (usize, &ScannedArray<'c, 'a>)| match was_read_ahead {
            false => transfer::load(kit, source, tile, place),
            true => transfer::load_by(kit, source, tile, place, |kit| ahead::vectors(kit, kernel, index)),
        };
        ChainedPart {
            sources: kernel.sources.iter().enumerate().map(load).collect(),
            place,
            local,
            count,
            first: kit.select(kit.is(Cmp::Eq, number, 0), kit.i32(0), nowhere),
            last: kit.select(is_last, kit.plus(count, -1), nowhere),
        }
    }

    /// The neighbours of all elements of a source; beyond an end of the array, the element itself.
    pub fn neighbours(
        &self,
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        source: usize,
        side: Neighbour,
    ) -> Items<'c, 'a> {
        let (items, array) = (&self.sources[source], &kernel.sources[source]);
        let beyond = |(row, items): (usize, &Vec<Val<'c, 'a>>)| {
            let across = self.across(kit, kernel, (array, items), row, side);
            match side {
                Neighbour::Left => std::iter::once(across).chain(items.iter().copied()).take(items.len()).collect(),
                Neighbour::Right => items[1..].iter().copied().chain(std::iter::once(across)).collect(),
            }
        };
        items.iter().enumerate().map(beyond).collect()
    }

    /// The neighbour of a vector.
    fn across(
        &self,
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        (array, items): (&ScannedArray<'c, 'a>, &[Val<'c, 'a>]),
        row: usize,
        side: Neighbour,
    ) -> Val<'c, 'a> {
        let (chain, tile) = (&kernel.chain, kernel.tile);
        // The row's first element: all lanes read from one address what only the lane at the edge needs.
        let lanes_before = kit.wide(kit.times(chain.lane, tile.vector));
        let start = kit.plus(kit.sub(self.place.start, lanes_before), row as i64 * tile.row_elements());
        let (index, edge) = match side {
            Neighbour::Left => (kit.plus(start, -1), 0),
            Neighbour::Right => (kit.plus(start, tile.row_elements()), WARP - 1),
        };
        let index = kit.max(kit.min(index, kit.plus(chain.n, -1)), kit.i64(0));
        let outside = array.read(kit, array.place(kit, index));
        let item = match side {
            Neighbour::Left => items[items.len() - 1],
            Neighbour::Right => items[0],
        };
        let inside = array.element.shuffled(kit, item, |word| match side {
            Neighbour::Left => kit.shuffle_up(word, kit.i32(1)),
            Neighbour::Right => kit.shuffle_down(word, 1),
        });
        kit.select(kit.is(Cmp::Eq, chain.lane, edge), outside, inside)
    }
}
