//! Step 1: the tile's own orders, with each swizzle that XORs bits of the line into bits of the bank. Step 3: rows with padding.
//!
//! ```text
//!   64x64 f16, columns fastest        address bits   0 1 2 | 3 | 4 5 6  7 8 9 10 11        16-byte vectors along a row
//!                                                    column      row
//!   bank of 4 bytes: bits 1 to 5; those that keep vectors: 3 to 5; swizzles into them from 6 on
//! ```

use super::access::{Prepared, XorAccess};
use super::best::Best;
use super::candidate::{Candidate, Xor, moved, own_orders};
use super::phases::{NVIDIA, PhaseTable, WORD_BYTES};
use super::tile::Tile;

/// The bits of an address that select a bank, the first and the one behind the last; the most banks that a phase of the target has count.
pub(super) fn bank_bits(tile: &Tile, phases: &PhaseTable) -> (u32, u32) {
    let banks = phases.phases.iter().map(|phase| phase.banks).max().unwrap_or(1).ilog2();
    let word = WORD_BYTES.ilog2();
    (word.saturating_sub(tile.element_log2), (word + banks).saturating_sub(tile.element_log2))
}

/// The places of the bits of an element's number, with the dimensions in this order, slowest first.
pub(super) fn positions(tile: &Tile, order: &[usize]) -> Vec<u32> {
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

/// An order of the tile's dimensions.
struct Order {
    positions: Vec<u32>,
    /// The accesses, with addresses in place of elements.
    moved: Option<Vec<XorAccess>>,
    /// Bits of the longest vector that is one run.
    widest: u32,
}

impl Order {
    fn new(tile: &Tile, accesses: &[Prepared<'_>], order: &[usize]) -> Self {
        let positions = positions(tile, order);
        let all = |vectors: &[u32]| vectors.iter().map(|&vector| moved(&positions, vector)).collect();
        let of_access = |access: &Prepared<'_>| {
            let linear = access.linear.as_ref()?;
            let base = moved(&positions, linear.base);
            Some(XorAccess { base, lanes: all(&linear.lanes), vector: all(&linear.vector) })
        };
        let moved = accesses.iter().map(of_access).collect();
        Order { moved, widest: widest(accesses, &positions), positions }
    }

    /// Offers the order with a swizzle.
    fn offer(&self, tile: &Tile, accesses: &[Prepared<'_>], xor: Xor, best: &mut Best) {
        let candidate = || Candidate::Bits { positions: self.positions.clone(), xor };
        match &self.moved {
            None => best.offer(tile, accesses, candidate()),
            Some(moved) => {
                let cost = |access: &Prepared<'_>, index: usize| {
                    access.by_rank(tile, &moved[index], |address| xor.apply(address)).map(|(total, _)| total)
                };
                best.offer_dense(accesses, cost, candidate);
            }
        }
    }
}

/// The swizzles of `bits` bits of the line into bits of the bank, given by [`bank_bits`], that keep vectors of 2^`widest` elements.
pub(super) fn swizzles(
    tile: &Tile,
    (bank, line): (u32, u32),
    widest: u32,
    bits: u32,
) -> impl Iterator<Item = Xor> + use<> {
    // Without bits all swizzles are the same.
    let places = move |begin: u32, end: u32| begin..if bits == 0 { begin + 1 } else { (end + 1).saturating_sub(bits) };
    let lines = places(line, tile.bits);
    places(bank.max(widest), line).flat_map(move |to| lines.clone().map(move |from| Xor { bits, to, from }))
}

pub(super) fn try_orders(tile: &Tile, accesses: &[Prepared<'_>], best: &mut Best) {
    let phases = accesses.first().map_or(&NVIDIA, |access| access.problem.phases);
    let orders = own_orders(tile.dimensions.len());
    let orders: Vec<Order> = orders.iter().map(|order| Order::new(tile, accesses, order)).collect();
    let banks = bank_bits(tile, phases);
    for bits in 0..=banks.1 - banks.0 {
        for order in &orders {
            for xor in swizzles(tile, banks, order.widest, bits) {
                order.offer(tile, accesses, xor, best);
                if best.is_ideal() {
                    return;
                }
            }
        }
    }
}

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
