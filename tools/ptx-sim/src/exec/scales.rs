//! Scales of the rows of A and the columns of B in `tcgen05.mma` with `.block_scale`: powers of two in tensor memory, each
//! for 32 elements along k (PTX ISA 9.7.16.10.7).
//!
//! The scale of row `r` is a byte, `ue8m0`, in lane `r % 32` and column `r / 32`; the instruction descriptor says which of
//! the four bytes of the cell. The other three groups of 32 lanes have a copy of each: it is not known which a GPU reads,
//! so copies that differ are an error here. Elements are multiplied by their scale before they are multiplied by each
//! other, which is exact; products of f32 that are too great or too small for it are rounded as others are.

use super::problem::{Exec, invalid};
use super::region::Region;
use super::sums::Rows;
use super::tensor_memory::{ROWS, cell, word};
use crate::memory::Segment;

/// Lanes that hold different scales; the others hold copies.
const LANES: u64 = 32;

/// The scales of A or of B.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scales {
    /// The cells, with all copies.
    pub(crate) region: Region,
    /// The byte of each cell.
    byte: u64,
}

impl Scales {
    /// The scales of the rows of A, or columns of B, from an address in tensor memory on.
    pub(crate) fn at(what: &str, address: u64, lines: u64, byte: u64) -> Exec<Self> {
        // The address may name the byte in its upper two bits, as the instruction descriptor does.
        let (lane, column) = (address >> 16 & 0x3fff, address & 0xffff);
        if lane != 0 {
            return Err(invalid(format!(
                "the scales of {what} begin in lane {lane} of tensor memory, expected lane 0"
            )));
        }
        let region = Region { lane, rows: ROWS, column, columns: lines.div_ceil(LANES) };
        Ok(Self { region, byte })
    }

    /// Multiplies rows of A, or columns of B, by their scales; with `init`, these must have a value.
    pub(crate) fn apply(&self, what: &str, rows: &mut Rows, cells: &Segment, init: bool) -> Exec<()> {
        for (line, row) in rows.iter_mut().enumerate() {
            let scale = power(self.read(what, line as u64, cells, init)?);
            row.iter_mut().for_each(|element| *element *= scale);
        }
        Ok(())
    }

    fn read(&self, what: &str, line: u64, cells: &Segment, init: bool) -> Exec<u64> {
        let copy = |first: u64| {
            let at = cell(first + line % LANES, self.region.column + line / LANES) + self.byte as usize;
            word(cells, at, 1, init)
        };
        let scale = copy(0)?;
        for first in (LANES..ROWS).step_by(LANES as usize) {
            let other = copy(first)?;
            if other != scale {
                let detail = format!(
                    "scale {line} of {what} is {scale:#04x} in lane {}, but its copy in lane {} is {other:#04x}",
                    line % LANES,
                    first + line % LANES
                );
                return Err(invalid(detail));
            }
        }
        Ok(scale)
    }
}

/// The number that `ue8m0` represents.
fn power(bits: u64) -> f64 {
    if bits == 0xff { f64::NAN } else { 2f64.powi(bits as i32 - 127) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_powers_of_two() {
        assert_eq!([126, 127, 137].map(power), [0.5, 1.0, 1024.0]);
        assert!(power(255).is_nan());
        assert_eq!((power(0), power(254)), (2f64.powi(-127), 2f64.powi(127)));
    }

    #[test]
    fn the_byte_of_an_address_is_no_lane() {
        let of = |address: u64| Scales::at("A", address, 40, 1);
        assert_eq!(
            of(0x8000_0007).map(|it| it.region).ok(),
            Some(Region { lane: 0, rows: 128, column: 7, columns: 2 })
        );
        assert!(of(0x0010_0000).is_err_and(|p| p.detail.contains("scales of A begin in lane 16")));
    }
}
