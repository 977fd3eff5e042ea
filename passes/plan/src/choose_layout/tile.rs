//! The tile as bits: each extent is an odd number times a power of two, and an element's number is the bits of all its coordinates,
//! slowest dimension first, beside a number for the odd parts.
//!
//! ```text
//!   48 x 32 = (3 * 2^4) x 2^5      element (37, 9) = 2 * 16 + 5, 9      bits 0101 01001, odd part 2
//! ```

use super::problem::LayoutProblem;

pub(super) struct Dimension {
    pub(super) extent: i64,
    /// log2 of its power of two.
    pub(super) bits: u32,
    /// Its odd factor.
    pub(super) odd: i64,
    /// The lowest of its bits in the number of an element.
    pub(super) first: u32,
}

pub(super) struct Tile {
    pub(super) dimensions: Vec<Dimension>,
    /// Bits of an element's number.
    pub(super) bits: u32,
    /// The product of the odd factors.
    pub(super) odd: i64,
    pub(super) elements: i64,
    /// log2 of the bytes of an element.
    pub(super) element_log2: u32,
}

impl Tile {
    pub(super) fn new(problem: &LayoutProblem, elements: i64) -> Self {
        let mut first = 0;
        let mut dimension = |&extent: &i64| {
            let bits = extent.trailing_zeros();
            first += bits;
            Dimension { extent, bits, odd: extent >> bits, first: first - bits }
        };
        let mut dimensions: Vec<Dimension> = problem.shape.iter().rev().map(&mut dimension).collect();
        dimensions.reverse();
        let odd = dimensions.iter().map(|dimension| dimension.odd).product();
        Tile { dimensions, bits: first, odd, elements, element_log2: problem.element_bytes.ilog2() }
    }

    /// The tile whose extents are 2 to these powers, slowest first; `None` where its elements have no number.
    pub(super) fn of_bits(extents: &[u32], element_bytes: i64) -> Option<Self> {
        let bits = extents.iter().sum::<u32>();
        let mut first = bits;
        let dimension = |&bits: &u32| {
            first -= bits;
            Dimension { extent: 1 << bits, bits, odd: 1, first }
        };
        let elements = 1i64.checked_shl(bits).filter(|elements| *elements > 0)?;
        let dimensions = extents.iter().map(dimension).collect();
        Some(Tile { dimensions, bits, odd: 1, elements, element_log2: element_bytes.ilog2() })
    }

    /// The coordinates of an element, slowest dimension first.
    pub(super) fn coordinates(&self, element: i64) -> impl Iterator<Item = i64> {
        let mut inside = self.elements;
        self.dimensions.iter().map(move |dimension| {
            inside /= dimension.extent;
            element / inside % dimension.extent
        })
    }

    /// The bits of an element, and the number of its odd part.
    pub(super) fn split(&self, element: i64) -> (u32, i64) {
        if self.odd == 1 {
            return (u32::try_from(element).unwrap_or(0), 0);
        }
        let (mut bits, mut odd) = (0, 0);
        for (dimension, at) in self.dimensions.iter().zip(self.coordinates(element)) {
            let low = at & ((1 << dimension.bits) - 1);
            bits |= u32::try_from(low).unwrap_or(0) << dimension.first;
            odd = odd * dimension.odd + (at >> dimension.bits);
        }
        (bits, odd)
    }
}
