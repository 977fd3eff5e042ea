//! `mma.sync`: a warp multiplies matrices that its lanes hold in registers (PTX ISA, 9.7.14.5).
//!
//! The lane `4 g + t` holds, of A, elements of the rows `g` and `g + 8`; of B, elements of the column `g`; of C, the columns
//! `2 t` and `2 t + 1` of the rows `g` and `g + 8`. Along k it holds every fourth word of 32 bits, of `f64` every fourth
//! element:
//!
//! ```text
//!   m16n8k16, 16 bits         k 0-1  2-3  4-5  6-7  8-9  …            n 0-1  2-3  4-5  6-7
//!      A     row 0            lane 0    1    2    3    0       C      lane 0    1    2    3
//!            row 1                 4    5    6    7    4                   4    5    6    7
//! ```

use crate::convert::{Clause, NumberFormat};

/// Lanes that hold elements of the same rows.
pub const ROW_LANES: i64 = 4;
/// Groups of lanes that hold different rows; the rows of half of an instruction with 16.
pub const ROW_GROUPS: i64 = 8;

/// An element of A or B, as an instruction reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// IEEE half.
    F16,
    /// The upper half of an `f32`.
    Bf16,
    /// An `f32` of which 10 bits of the mantissa are read.
    Tf32,
    /// IEEE double.
    F64,
    /// 8 bits, 3 of mantissa.
    E4m3,
    /// 8 bits, 2 of mantissa.
    E5m2,
    /// A signed byte.
    S8,
    /// An unsigned byte.
    U8,
}

impl Factor {
    /// All of them.
    pub const ALL: [Factor; 8] =
        [Factor::F16, Factor::Bf16, Factor::Tf32, Factor::F64, Factor::E4m3, Factor::E5m2, Factor::S8, Factor::U8];

    /// The element of that type; `None` for one that no instruction multiplies. `f32` is read as `tf32` where the clause says
    /// so.
    pub fn of(number: NumberFormat, clause: Option<Clause>) -> Option<Factor> {
        match (number, clause) {
            (NumberFormat::F16, None) => Some(Factor::F16),
            (NumberFormat::Bf16, None) => Some(Factor::Bf16),
            (NumberFormat::F32, Some(Clause::Tf32)) => Some(Factor::Tf32),
            (NumberFormat::F64, None) => Some(Factor::F64),
            (NumberFormat::E4m3, None) => Some(Factor::E4m3),
            (NumberFormat::E5m2, None) => Some(Factor::E5m2),
            (NumberFormat::Integer(8), Some(Clause::Signed)) => Some(Factor::S8),
            (NumberFormat::Integer(8), Some(Clause::Unsigned)) => Some(Factor::U8),
            _ => None,
        }
    }

    /// The type's name in PTX.
    pub fn ptx(self) -> &'static str {
        match self {
            Factor::F16 => "f16",
            Factor::Bf16 => "bf16",
            Factor::Tf32 => "tf32",
            Factor::F64 => "f64",
            Factor::E4m3 => "e4m3",
            Factor::E5m2 => "e5m2",
            Factor::S8 => "s8",
            Factor::U8 => "u8",
        }
    }

    /// The width in bits; that of `tf32` includes the bits that are not read.
    pub fn bits(self) -> u32 {
        match self {
            Factor::F16 | Factor::Bf16 => 16,
            Factor::Tf32 => 32,
            Factor::F64 => 64,
            Factor::E4m3 | Factor::E5m2 | Factor::S8 | Factor::U8 => 8,
        }
    }

    /// Elements of a register.
    pub fn per_register(self) -> i64 {
        match self {
            Factor::F16 | Factor::Bf16 => 2,
            Factor::Tf32 | Factor::F64 => 1,
            Factor::E4m3 | Factor::E5m2 | Factor::S8 | Factor::U8 => 4,
        }
    }
}

/// The shape of an instruction: A is m x k, B is k x n, C is m x n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaShape {
    /// Rows of A and C.
    pub m: i64,
    /// Columns of B and C.
    pub n: i64,
    /// Columns of A, rows of B.
    pub k: i64,
}

impl MmaShape {
    pub(crate) const fn new(m: i64, k: i64) -> Self {
        MmaShape { m, n: 8, k }
    }

