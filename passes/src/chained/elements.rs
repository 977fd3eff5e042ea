//! A thread's elements of a tile, and their neighbours.
//!
//! ```text
//!   element        to its right
//!   in a vector    the next one of the vector
//!   the last one   the first one of the next lane, by a shuffle; in the last lane, from memory; in a stage, from there
//! ```

use tile_isa::WARP;

use super::kernel::ChainedKernel;
use crate::emit::{Cmp, Kit, Val};
use crate::scan::kernel::ScannedArray;
use crate::scan::transfer::{Items, ThreadPart};

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
    /// The addresses in shared memory of the tile's first elements of each source, with those beside the tile, if all of it is there.
    pub stage: Option<Vec<Val<'c, 'a>>>,
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
    /// A thread's part of a tile (i32), from its first element on (i32), of which `load` reads the elements of each source. A stage
    /// has all of the tile: for each source the address of its first element there.
    pub fn load(
        kit: Kit<'c, 'a>,
        kernel: &ChainedKernel<'_, 'c, 'a>,
        ([number, local], stage): ([Val<'c, 'a>; 2], Option<Vec<Val<'c, 'a>>>),
        load: impl Fn(usize, &ScannedArray<'c, 'a>, ThreadPart<'c, 'a>) -> Items<'c, 'a>,
    ) -> Self {
        let (chain, tile) = (&kernel.chain, kernel.tile);
        let place = ThreadPart::of_lane(kit, chain, tile, [number, local]);
        let whole = kit.i64(tile.elements());
        let left = kit.sub(chain.n, kit.times(kit.wide(number), tile.elements()));
        let count = kit.narrow(kit.min(left, whole));
        let (nowhere, is_last) = (kit.i32(-1), kit.cmp(Cmp::Sle, left, whole));
        ChainedPart {
            sources: kernel.sources.iter().enumerate().map(|(index, source)| load(index, source, place)).collect(),
            place,
            local,
            count,
            first: kit.select(kit.is(Cmp::Eq, number, 0), kit.i32(0), nowhere),
            last: kit.select(is_last, kit.plus(count, -1), nowhere),
            stage,
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
        let items = &self.sources[source];
        let beyond = |(row, items): (usize, &Vec<Val<'c, 'a>>)| {
            let across = self.across(kit, kernel, (source, items), row, side);
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
        (source, items): (usize, &[Val<'c, 'a>]),
        row: usize,
        side: Neighbour,
    ) -> Val<'c, 'a> {
        let (chain, tile, array) = (&kernel.chain, kernel.tile, &kernel.sources[source]);
        let row_start = row as i64 * tile.row_elements();
        if let Some(stage) = &self.stage {
            let distance = if side == Neighbour::Left { row_start - 1 } else { row_start + tile.vector };
            let bytes = array.element.bytes();
            let place = kit.at(stage[source], kit.wide(kit.times(self.local, bytes)));
            return array.read_shared(kit, kit.beyond(place, distance * bytes));
        }
        // From the row's first element: all lanes read from one address what only the lane at the edge needs.
        let lanes_before = kit.wide(kit.times(chain.lane, tile.vector));
        let (distance, edge) = match side {
            Neighbour::Left => (row_start - 1, 0),
            Neighbour::Right => (row_start + tile.row_elements(), WARP - 1),
        };
        let index = kit.plus(kit.sub(self.place.start, lanes_before), distance);
        let index = kit.max(kit.min(index, kit.plus(chain.n, -1)), kit.i64(0));
        let outside = array.read(kit, array.place(kit, index));
        let item = match side {
            Neighbour::Left => items[items.len() - 1],
            Neighbour::Right => items[0],
        };
        let inside = array.element.shuffled(kit, item, |word| match side {
            Neighbour::Left => kit.shuffle_up(word, kit.i32(1)),
            Neighbour::Right => kit.shuffle_down(word, kit.i32(1)),
        });
        kit.select(kit.is(Cmp::Eq, chain.lane, edge), outside, inside)
    }
}
