//! Scales of the rows of A and the columns of B in `tcgen05.mma` with `.block_scale`: bytes in tensor memory, each for 32 or
//! 16 elements along k (PTX ISA 9.7.16.10.7).
//!
//! ```text
//! scales of a row    bytes of a cell
//!   1                byte 0, 1, 2 or 3      the instruction descriptor says which
//!   2                bytes 0, 1 or 2, 3     likewise
//!   4                all
//! ```
//!
//! Those of row `r` are in lane `r % 32` and column `r / 32`. The other three groups of 32 lanes have a copy of each: it is
//! not known which a GPU reads, so copies that differ are an error here. A scale is `ue8m0`, a power of two, or `ue4m3`.
//! Elements are multiplied by their scale before they are multiplied by each other, which is exact; products of f32 that are
//! too great or too small for it are rounded as others are.

use super::problem::{Exec, invalid};
use super::region::Region;
use super::rows::Rows;
use super::sums::value;
use super::tensor_memory::{ROWS, cell, word};
use crate::code::{Element, TensorMmaKind};
use crate::float::E4M3;
use crate::memory::Segment;

/// Lanes that hold different scales; the others hold copies.
const LANES: u64 = 32;

/// The type of a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScaleType {
    /// A power of two.
    Ue8m0,
    /// `e4m3` without a sign.
    Ue4m3,
}

impl ScaleType {
    /// The number that the bits represent; `None` for bits that represent none.
    fn number(self, bits: u64) -> Option<f64> {
        match self {
            Self::Ue8m0 => Some(if bits == 0xff { f64::NAN } else { 2f64.powi(bits as i32 - 127) }),
            Self::Ue4m3 => (bits < 0x80).then(|| value(Element::Float(E4M3), bits)),
        }
    }
}

/// The scales of a row, in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScaleField {
    ty: ScaleType,
    /// The first byte.
    byte: u64,
    per_line: u64,
}

/// What an instruction descriptor says of the scales of A and of B.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScaleFields {
    fields: [ScaleField; 2],
}

impl ScaleFields {
    pub(crate) fn decode(bits: u64, kind: TensorMmaKind, per_line: u64) -> Exec<Self> {
        let fault = |what: String| invalid(format!("the instruction descriptor {bits:#010x} {what}"));
        let ty = match bits >> 23 & 1 {
            1 => ScaleType::Ue8m0,
            _ if kind == TensorMmaKind::Mxf4nvf4 && per_line == 4 => ScaleType::Ue4m3,
            _ => return Err(fault("has type 0 for scales, expected 1 (ue8m0)".into())),
        };
        let field = |name: &str, at: u32| {
            let byte = bits >> at & 3;
            if !byte.is_multiple_of(per_line) {
                let expected = if per_line == 2 { "0 or 2" } else { "0" };
                let what =
                    format!("has byte {byte} for the {per_line} scales of a line of {name}, expected {expected}");
                return Err(fault(what));
            }
            Ok(ScaleField { ty, byte, per_line })
        };
        Ok(Self { fields: [field("A", 29)?, field("B", 4)?] })
    }

    /// Those of A, or of B.
    pub(crate) fn of(self, operand: usize) -> ScaleField {
        self.fields[operand]
    }
}

/// The scales of A or of B.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scales {
    /// The cells, with all copies.
    pub(crate) region: Region,
    field: ScaleField,
}

impl Scales {
    /// The scales of the rows of A, or columns of B, from an address in tensor memory on.
    pub(crate) fn at(what: &str, address: u64, lines: u64, field: ScaleField) -> Exec<Self> {
        // The address may name the byte in its upper two bits. The instruction descriptor decides which it is; the two need not
        // agree: code in use passes addresses of columns, whose upper bits are 0, with descriptors of any byte.
        let (lane, column) = (address >> 16 & 0x3fff, address & 0xffff);
        if lane != 0 {
            return Err(invalid(format!(
                "the scales of {what} begin in lane {lane} of tensor memory, expected lane 0"
            )));
        }
        let region = Region { lane, rows: ROWS, column, columns: lines.div_ceil(LANES) };
        Ok(Self { region, field })
    }

