//! `tcgen05.mma`: one thread multiplies matrices in shared memory, and adds the product to sums in tensor memory (PTX ISA, 9.7.16.2.1
//! and 9.7.16.4.2).
//!
//! An instruction has 128 or 64 rows. A row is in a lane of its own, each column of 32 bits in a column of tensor memory:
//!
//! ```text
//!   128 rows    rows 0 … 127 in lanes 0 … 127
//!    64 rows    rows 0 … 15 | 16 … 31 | 32 … 47 | 48 … 63
//!               lanes 0 … 15 | 32 … 47 | 64 … 79 | 96 … 111, or these and 16
//! ```
//!
//! Shape and types are in a descriptor of the instruction:
//!
//! ```text
//!   bit   2       A is sparse                    bits 15, 16   A, B are transposed
//!   bits  4–5     type of the sums               bits 17–22    columns / 8
//!   bits  7–9     type of A                      bits 24–28    rows / 16
//!   bits 10–12    type of B
//!
//!   with scales   bits 4–5, 29–30   bytes of the scales of B, of A
//!                 bit  23           these are powers of two
//! ```
//!
//! A scale is a byte in tensor memory, for a row of A, or a column of B, and [`SCALED_DEPTH`] depths. An instruction takes the same byte
//! of each column (PTX ISA, 9.7.16.10.7):
//!
//! ```text
//!               column 0            column 1             …
//!   lane  0     row 0: 4 bytes      row 32: 4 bytes          and again in the lanes 32 …, 64 … and 96 …
//!   lane  1     row 1               row 33
//! ```

use crate::convert::NumberFormat;
use crate::matrix_descriptor::Field;
use crate::mma::Factor;

/// The rows of an instruction of one block, most first.
pub const ROWS: [i64; 2] = [128, 64];

/// The most columns of an instruction.
pub const MAX_COLUMNS: i64 = 256;

/// Bytes of depth of an instruction.
pub const DEPTH_BYTES: i64 = 32;

/// Depths that a scale is for: those of an instruction on bytes.
pub const SCALED_DEPTH: i64 = 32;

/// Bits of a scale.
pub const SCALE_BITS: u32 = 8;

/// Scales of a row that a column of tensor memory has.
pub const SCALES_OF_COLUMN: i64 = 4;

/// Lanes that have scales of different rows.
pub const SCALE_LANES: i64 = 32;

/// How often tensor memory has each scale: in the lanes of each of four warps.
pub const SCALE_COPIES: i64 = 4;

/// Lanes of tensor memory that one warp reaches.
pub const WARP_LANES: i64 = 32;

/// Integers have fewer columns that are no multiples of 16, with 64 rows (PTX ISA, tcgen05.mma, shapes).
const ODD_COLUMNS_OF_INTEGERS: [i64; 2] = [8, 24];

/// The types that an instruction multiplies: `.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MmaKind {
    /// `f16` and `bf16`.
    F16,
    /// `tf32`.
    Tf32,
    /// 8-bit floats, also one of each type.
    F8f6f4,
    /// 8-bit floats with scales.
    Mxf8f6f4,
    /// Bytes, also one signed and one not.
    I8,
}

impl MmaKind {
    /// The kind that multiplies such elements and adds them up in 32 bits; `None` where there is none.
    pub fn of(a: Factor, b: Factor, sum: NumberFormat) -> Option<Self> {
        let all = |is_kind: fn(Factor) -> bool| is_kind(a) && is_kind(b);
        match sum {
            NumberFormat::F32 if a == b && matches!(a, Factor::F16 | Factor::Bf16) => Some(MmaKind::F16),
            NumberFormat::F32 if all(|factor| factor == Factor::Tf32) => Some(MmaKind::Tf32),
            NumberFormat::F32 if all(|factor| matches!(factor, Factor::E4m3 | Factor::E5m2)) => Some(MmaKind::F8f6f4),
            NumberFormat::Integer(32) if all(|factor| matches!(factor, Factor::S8 | Factor::U8)) => Some(MmaKind::I8),
            _ => None,
        }
    }

