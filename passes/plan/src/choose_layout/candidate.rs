//! Layouts to be tried.

use tile_layout::{Axis, Iter, Layout, LayoutError, Swizzle, canonical::fused};

use super::tile::Tile;

/// The swizzle of a candidate: `bits` bits of the address from bit `to` on are XORed with those from bit `from` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Xor {
    pub(super) bits: u32,
    pub(super) to: u32,
    pub(super) from: u32,
}

impl Xor {
    pub(super) fn apply(self, address: u32) -> u32 {
        address ^ ((address >> self.from & ((1 << self.bits) - 1)) << self.to)
    }

    /// The swizzle; `None` of no bits.
    pub(super) fn swizzle(self) -> Option<Swizzle> {
        Swizzle::new(self.to, self.bits, self.from - self.to, true).ok().filter(|swizzle| swizzle.len > 0)
    }
}

/// A layout to be tried.
#[derive(Clone, Debug)]
pub(super) enum Candidate {
    /// The bit of the address that each bit of an element's number becomes, lowest first, and a swizzle. Odd parts are outermost.
    Bits { positions: Vec<u32>, xor: Xor },
    /// The stride of each dimension.
    Strides(Vec<i64>),
    /// A layout, and the address of each bit of an element's number if these are added by XOR.
    Given { layout: Layout, images: Option<Vec<u32>> },
}

/// The address bits of a vector of F2.
pub(super) fn moved(positions: &[u32], vector: u32) -> u32 {
    let mut rest = vector;
    let mut address = 0;
    while rest != 0 {
        address |= 1 << positions[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    address
}

impl Candidate {
    /// A layout of the tile.
    pub(super) fn given(tile: &Tile, layout: &Layout) -> Result<Self, LayoutError> {
        layout.validate()?;
        if layout.size() != tile.elements {
            return Err(LayoutError::SizeMismatch { got: tile.elements, expected: layout.size() });
        }
        let iters = layout.shard.iter().filter(|iter| iter.extent > 1);
        let bits = |iter: &Iter| (0..iter.extent.ilog2()).map(|bit| iter.stride << bit).collect::<Vec<_>>();
        let columns: Vec<i64> = iters.clone().rev().flat_map(bits).collect();
        // No carries: no two columns have a bit in common.
        let disjoint = columns.iter().try_fold(0i64, |seen, column| (seen & column == 0).then_some(seen | column));
        let is_linear = disjoint.is_some_and(|all| all >> 31 == 0)
            && iters.clone().all(|iter| iter.extent.count_ones() == 1)
            && layout.offset.values().all(|&value| value == 0);
        let swizzled = |&column: &i64| layout.swizzle.map_or(column, |swizzle| swizzle.apply(column)) as u32;
        let images = (is_linear && tile.odd == 1).then(|| columns.iter().map(swizzled).collect());
        Ok(Candidate::Given { layout: layout.clone(), images })
    }

    /// The address of an element, in elements.
    pub(super) fn address(&self, tile: &Tile, element: i64) -> i64 {
        match self {
            Candidate::Bits { positions, xor } => {
                let (bits, odd) = tile.split(element);
                (odd << tile.bits) + i64::from(xor.apply(moved(positions, bits)))
            }
            Candidate::Strides(strides) => tile.coordinates(element).zip(strides).map(|(at, stride)| at * stride).sum(),
            Candidate::Given { layout, .. } => {
                let mut rest = element;
                let mut address = layout.offset_on(Axis::Memory);
                for iter in layout.shard.iter().rev() {
                    address += rest % iter.extent * iter.stride;
                    rest /= iter.extent;
                }
                layout.swizzle.map_or(address, |swizzle| swizzle.apply(address))
            }
        }
    }

    /// The layout, each dimension in as few iters as possible.
    pub(super) fn layout(&self, tile: &Tile) -> Layout {
        match self {
            Candidate::Given { layout, .. } => layout.clone(),
            Candidate::Strides(strides) => {
                let iters = tile.dimensions.iter().zip(strides);
                Layout::new(
                    iters.map(|(dimension, &stride)| Iter::memory(dimension.extent, stride)).collect::<Vec<_>>(),
                )
            }
            Candidate::Bits { positions, xor } => {
                let mut outer = tile.elements;
                let mut shard = Vec::new();
                for dimension in &tile.dimensions {
                    outer /= dimension.odd;
                    let mut iters = vec![Iter::memory(dimension.odd, outer)];
                    let bits = (dimension.first..dimension.first + dimension.bits).rev();
                    iters.extend(bits.map(|bit| Iter::memory(2, 1 << positions[bit as usize])));
                    shard.extend(fused(&iters));
                }
                Layout { swizzle: xor.swizzle(), ..Layout::new(shard) }
            }
        }
    }

    /// The number of elements that it spans.
    pub(super) fn span(&self, tile: &Tile) -> i64 {
        match self {
            Candidate::Bits { .. } => tile.elements,
            Candidate::Given { layout, .. } => layout.memory_span(),
            Candidate::Strides(strides) => {
                1 + tile
                    .dimensions
                    .iter()
                    .zip(strides)
                    .map(|(dimension, stride)| (dimension.extent - 1) * stride)
                    .sum::<i64>()
            }
        }
    }
}

/// The tile's own orders: its dimensions as they are, and each of the others fastest in turn; slowest first.
pub(super) fn own_orders(rank: usize) -> Vec<Vec<usize>> {
    let with_fastest = |fastest: usize| (0..rank).filter(|&other| other != fastest).chain([fastest]).collect();
    (0..rank).rev().map(with_fastest).collect()
}
