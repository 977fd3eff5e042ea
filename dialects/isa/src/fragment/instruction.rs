//! The matrix instructions that have fragments, their operands, and the sizes of these.

use std::fmt;

use crate::access::{MAX_THREADS, WARP, WARPGROUP};
use crate::mma::{self, Factor, MmaShape};
use crate::scope::Scope;
use crate::wgmma;

/// A matrix instruction with operands in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixInstruction {
    /// `mma.sync` of a shape, by a warp.
    Mma(MmaShape),
    /// `wgmma.mma_async`, by a warpgroup.
    Wgmma,
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
}

impl MatrixInstruction {
    /// All of them.
    pub fn all() -> Vec<MatrixInstruction> {
        mma::all_shapes().into_iter().map(MatrixInstruction::Mma).chain([MatrixInstruction::Wgmma]).collect()
    }

    /// The instruction of that name, `mma.m16n8k16` or `wgmma`; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|known| known.to_string() == name)
    }

    /// The operands that may be in registers.
    pub fn operands(self) -> &'static [MatrixOperand] {
        match self {
            MatrixInstruction::Mma(_) => &[MatrixOperand::A, MatrixOperand::B, MatrixOperand::C],
            MatrixInstruction::Wgmma => &[MatrixOperand::A, MatrixOperand::C],
        }
    }

    /// The threads that execute it together: a warp or a warpgroup.
    pub fn scope(self) -> Scope {
        match self {
            MatrixInstruction::Mma(_) => Scope::Warp,
            MatrixInstruction::Wgmma => Scope::Warpgroup,
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
            MatrixInstruction::Wgmma => WARPGROUP / WARP,
        }
    }

    /// The part of a warp, for elements of `bits`; of `wgmma` with the fewest columns.
    pub(super) fn of_warp(self, bits: u32) -> MmaShape {
        match self {
            MatrixInstruction::Mma(shape) => shape,
            MatrixInstruction::Wgmma => {
                MmaShape::new(wgmma::ROWS / self.warps(), 8 * wgmma::DEPTH_BYTES / i64::from(bits.max(1)))
            }
        }
    }

    /// Rows and columns of an operand, for elements of `bits`; of `wgmma` with the fewest columns.
    pub fn size(self, operand: MatrixOperand, bits: u32) -> [i64; 2] {
        let MmaShape { m, n, k } = self.of_warp(bits);
        let rows = m * self.warps();
        match operand {
            MatrixOperand::A => [rows, k],
            MatrixOperand::B => [k, n],
            MatrixOperand::C => [rows, n],
        }
    }

    /// The widths that the elements of an operand may have, in bits.
    ///
    /// ```
    /// use tile_isa::fragment::{MatrixInstruction, MatrixOperand};
    ///
    /// let instruction = MatrixInstruction::named("mma.m16n8k16").unwrap();
    /// assert_eq!(instruction.widths(MatrixOperand::A), [8, 16, 64]);
    /// assert_eq!(instruction.widths(MatrixOperand::C), [16, 32, 64]);
    /// ```
    pub fn widths(self, operand: MatrixOperand) -> Vec<u32> {
        let multiplies = |factor: Factor, sum| match self {
            MatrixInstruction::Mma(shape) => mma::shapes(factor, factor, sum).contains(&shape),
            MatrixInstruction::Wgmma => wgmma::multiplies(factor) && !mma::shapes(factor, factor, sum).is_empty(),
        };
        let pairs = Factor::ALL.into_iter().flat_map(|factor| mma::SUMS.map(|sum| (factor, sum)));
        let found = pairs.filter(|&(factor, sum)| multiplies(factor, sum));
        let mut widths: Vec<u32> =
            found.map(|(factor, sum)| if operand == MatrixOperand::C { sum.bits() } else { factor.bits() }).collect();
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
        }
    }
}

impl MatrixOperand {
    /// All of them.
    pub const ALL: [MatrixOperand; 3] = [MatrixOperand::A, MatrixOperand::B, MatrixOperand::C];

    /// The operand of that name, `a`, `b` or `c`; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            MatrixOperand::A => "a",
            MatrixOperand::B => "b",
            MatrixOperand::C => "c",
        }
    }
}

impl fmt::Display for MatrixOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
