//! The three kernels of `reduce_then_scan`. Each starts after the one before has ended, so no block waits.
//!
//! ```text
//!   reduce   one block a tile    sums[t] = sum of tile t
//!   prefix   one block           prefixes[t] = sum before tile t
//!   apply    one block a tile    results of tile t, from prefixes[t]
//!
//!   workspace   256 bytes | sums | prefixes
//! ```

use tile_plan::scan::{Tile, workspace};

use super::kernel::{ScanKernel, ScannedArray, TileChain};
use super::local::{self, Warps};
use super::operator::Maybe;
use super::transfer::{self, ThreadPart};
use crate::emit::{Cmp, Kit, Special, Val};

/// Bytes of static shared memory of each kernel.
pub fn shared_bytes(tile: &Tile, element_bytes: i64) -> i64 {
    tile.warps() * element_bytes
}

/// The kernel that computes the sums of tiles.
pub fn reduce<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>, tile: &Tile) {
    let number = kit.special(Special::Block);
    let place = ThreadPart::new(kit, &kernel.chain, tile, number);
    let rows = local::rows(kit, &kernel.chain, transfer::load(kit, &kernel.source, tile, place));
    let warps = exchange(kit, kernel, tile, rows.total);
    kit.when(kit.is(Cmp::Eq, kernel.chain.thread, 0), |kit| {
        let at = kernel.chain.element_at(kit, sums(kit, kernel), kit.wide(number));
        kit.store(kernel.chain.element().pack(kit, &[warps.total]), at, kernel.chain.bytes());
    });
}

/// The kernel that computes the prefix before each tile from the sums, in pieces as large as a tile.
pub fn prefix<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>, tile: &Tile) {
    let tiles = kernel.chain.tiles(kit, tile.elements());
    // Accessed element by element: a vector at the edge could contain words that are not sums.
    let piece = Tile { rows: tile.items(), vector: 1, ..*tile };
    let (element, bytes) = (kernel.chain.element(), kernel.chain.bytes());
    let whole = |first| ScannedArray { first, step: bytes, element, alignment: bytes };
    let inner = ScanKernel {
        chain: TileChain { n: kit.wide(tiles), ..kernel.chain },
        source: whole(sums(kit, kernel)),
        dest: whole(prefixes(kit, kernel, tile)),
        exclusive: true,
    };
    let pieces = inner.chain.tiles(kit, piece.elements());
    let beginning = kernel.chain.beginning(kit);
    kit.count([kit.i32(0), pieces, kit.i32(1)], [beginning.value], |kit, number, [sum]| {
        let there = beginning.there.map(|_| kit.is(Cmp::Sgt, number, 0));
        let before = Maybe { value: sum, there };
        let place = ThreadPart::new(kit, &inner.chain, &piece, number);
        let rows = local::rows(kit, &inner.chain, transfer::load(kit, &inner.source, &piece, place));
        let warps = exchange(kit, &inner, &piece, rows.total);
        let results = rows.results(kit, &inner.chain, inner.chain.operator.join(kit, before, warps.before), true);
        transfer::store(kit, &inner.dest, &piece, place, &results);
        kit.block_barrier();
        [inner.chain.operator.after(kit, before, warps.total)]
    });
}

/// The kernel that computes the results.
pub fn apply<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>, tile: &Tile) {
    let (element, number) = (kernel.chain.element(), kit.special(Special::Block));
    let place = ThreadPart::new(kit, &kernel.chain, tile, number);
    let rows = local::rows(kit, &kernel.chain, transfer::load(kit, &kernel.source, tile, place));
    let warps = exchange(kit, kernel, tile, rows.total);
    let at = kernel.chain.element_at(kit, prefixes(kit, kernel, tile), kit.wide(number));
    let value = element.unpack(kit, kit.load_constant(at, element.vector_type(1), kernel.chain.bytes()), 1)[0];
    // Without an initial value there is nothing before the first tile.
    let there = kernel.chain.beginning(kit).there.map(|_| kit.is(Cmp::Sgt, number, 0));
    let before = kernel.chain.operator.join(kit, Maybe { value, there }, warps.before);
    transfer::store(kit, &kernel.dest, tile, place, &rows.results(kit, &kernel.chain, before, kernel.exclusive));
}

fn exchange<'c: 'a, 'a>(
    kit: Kit<'c, 'a>,
    kernel: &ScanKernel<'c, 'a>,
    tile: &Tile,
    total: Val<'c, 'a>,
) -> Warps<'c, 'a> {
    local::warps(kit, &kernel.chain, tile, total, (kernel.chain.shared, kernel.chain.bytes()), |kit| {
        kit.block_barrier()
    })
}

fn sums<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>) -> Val<'c, 'a> {
    kernel.chain.field(kit, workspace::STATES)
}

fn prefixes<'c: 'a, 'a>(kit: Kit<'c, 'a>, kernel: &ScanKernel<'c, 'a>, tile: &Tile) -> Val<'c, 'a> {
    let tiles = kernel.chain.tiles(kit, tile.elements());
    kernel.chain.element_at(kit, sums(kit, kernel), kit.wide(tiles))
}
