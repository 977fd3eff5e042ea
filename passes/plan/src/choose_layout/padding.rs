//! Rows of a tile with padding between them, in each of the tile's own orders.

use super::access::Prepared;
use super::candidate::{Candidate, own_orders};
use super::phases::WORD_BYTES;
use super::search::Best;
use super::tile::Tile;

/// Beyond so many bytes, padding repeats: the banks begin again.
const MAX_BYTES: i64 = 128;

/// The strides of the dimensions in this order, slowest first, with `padding` elements behind each row.
fn strides(tile: &Tile, order: &[usize], padding: i64) -> Vec<i64> {
    let mut strides = vec![0; order.len()];
    let mut inside = 1;
    for (place, &dimension) in order.iter().rev().enumerate() {
        strides[dimension] = inside;
        inside = inside * tile.dimensions[dimension].extent + if place == 0 { padding } else { 0 };
    }
    strides
}

/// The tile's own orders without padding.
pub(super) fn try_dense(tile: &Tile, accesses: &[Prepared<'_>], best: &mut Best) {
    for order in own_orders(tile.dimensions.len()) {
        best.offer(tile, accesses, Candidate::Strides(strides(tile, &order, 0)));
    }
}

/// Padding of whole vectors of the widest access along the rows, and of whole words.
pub(super) fn try_padding(tile: &Tile, accesses: &[Prepared<'_>], best: &mut Best) {
    for order in own_orders(tile.dimensions.len()) {
        let dense = Candidate::Strides(strides(tile, &order, 0));
        let element = 1 << tile.element_log2;
        let bytes = |access: &Prepared<'_>| access.bytes(tile, &dense).unwrap_or(1);
        let unit = accesses.iter().map(bytes).max().unwrap_or(1).max(WORD_BYTES).max(element) / element;
        for padding in (unit..).step_by(unit as usize).take_while(|padding| padding * element <= MAX_BYTES) {
            best.offer(tile, accesses, Candidate::Strides(strides(tile, &order, padding)));
            if best.is_ideal() {
                return;
            }
        }
    }
}