    /// Elements of A's rows, or of B's columns, that a lane holds.
    pub fn depth_per_lane(self) -> i64 {
        self.k / ROW_LANES
    }

    /// Rows of C of which a lane holds elements.
    pub fn rows_per_lane(self) -> i64 {
        self.m / ROW_GROUPS
    }

    /// Columns of C of which a lane holds elements.
    pub fn columns_per_lane(self) -> i64 {
        self.n / ROW_LANES
    }
}

impl std::fmt::Display for MmaShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "m{}n{}k{}", self.m, self.n, self.k)
    }
}

/// The types of sums.
pub const SUMS: [NumberFormat; 4] =
    [NumberFormat::F16, NumberFormat::F32, NumberFormat::F64, NumberFormat::Integer(32)];

/// The shapes of all instructions, largest first.
pub fn all_shapes() -> Vec<MmaShape> {
    let pairs = Factor::ALL.into_iter().flat_map(|factor| SUMS.map(|sum| (factor, sum)));
    let mut all: Vec<MmaShape> = pairs.flat_map(|(factor, sum)| shapes(factor, factor, sum)).copied().collect();
    all.sort_unstable_by_key(|shape| std::cmp::Reverse((shape.m, shape.k)));
    all.dedup();
    all
}

/// The shapes for elements of A, B and C, largest first; none where no instruction has these types.
pub fn shapes(a: Factor, b: Factor, sum: NumberFormat) -> &'static [MmaShape] {
    const HALVES: [MmaShape; 2] = [MmaShape::new(16, 16), MmaShape::new(16, 8)];
    const WORDS: [MmaShape; 2] = [MmaShape::new(16, 8), MmaShape::new(16, 4)];
    const BYTES: [MmaShape; 2] = [MmaShape::new(16, 32), MmaShape::new(16, 16)];
    const DOUBLES: [MmaShape; 4] =
        [MmaShape::new(16, 16), MmaShape::new(16, 8), MmaShape::new(16, 4), MmaShape::new(8, 4)];
    let is_fp8 = |factor| matches!(factor, Factor::E4m3 | Factor::E5m2);
    let is_byte = |factor| matches!(factor, Factor::S8 | Factor::U8);
    match (a, b, sum) {
        (Factor::F16, Factor::F16, NumberFormat::F16 | NumberFormat::F32) => &HALVES,
        (Factor::Bf16, Factor::Bf16, NumberFormat::F32) => &HALVES,
        (Factor::Tf32, Factor::Tf32, NumberFormat::F32) => &WORDS,
        (Factor::F64, Factor::F64, NumberFormat::F64) => &DOUBLES,
        (a, b, NumberFormat::F32) if is_fp8(a) && is_fp8(b) => &BYTES[..1],
        (a, b, NumberFormat::Integer(32)) if is_byte(a) && is_byte(b) => &BYTES,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_in_one_lane() {
        for factor in Factor::ALL {
            for sum in SUMS {
                for shape in shapes(factor, factor, sum) {
                    let lanes = ROW_GROUPS * ROW_LANES;
                    assert_eq!(lanes * shape.rows_per_lane() * shape.depth_per_lane(), shape.m * shape.k);
                    assert_eq!(lanes * shape.depth_per_lane(), shape.n * shape.k);
                    assert_eq!(lanes * shape.rows_per_lane() * shape.columns_per_lane(), shape.m * shape.n);
                    assert_eq!(shape.depth_per_lane() % factor.per_register(), 0, "{shape} of {}", factor.ptx());
                }
            }
        }
    }

    #[test]
    fn types_that_no_instruction_has() {
        assert!(shapes(Factor::F16, Factor::Bf16, NumberFormat::F32).is_empty());
        assert!(shapes(Factor::Bf16, Factor::Bf16, NumberFormat::Bf16).is_empty());
        assert!(shapes(Factor::S8, Factor::U8, NumberFormat::F32).is_empty());
        assert_eq!(shapes(Factor::S8, Factor::U8, NumberFormat::Integer(32)).len(), 2);
        assert_eq!(shapes(Factor::E4m3, Factor::E5m2, NumberFormat::F32)[0].to_string(), "m16n8k32");
        assert_eq!(Factor::of(NumberFormat::F32, None), None);
        assert_eq!(Factor::of(NumberFormat::Integer(8), None), None);
    }
}
