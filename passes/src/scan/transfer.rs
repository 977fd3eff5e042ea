//! Loads a tile from global memory into registers, and stores it.
//!
//! Elements past the end of the array are read as copies of the last one: sums flow only to the right, and no thread
//! reads the sum of the last tile.

use tile_plan::scan::Tile;

use super::kernel::ScanKernel;
use crate::emit::{Cmp, Kit, Val};

/// The elements of one thread: rows of one vector each.
pub type Items<'c, 'a> = Vec<Vec<Val<'c, 'a>>>;

/// The position of a thread's part of a tile.
#[derive(Clone, Copy)]
pub struct ThreadPart<'c, 'a> {
    /// The index of the thread's first element in the array, i64.
    start: Val<'c, 'a>,
    /// Whether all of the tile lies inside the array.
    full: Val<'c, 'a>,
}

impl<'c: 'a, 'a> ThreadPart<'c, 'a> {
    /// The part of a tile (i32) that belongs to this lane of a scanning warp.
    pub fn new(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>, tile: &Tile, number: Val<'c, 'a>) -> Self {
        let first = kit.times(kit.wide(number), tile.elements());
        let end = kit.plus(first, tile.elements());
        let inside = kit.add(kit.times(kernel.warp, tile.warp_elements()), kit.times(kernel.lane, tile.vector));
        ThreadPart { start: kit.add(first, kit.wide(inside)), full: kit.cmp(Cmp::Sle, end, kernel.n) }
    }
}

/// Reads a thread's elements.
pub fn load<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
) -> Items<'c, 'a> {
    let element = kernel.element();
    // Both branches return whole vectors: from loads of elements in both, LLVM would make a single branch.
    let types = vec![element.vector_type(tile.vector); tile.rows as usize];
    let vectors = kit.either_list(
        place.full,
        |kit| load_vectors(kit, kernel, tile, place.start),
        &types,
        |kit| load_inside(kit, kernel, tile, place),
    );
    vectors.into_iter().map(|vector| element.unpack(kit, vector, tile.vector)).collect()
}

/// Reads vectors of a tile that lies entirely inside the array.
fn load_vectors<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    tile: &Tile,
    start: Val<'c, 'a>,
) -> Vec<Val<'c, 'a>> {
    let element = kernel.element();
    let base = kernel.source.element(kit, start);
    (0..tile.rows)
        .map(|row| {
            let pointer = kernel.source.after(kit, base, row * tile.row_elements());
            kit.load_constant(pointer, element.vector_type(tile.vector), alignment(kernel, tile))
        })
        .collect()
}

/// Reads element by element, none past the end, into the same vectors as those of a full tile.
pub fn load_inside<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
) -> Vec<Val<'c, 'a>> {
    let start = place.start;
    let last = kit.plus(kernel.n, -1);
    let element = kernel.element();
    let one = |offset| {
        let index = kit.min(kit.plus(start, offset), last);
        let pointer = kernel.source.element(kit, index);
        let loaded = kit.load_constant(pointer, element.vector_type(1), kernel.lone_alignment());
        element.unpack(kit, loaded, 1)[0]
    };
    let items: Vec<_> = offsets(tile).map(one).collect();
    items.chunks(tile.vector as usize).map(|row| element.pack(kit, row)).collect()
}

/// Writes a thread's elements.
pub fn store<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
    items: &Items<'c, 'a>,
) {
    let element = kernel.element();
    let base = kernel.dest.element(kit, place.start);
    kit.when(place.full, |kit| {
        for (row, items) in items.iter().enumerate() {
            let pointer = kernel.dest.after(kit, base, row as i64 * tile.row_elements());
            kit.store(element.pack(kit, items), pointer, alignment(kernel, tile));
        }
    });
    kit.when(kit.not(place.full), |kit| store_inside(kit, kernel, tile, place, items));
}

/// Writes element by element, none past the end.
pub fn store_inside<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    tile: &Tile,
    place: ThreadPart<'c, 'a>,
    items: &Items<'c, 'a>,
) {
    let base = kernel.dest.element(kit, place.start);
    for (offset, &item) in offsets(tile).zip(items.iter().flatten()) {
        let inside = kit.cmp(Cmp::Slt, kit.plus(place.start, offset), kernel.n);
        kit.when(inside, |kit| {
            let pointer = kernel.dest.after(kit, base, offset);
            kit.store(kernel.element().pack(kit, &[item]), pointer, kernel.lone_alignment());
        });
    }
}

/// The offsets of a thread's elements from its first one.
fn offsets(tile: &Tile) -> impl Iterator<Item = i64> {
    let (vector, row_elements) = (tile.vector, tile.row_elements());
    (0..tile.rows).flat_map(move |row| (0..vector).map(move |place| row * row_elements + place))
}

fn alignment(kernel: &ScanKernel<'_, '_>, tile: &Tile) -> i64 {
    (tile.vector * kernel.bytes()).min(kernel.alignment)
}
