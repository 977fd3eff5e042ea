//! Loads a tile from global memory into registers, and stores it.
//!
//! Elements past the end of the array are read as copies of the last one: sums flow only to the right, and no thread
//! reads the sum of the last tile.

use tile_plan::scan::Tile;

use super::kernel::{ScannedArray, TileChain};
use crate::emit::{Cmp, Kit, Val};

/// The elements of one thread: rows of one vector each.
pub type Items<'c, 'a> = Vec<Vec<Val<'c, 'a>>>;

/// The position of a thread's part of a tile.
#[derive(Clone, Copy)]
pub struct ThreadPart<'c, 'a> {
    /// The index of the thread's first element in the array, i64.
    pub start: Val<'c, 'a>,
    /// Whether all of the tile lies inside the array.
    pub full: Val<'c, 'a>,
    /// The number of elements of the array, i64.
    n: Val<'c, 'a>,
}

impl<'c: 'a, 'a> ThreadPart<'c, 'a> {
    /// The part of a tile (i32) that belongs to this lane of a scanning warp.
    pub fn new(kit: Kit<'c, 'a>, chain: &TileChain<'c, 'a>, tile: &Tile, number: Val<'c, 'a>) -> Self {
        let inside = kit.add(kit.times(chain.warp, tile.warp_elements()), kit.times(chain.lane, tile.vector));
        ThreadPart::of_lane(kit, chain, tile, [number, inside])
    }

    /// The part of a tile (i32) that begins at a place in it (i32).
    pub fn of_lane(
        kit: Kit<'c, 'a>,
        chain: &TileChain<'c, 'a>,
        tile: &Tile,
        [number, inside]: [Val<'c, 'a>; 2],
    ) -> Self {
        let first = kit.times(kit.wide(number), tile.elements());
        let end = kit.plus(first, tile.elements());
        ThreadPart { start: kit.add(first, kit.wide(inside)), full: kit.cmp(Cmp::Sle, end, chain.n), n: chain.n }
    }
}

/// Reads a thread's elements.
pub fn load<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    source: &ScannedArray<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
) -> Items<'c, 'a> {
    load_by(kit, source, tile, place, |kit| load_vectors(kit, source, tile, place.start))
}

/// Reads a thread's elements; `whole` returns the vectors of a tile that lies entirely inside the array.
pub fn load_by<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    source: &ScannedArray<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
    whole: impl FnOnce(Kit<'c, 'a>) -> Vec<Val<'c, 'a>>,
) -> Items<'c, 'a> {
    let element = source.element;
    // Both branches return whole vectors: from loads of elements in both, LLVM would make a single branch.
    let types = vec![element.vector_type(tile.vector); tile.rows as usize];
    let vectors = kit.either_list(place.full, whole, &types, |kit| load_inside(kit, source, tile, place));
    unpacked(kit, source, tile, vectors)
}

/// The elements of vectors.
pub fn unpacked<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    source: &ScannedArray<'c, 'a>,
    tile: &Tile,
    vectors: Vec<Val<'c, 'a>>,
) -> Items<'c, 'a> {
    vectors.into_iter().map(|vector| source.element.unpack(kit, vector, tile.vector)).collect()
}

/// Reads vectors of a tile that lies entirely inside the array.
pub fn load_vectors<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    source: &ScannedArray<'c, 'a>,
    tile: &Tile,
    start: Val<'c, 'a>,
) -> Vec<Val<'c, 'a>> {
    let element = source.element;
    let base = source.place(kit, start);
    (0..tile.rows)
        .map(|row| {
            let pointer = source.after(kit, base, row * tile.row_elements());
            kit.load_constant(pointer, element.vector_type(tile.vector), alignment(source, tile))
        })
        .collect()
}

/// Reads element by element, none past the end, into the same vectors as those of a full tile.
pub fn load_inside<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    source: &ScannedArray<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
) -> Vec<Val<'c, 'a>> {
    let start = place.start;
    let last = kit.plus(place.n, -1);
    let element = source.element;
    let one = |offset| {
        let index = kit.min(kit.plus(start, offset), last);
        let pointer = source.place(kit, index);
        source.read(kit, pointer)
    };
    let items: Vec<_> = offsets(tile).map(one).collect();
    items.chunks(tile.vector as usize).map(|row| element.pack(kit, row)).collect()
}

/// Writes a thread's elements.
pub fn store<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    dest: &ScannedArray<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
    items: &Items<'c, 'a>,
) {
    let element = dest.element;
    let base = dest.place(kit, place.start);
    kit.when(place.full, |kit| {
        for (row, items) in items.iter().enumerate() {
            let pointer = dest.after(kit, base, row as i64 * tile.row_elements());
            kit.store(element.pack(kit, items), pointer, alignment(dest, tile));
        }
    });
    kit.when(kit.not(place.full), |kit| store_inside(kit, dest, tile, place, items));
}

/// Writes element by element, none past the end.
pub fn store_inside<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    dest: &ScannedArray<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
    items: &Items<'c, 'a>,
) {
    let base = dest.place(kit, place.start);
    for (offset, &item) in offsets(tile).zip(items.iter().flatten()) {
        let inside = kit.cmp(Cmp::Slt, kit.plus(place.start, offset), place.n);
        kit.when(inside, |kit| {
            let pointer = dest.after(kit, base, offset);
            dest.write(kit, pointer, item);
        });
    }
}

/// The offsets of a thread's elements from its first one.
pub fn offsets(tile: &Tile) -> impl Iterator<Item = i64> {
    let (vector, row_elements) = (tile.vector, tile.row_elements());
    (0..tile.rows).flat_map(move |row| (0..vector).map(move |place| row * row_elements + place))
}

fn alignment(array: &ScannedArray<'_, '_>, tile: &Tile) -> i64 {
    (tile.vector * array.element.bytes()).min(array.alignment)
}
