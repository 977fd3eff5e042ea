//! The matrix instructions that have fragments, their operands, and the sizes of these.

use std::fmt;

use crate::access::{MAX_THREADS, WARP, WARPGROUP};
use crate::mma::{self, Factor, MmaShape};
use crate::scope::{Scope, Space};
use crate::tcgen05_mma::{self, MmaKind, SCALE_BITS};
use crate::wgmma;

/// A matrix instruction with operands in registers, or in tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixInstruction {
    /// `mma.sync` of a shape, by a warp.
    Mma(MmaShape),
    /// `wgmma.mma_async`, by a warpgroup.
    Wgmma,
    /// `tcgen05.mma`, by one thread of a block.
    Tcgen05,
}

/// An operand of a matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixOperand {
    /// The left factor.
    A,
    /// The right factor.
    B,
    /// The sums.
    C,
    /// A value for each row of the sums, in all threads that have elements of it: what a reduction of the columns gives.
    Rows,
    /// A value for each column of the sums, likewise.
    Columns,
    /// The scales of the left factor: one for each row, and for each step of its depths.
    ScalesA,
    /// The scales of the right factor: one for each step of its depths, and for each column.
    ScalesB,
}

/// The widths to which sums are converted where they are.
const CONVERTED_BITS: [u32; 3] = [8, 16, 32];

impl MatrixInstruction {
    /// All of them.
    pub fn all() -> Vec<MatrixInstruction> {
        let others = [MatrixInstruction::Wgmma, MatrixInstruction::Tcgen05];
        mma::all_shapes().into_iter().map(MatrixInstruction::Mma).chain(others).collect()
    }