    /// Multiplies rows of A, or columns of B, by their scales; with `init`, these must have a value.
    pub(crate) fn apply(&self, what: &str, rows: &mut Rows, cells: &Segment, init: bool) -> Exec<()> {
        let per_line = self.field.per_line as usize;
        for line in 0..rows.len() {
            let row = rows.row_mut(line);
            let elements = row.len() / per_line;
            for (part, elements) in row.chunks_mut(elements).enumerate() {
                let bits = self.read(what, [line as u64, part as u64], cells, init)?;
                let scale = self.field.ty.number(bits).ok_or_else(|| {
                    invalid(format!("scale {line} of {what} is {bits:#04x}, expected `ue4m3`, without a sign"))
                })?;
                elements.iter_mut().for_each(|element| *element *= scale);
            }
        }
        Ok(())
    }

    fn read(&self, what: &str, [line, part]: [u64; 2], cells: &Segment, init: bool) -> Exec<u64> {
        let copy = |first: u64| {
            let byte = (self.field.byte + part) as usize;
            word(cells, cell(first + line % LANES, self.region.column + line / LANES) + byte, 1, init)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_powers_of_two_or_short_floats() {
        let power = |bits| ScaleType::Ue8m0.number(bits).unwrap();
        assert_eq!([126, 127, 137].map(power), [0.5, 1.0, 1024.0]);
        assert!(power(255).is_nan());
        assert_eq!((power(0), power(254)), (2f64.powi(-127), 2f64.powi(127)));
        assert_eq!(
            [0x38, 0x3c, 0x7e, 0xb8].map(|bits| ScaleType::Ue4m3.number(bits)),
            [Some(1.0), Some(1.5), Some(448.0), None]
        );
    }

    #[test]
    fn the_byte_of_an_address_is_no_lane() {
        let field = ScaleField { ty: ScaleType::Ue8m0, byte: 1, per_line: 1 };
        let at = |address: u64| Scales::at("A", address, 40, field);
        assert_eq!(
            at(0x8000_0007).map(|scales| scales.region).ok(),
            Some(Region { lane: 0, rows: 128, column: 7, columns: 2 })
        );
        assert!(at(0x0010_0000).is_err_and(|p| p.detail.contains("scales of A begin in lane 16")));
    }

    #[test]
    fn fields_of_the_descriptor() {
        let read = |bits: u64, kind, per_line| ScaleFields::decode(bits, kind, per_line).map_err(|p| p.detail.clone());
        let nvf4 = TensorMmaKind::Mxf4nvf4;
        let field = |found: Result<ScaleFields, String>, operand| found.map(|fields| fields.of(operand)).ok();
        let powers = 1 << 23;
        let want = |ty, byte, per_line| Some(ScaleField { ty, byte, per_line });
        assert_eq!(field(read(powers | 2 << 29, nvf4, 2), 0), want(ScaleType::Ue8m0, 2, 2));
        assert_eq!(field(read(0, nvf4, 4), 1), want(ScaleType::Ue4m3, 0, 4));
        assert_eq!(field(read(powers | 3 << 4, TensorMmaKind::Mxf8f6f4, 1), 1), want(ScaleType::Ue8m0, 3, 1));
        for (bits, kind, per_line, part) in [
            (0, TensorMmaKind::Mxf8f6f4, 1, "type 0 for scales, expected 1 (ue8m0)"),
            (0, TensorMmaKind::Mxf4, 2, "type 0 for scales, expected 1 (ue8m0)"),
            (0, nvf4, 2, "type 0 for scales, expected 1 (ue8m0)"),
            (powers | 1 << 29, nvf4, 2, "byte 1 for the 2 scales of a line of A, expected 0 or 2"),
            (powers | 2 << 4, nvf4, 4, "byte 2 for the 4 scales of a line of B, expected 0"),
        ] {
            assert!(read(bits, kind, per_line).is_err_and(|detail| detail.contains(part)), "{part}");
        }
    }
}
