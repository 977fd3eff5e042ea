//! The threads and registers that hold each lane and column, per shape (PTX ISA, figures of the tcgen05.ld matrix
//! fragments).

use tile_isa::{TENSOR_LANES, TmemShape, WARP, WARPGROUP};
use tile_layout::Axis;

use crate::families::tmem::region::{COLUMN_BITS, LANE_BITS};

/// `extent` threads or registers at a constant step, and how far apart they are in tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    /// `tid_in_wg` for threads, memory for bits of registers.
    pub axis: Axis,
    pub extent: i64,
    /// Step in threads, or in bits of registers.
    pub at: i64,
    pub lanes: i64,
    /// Columns of 32 bits.
    pub columns: i64,
}

impl Digit {
    const fn threads(extent: i64, at: i64, lanes: i64, columns: i64) -> Digit {
        Digit { axis: Axis::TidInWg, extent, at, lanes, columns }
    }

    const fn registers(extent: i64, at: i64, lanes: i64, columns: i64) -> Digit {
        Digit { axis: Axis::Memory, extent, at: COLUMN_BITS * at, lanes, columns }
    }

    /// Distance in tensor memory, in bits.
    pub(super) fn distance(self) -> i64 {
        self.lanes * LANE_BITS + self.columns * COLUMN_BITS
    }
}

/// The fragment that `.x1` of all four warps moves, as digits: threads ascending, then registers ascending.
pub(super) fn pattern(shape: TmemShape) -> &'static [Digit] {
    match shape {
        TmemShape::Lanes32Bits32 => LANES_32_BITS_32,
        TmemShape::Lanes16Bits64 => LANES_16_BITS_64,
        TmemShape::Lanes16Bits128 => LANES_16_BITS_128,
        TmemShape::Lanes16Bits256 => LANES_16_BITS_256,
    }
}

const WARPS: Digit = Digit::threads(WARPGROUP / WARP, WARP, TENSOR_LANES / 4, 0);
const ROWS: Digit = Digit::threads(8, 4, 1, 0);

const LANES_32_BITS_32: &[Digit] = &[Digit::threads(WARP, 1, 1, 0), WARPS];
const LANES_16_BITS_64: &[Digit] = &[Digit::threads(2, 1, 8, 0), Digit::threads(2, 2, 0, 1), ROWS, WARPS];
const LANES_16_BITS_128: &[Digit] = &[Digit::threads(4, 1, 0, 1), ROWS, WARPS, Digit::registers(2, 1, 8, 0)];
const LANES_16_BITS_256: &[Digit] =
    &[Digit::threads(4, 1, 0, 2), ROWS, WARPS, Digit::registers(2, 1, 0, 1), Digit::registers(2, 2, 8, 0)];

/// The digit by which `.x2` extends `.x1`.
pub(super) fn repeat(shape: TmemShape) -> Digit {
    Digit::registers(2, shape.registers(), 0, shape.columns())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every digit steps as in the figures, and together the digits cover the rectangle of each warp, each cell once.
    #[test]
    fn digits_are_those_of_the_figures() {
        for shape in TmemShape::ALL {
            let mut cells = vec![0];
            for digit in pattern(shape).iter().chain([&repeat(shape)]) {
                for step in 0..digit.extent {
                    let at = step * digit.at;
                    let (thread, register) = if digit.axis == Axis::Memory { (0, at / 32) } else { (at, 0) };
                    let (lane, column) = shape.place(thread, register);
                    assert_eq!(lane * LANE_BITS + 32 * column, step * digit.distance(), "{shape:?} {digit:?}");
                }
                let extend = |cell: i64| (0..digit.extent).map(move |step| cell + step * digit.distance());
                cells = cells.into_iter().flat_map(extend).collect();
            }
            let lanes = (0..4).flat_map(|warp| 32 * warp..32 * warp + shape.lanes());
            let columns = 2 * shape.columns();
            let wanted: BTreeSet<i64> =
                lanes.flat_map(|lane| (0..columns).map(move |column| lane * LANE_BITS + 32 * column)).collect();
            assert_eq!(cells.len(), wanted.len(), "{shape:?}");
            assert_eq!(cells.into_iter().collect::<BTreeSet<_>>(), wanted, "{shape:?}");
        }
    }
}