    /// The instruction of that name, `mma.m16n8k16` or `wgmma`; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|known| known.to_string() == name)
    }

    /// The operands that have names: those in registers, of `tcgen05` those in tensor memory.
    pub fn operands(self) -> &'static [MatrixOperand] {
        match self {
            MatrixInstruction::Mma(_) => {
                &[MatrixOperand::A, MatrixOperand::B, MatrixOperand::C, MatrixOperand::Rows, MatrixOperand::Columns]
            }
            MatrixInstruction::Wgmma => {
                &[MatrixOperand::A, MatrixOperand::C, MatrixOperand::Rows, MatrixOperand::Columns]
            }
            MatrixInstruction::Tcgen05 => {
                &[MatrixOperand::A, MatrixOperand::C, MatrixOperand::ScalesA, MatrixOperand::ScalesB]
            }
        }
    }

    /// The memory that these operands are in.
    pub fn space(self) -> Space {
        if self == MatrixInstruction::Tcgen05 { Space::Tmem } else { Space::Local }
    }

    /// The threads that share it: a warp, a warpgroup, or a block.
    pub fn scope(self) -> Scope {
        match self {
            MatrixInstruction::Mma(_) => Scope::Warp,
            MatrixInstruction::Wgmma => Scope::Warpgroup,
            MatrixInstruction::Tcgen05 => Scope::Cta,
        }
    }

    /// The most scopes of a block.
    pub fn max_scopes(self) -> i64 {
        MAX_THREADS / self.scope().threads(None).unwrap_or(MAX_THREADS)
    }

    /// The warps that have rows of their own in an instruction.
    pub(super) fn warps(self) -> i64 {
        match self {
            MatrixInstruction::Mma(_) => 1,
            MatrixInstruction::Wgmma | MatrixInstruction::Tcgen05 => WARPGROUP / WARP,
        }
    }

    /// The part of a warp, or of a warp's lanes, for elements of `bits`; of `wgmma` and `tcgen05` with the fewest rows and columns.
    pub(super) fn of_warp(self, bits: u32) -> MmaShape {
        match self {
            MatrixInstruction::Mma(shape) => shape,
            MatrixInstruction::Wgmma | MatrixInstruction::Tcgen05 => {
                MmaShape::new(wgmma::ROWS / self.warps(), 8 * wgmma::DEPTH_BYTES / i64::from(bits.max(1)))
            }
        }
    }

    /// Rows and columns of an operand, for elements of `bits`; of `wgmma` and `tcgen05` with the fewest.
    pub fn size(self, operand: MatrixOperand, bits: u32) -> [i64; 2] {
        let MmaShape { m, n, k } = self.of_warp(bits);
        let rows = m * self.warps();
        match operand {
            MatrixOperand::A => [rows, k],
            MatrixOperand::B => [k, n],
            MatrixOperand::C => [rows, n],
            MatrixOperand::Rows => [rows, 1],
            MatrixOperand::Columns => [1, n],
            MatrixOperand::ScalesA => [tcgen05_mma::ROWS[0], 1],
            MatrixOperand::ScalesB => [1, n],
        }
    }

    /// The widths that the elements of an operand may have, in bits.
    ///
    /// ```
    /// use tile_isa::fragment::{MatrixInstruction, MatrixOperand};
    ///
    /// let instruction = MatrixInstruction::named("mma.m16n8k16").unwrap();
    /// assert_eq!(instruction.widths(MatrixOperand::A), [8, 16, 64]);
    /// assert_eq!(instruction.widths(MatrixOperand::C), [8, 16, 32, 64]);
    /// ```
    pub fn widths(self, operand: MatrixOperand) -> Vec<u32> {
        if operand.is_of_scales() {
            return vec![SCALE_BITS];
        }
        let multiplies = |factor: Factor, sum| match self {
            MatrixInstruction::Mma(shape) => mma::shapes(factor, factor, sum).contains(&shape),
            MatrixInstruction::Wgmma => wgmma::multiplies(factor) && !mma::shapes(factor, factor, sum).is_empty(),
            MatrixInstruction::Tcgen05 => MmaKind::of(factor, factor, sum).is_some(),
        };
        // Sums in registers are converted, and their rows have values, of other types than theirs.
        let converted: &[u32] = match (self, operand.is_of_factors()) {
            (MatrixInstruction::Tcgen05, _) | (_, true) => &[],
            _ => &CONVERTED_BITS,
        };
        let pairs = Factor::ALL.into_iter().flat_map(|factor| mma::SUMS.map(|sum| (factor, sum)));
        let multiplied = pairs.filter(|&(factor, sum)| multiplies(factor, sum));
        let mut widths: Vec<u32> =
            multiplied.map(|(factor, sum)| if operand.is_of_factors() { factor.bits() } else { sum.bits() }).collect();
        widths.extend(converted);
        widths.sort_unstable();
        widths.dedup();
        widths
    }
}

impl fmt::Display for MatrixInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatrixInstruction::Mma(shape) => write!(f, "mma.{shape}"),
            MatrixInstruction::Wgmma => f.write_str("wgmma"),
            MatrixInstruction::Tcgen05 => f.write_str("tcgen05"),
        }
    }
}

impl MatrixOperand {
    /// All of them.
    pub const ALL: [MatrixOperand; 7] = [
        MatrixOperand::A,
        MatrixOperand::B,
        MatrixOperand::C,
        MatrixOperand::Rows,
        MatrixOperand::Columns,
        MatrixOperand::ScalesA,
        MatrixOperand::ScalesB,
    ];

    /// Whether it is a factor: the others have elements like the sums.
    fn is_of_factors(self) -> bool {
        matches!(self, MatrixOperand::A | MatrixOperand::B)
    }

    /// Whether it has scales of a factor.
    pub(super) fn is_of_scales(self) -> bool {
        matches!(self, MatrixOperand::ScalesA | MatrixOperand::ScalesB)
    }

    /// The operand of that name, `a`, `b`, `c`, `rows`, `columns`, `scales_a` or `scales_b`; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            MatrixOperand::A => "a",
            MatrixOperand::B => "b",
            MatrixOperand::C => "c",
            MatrixOperand::Rows => "rows",
            MatrixOperand::Columns => "columns",
            MatrixOperand::ScalesA => "scales_a",
            MatrixOperand::ScalesB => "scales_b",
        }
    }
}

impl fmt::Display for MatrixOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
