//! Step 1: the tile's own orders, with each swizzle that XORs bits of the line into bits of the bank.
//!
//! ```text
//!   64x64 f16, columns fastest        address bits   0 1 2 | 3 | 4 5 6  7 8 9 10 11        16-byte vectors along a row
//!                                                    column      row
//!   bank of 4 bytes: bits 1 to 5; those that keep vectors: 3 to 5; swizzles into them from 6 on
//! ```

use super::access::Prepared;
use super::best::Best;
use super::candidate::{Candidate, Xor, moved, own_orders};
use super::phases::WORD_BYTES;
use super::tile::Tile;

/// The bits of an address that select a bank, the first and the one behind the last; the most banks that a phase of the target has count.
pub(super) fn bank_bits(tile: &Tile, accesses: &[Prepared<'_>]) -> (u32, u32) {
    let phases = accesses.first().map_or(&[][..], |access| access.problem.phases.phases);
    let banks = phases.iter().map(|phase| phase.banks).max().unwrap_or(1).ilog2();
    let word = WORD_BYTES.ilog2();
    (word.saturating_sub(tile.element_log2), (word + banks).saturating_sub(tile.element_log2))
}

/// The places of the bits of an element's number, with the dimensions in this order, slowest first.
fn positions(tile: &Tile, order: &[usize]) -> Vec<u32> {
    let mut positions = vec![0; tile.bits as usize];
    let mut next = 0;
    for &dimension in order.iter().rev() {
        let dimension = &tile.dimensions[dimension];
        for bit in dimension.first..dimension.first + dimension.bits {
            positions[bit as usize] = next;
            next += 1;
        }
    }
    positions
}

/// The longest vector that is one run under these positions, in bits.
fn widest(accesses: &[Prepared<'_>], positions: &[u32]) -> u32 {
    let width = |access: &Prepared<'_>| {
        let vector = access.linear.iter().flat_map(|linear| &linear.vector);
        vector.zip(0..).take_while(|&(&vector, bit)| moved(positions, vector) == 1 << bit).count() as u32
    };
    accesses.iter().map(width).max().unwrap_or(0)
}

pub(super) fn try_orders(tile: &Tile, accesses: &[Prepared<'_>], best: &mut Best) {
    let orders: Vec<Vec<u32>> = own_orders(tile.dimensions.len()).iter().map(|order| positions(tile, order)).collect();
    let widest: Vec<u32> = orders.iter().map(|positions| widest(accesses, positions)).collect();
    let (bank, line) = bank_bits(tile, accesses);
    for bits in 0..=line - bank {
        for (positions, widest) in orders.iter().zip(&widest) {
            let first = bank.max(*widest);
            let targets = first..(line + 1).saturating_sub(bits).max(first);
            let sources = line..(tile.bits + 1).saturating_sub(bits).max(line);
            let pairs = targets.flat_map(|to| sources.clone().map(move |from| Xor { bits, to, from }));
            // Without bits all swizzles are the same.
            let none = Xor { bits: 0, to: 0, from: 0 };
            let tried: Vec<Xor> = if bits == 0 { vec![none] } else { pairs.collect() };
            for xor in tried {
                best.offer(tile, accesses, Candidate::Bits { positions: positions.clone(), xor });
                if best.is_ideal() {
                    return;
                }
            }
        }
    }
}