    /// The name in PTX.
    pub const fn ptx(self) -> &'static str {
        match self {
            MmaKind::F16 => "f16",
            MmaKind::Tf32 => "tf32",
            MmaKind::F8f6f4 => "f8f6f4",
            MmaKind::Mxf8f6f4 => "mxf8f6f4.block_scale",
            MmaKind::I8 => "i8",
        }
    }

    /// The same types with scales; `None` where there are none.
    pub const fn scaled(self) -> Option<Self> {
        match self {
            MmaKind::F8f6f4 => Some(MmaKind::Mxf8f6f4),
            _ => None,
        }
    }

    /// Whether an instruction of `rows` rows may have so many columns.
    pub fn has_columns(self, rows: i64, columns: i64) -> bool {
        let step = match (rows, self) {
            (_, MmaKind::Mxf8f6f4) if rows != ROWS[0] => return false,
            (_, MmaKind::Mxf8f6f4) => 8,
            (64, MmaKind::I8) if ODD_COLUMNS_OF_INTEGERS.contains(&columns) => 8,
            (64, MmaKind::F16 | MmaKind::Tf32 | MmaKind::F8f6f4) => 8,
            _ => 16,
        };
        ROWS.contains(&rows) && (1..=MAX_COLUMNS).contains(&columns) && columns % step == 0
    }
}

/// The lane of a row of an instruction, from the lane of its first row on.
///
/// ```
/// use tile_isa::tcgen05_mma::lane;
/// assert_eq!([0, 15, 16, 63].map(|row| lane(64, row)), [0, 15, 32, 111]);
/// assert_eq!([0, 15, 16, 127].map(|row| lane(128, row)), [0, 15, 16, 127]);
/// ```
pub const fn lane(rows: i64, row: i64) -> i64 {
    let of_warp = rows * WARP_LANES / ROWS[0];
    row / of_warp * WARP_LANES + row % of_warp
}

/// The lanes in which the first row of an instruction may be.
pub const fn first_lanes(rows: i64) -> &'static [i64] {
    if rows == ROWS[0] { &[0] } else { &[0, 16] }
}

/// The descriptor of a dense instruction of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstructionDescriptor {
    /// Rows of A and of the sums.
    pub rows: i64,
    /// Columns of B and of the sums.
    pub columns: i64,
    /// The elements of A and B.
    pub factors: [Factor; 2],
    /// Whether rows of A, and columns of B, are contiguous, and not depths.
    pub transposed: [bool; 2],
}

impl InstructionDescriptor {
    /// Whether A is sparse.
    pub const SPARSE: Field = Field::new(2, 1);
    /// The type of the sums.
    pub const SUM: Field = Field::new(4, 2);
    /// The types of A and B.
    pub const FACTORS: [Field; 2] = [Field::new(7, 3), Field::new(10, 3)];
    /// Whether A and B are transposed.
    pub const TRANSPOSED: [Field; 2] = [Field::new(15, 1), Field::new(16, 1)];
    /// Columns, in units of 8.
    pub const COLUMNS: Field = Field::new(17, 6);
    /// Rows, in units of 16.
    pub const ROWS: Field = Field::new(24, 5);
    /// Whether scales are powers of two.
    pub const POWERS: Field = Field::new(23, 1);
    /// The bytes of the scales of A and B.
    pub const SCALES: [Field; 2] = [Field::new(29, 2), Field::new(4, 2)];

    /// The bits, for sums of 32 bits.
    ///
    /// ```
    /// use tile_isa::mma::Factor;
    /// use tile_isa::tcgen05_mma::InstructionDescriptor;
    /// let product = InstructionDescriptor { rows: 128, columns: 16, factors: [Factor::F16; 2], transposed: [false; 2] };
    /// assert_eq!(product.bits(), 8 << 24 | 2 << 17 | 1 << 4);
    /// ```
    pub fn bits(self) -> u32 {
        let is_integer = matches!(self.factors[0], Factor::S8 | Factor::U8);
        (self.shape() | Self::SUM.put(if is_integer { 2 } else { 1 })) as u32
    }

