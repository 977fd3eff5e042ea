//! The types of matrix products, and products of a warp (PTX ISA 9.7.14.5).

use super::operand::{Reg, Src};
use crate::float::{Format, TF32};

/// The type of an element of A or of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Float(Format),
    /// A float of four bits, `e2m1`.
    E2m1,
    /// An integer of this many bits.
    Integer {
        bits: u32,
        signed: bool,
    },
}

impl Element {
    /// Bits of an element in memory, and in a register.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Float(TF32) => 32,
            Self::Float(format) => format.bits(),
            Self::E2m1 => 4,
            Self::Integer { bits, .. } => bits,
        }
    }

    /// Elements of a register, which are adjacent in k.
    pub(crate) fn packed(self) -> usize {
        (32 / self.bits()).max(1) as usize
    }

    /// Bits of a register of elements.
    pub(crate) fn register(self) -> u32 {
        self.bits().max(32)
    }
}

/// The type of C and D, in which products are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Total {
    F16,
    F32,
    F64,
    S32 {
        /// Sums beyond the type's range become its least or greatest value; otherwise they wrap around.
        saturates: bool,
    },
}

impl Total {
    /// Bits of an element.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::F16 => 16,
            Self::F32 | Self::S32 { .. } => 32,
            Self::F64 => 64,
        }
    }

    /// Elements of a register, which are adjacent in a row.
    pub(crate) fn packed(self) -> usize {
        if self == Self::F16 { 2 } else { 1 }
    }

    /// Bits of a register of elements.
    pub(crate) fn register(self) -> u32 {
        self.bits().max(32)
    }
}

/// The columns of D of every product of a warp.
pub(crate) const COLUMNS: u32 = 8;

/// `mma.sync`: D = A · B + C, with all four in registers.
#[derive(Debug)]
pub(crate) struct WarpMultiply {
    /// Rows of A and of D: 8 or 16.
    pub(crate) rows: u32,
    pub(crate) inputs: [Element; 2],
    pub(crate) total: Total,
    /// The compute capability that has the instruction first, times ten.
    pub(crate) since: u32,
    pub(crate) d: Box<[Reg]>,
    pub(crate) a: Box<[Src]>,
    pub(crate) b: Box<[Src]>,
    pub(crate) c: Box<[Src]>,
}