    /// The bits with scales that are powers of two, in these bytes.
    ///
    /// ```
    /// use tile_isa::mma::Factor;
    /// use tile_isa::tcgen05_mma::InstructionDescriptor;
    /// let product = InstructionDescriptor { rows: 128, columns: 16, factors: [Factor::E5m2; 2], transposed: [false; 2] };
    /// assert_eq!(product.bits_with_scales([3, 1]), 3 << 29 | 8 << 24 | 1 << 23 | 2 << 17 | 1 << 10 | 1 << 7 | 1 << 4);
    /// ```
    pub fn bits_with_scales(self, bytes: [i64; 2]) -> u32 {
        let [of_a, of_b] = Self::SCALES;
        (self.shape() | Self::POWERS.put(1) | of_a.put(bytes[0]) | of_b.put(bytes[1])) as u32
    }

    /// Sizes and factors.
    fn shape(self) -> u64 {
        let sizes = Self::ROWS.put(self.rows / 16) | Self::COLUMNS.put(self.columns / 8);
        (0..2).fold(sizes, |bits, at| {
            let (number, transposed) = (number(self.factors[at]), self.transposed[at]);
            bits | Self::FACTORS[at].put(number) | Self::TRANSPOSED[at].put(transposed.into())
        })
    }
}

/// The number of a type among those of its kind.
fn number(factor: Factor) -> i64 {
    match factor {
        Factor::F16 | Factor::E4m3 | Factor::U8 | Factor::F64 => 0,
        Factor::Bf16 | Factor::E5m2 | Factor::S8 => 1,
        Factor::Tf32 => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_with_an_instruction() {
        let float = |a, b| MmaKind::of(a, b, NumberFormat::F32);
        assert_eq!(float(Factor::Bf16, Factor::Bf16), Some(MmaKind::F16));
        assert_eq!(float(Factor::E4m3, Factor::E5m2), Some(MmaKind::F8f6f4));
        assert_eq!(MmaKind::of(Factor::S8, Factor::U8, NumberFormat::Integer(32)), Some(MmaKind::I8));
        assert_eq!(float(Factor::F16, Factor::Bf16), None);
        assert_eq!(float(Factor::S8, Factor::S8), None);
        assert_eq!(MmaKind::of(Factor::F64, Factor::F64, NumberFormat::F64), None);
        assert_eq!(MmaKind::of(Factor::F16, Factor::F16, NumberFormat::F16), None);
    }

    #[test]
    fn columns_of_an_instruction() {
        let count = |kind: MmaKind, rows| (0..300).filter(|&columns| kind.has_columns(rows, columns)).count();
        assert_eq!([64, 128].map(|rows| count(MmaKind::F16, rows)), [32, 16]);
        assert_eq!([64, 128].map(|rows| count(MmaKind::I8, rows)), [18, 16]);
        assert_eq!(count(MmaKind::F16, 32), 0);
        assert_eq!([64, 128].map(|rows| count(MmaKind::Mxf8f6f4, rows)), [0, 32]);
    }

    #[test]
    fn types_have_numbers() {
        let bits =
            |a, b| InstructionDescriptor { rows: 64, columns: 8, factors: [a, b], transposed: [true, false] }.bits();
        let shape = 4 << 24 | 1 << 17 | 1 << 15;
        assert_eq!(bits(Factor::Bf16, Factor::Bf16), shape | 1 << 4 | 1 << 7 | 1 << 10);
        assert_eq!(bits(Factor::Tf32, Factor::Tf32), shape | 1 << 4 | 2 << 7 | 2 << 10);
        assert_eq!(bits(Factor::E4m3, Factor::E5m2), shape | 1 << 4 | 1 << 10);
        assert_eq!(bits(Factor::S8, Factor::U8), shape | 2 << 4 | 1 << 7);
    }
}
