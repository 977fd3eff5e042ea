//! Matrix products of a warpgroup (PTX ISA 9.7.15).

use super::operand::{PredSrc, Reg, Src};
use crate::float::Format;

/// What is multiplied, and how the sum is kept: products of the same shape may be summed one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Product {
    /// Columns of B and of D; D has 64 rows.
    pub(crate) columns: u32,
    /// The format of A and of B.
    pub(crate) inputs: Format,
    /// Bytes of an element of A and of B: 2, or 4 of `tf32`.
    pub(crate) bytes: u32,
    /// D is f32, one element to a register; else f16, two to a register.
    pub(crate) wide: bool,
}

impl Product {
    /// Columns of A, which are rows of B: 32 bytes.
    pub(crate) fn depth(self) -> u32 {
        32 / self.bytes
    }

    /// Registers of D.
    pub(crate) fn registers(self) -> u32 {
        if self.wide { self.columns / 2 } else { self.columns / 4 }
    }
}

/// Where A is.
#[derive(Debug)]
pub(crate) enum Left {
    Registers(Box<[Src]>),
    /// In shared memory, which a descriptor describes.
    Shared(Src),
}

/// `wgmma.mma_async`.
#[derive(Debug)]
pub(crate) struct Multiply {
    pub(crate) product: Product,
    pub(crate) d: Box<[Reg]>,
    pub(crate) a: Left,
    pub(crate) b: Src,
    /// Whether D is added; else it is only written.
    pub(crate) adds: PredSrc,
    /// Whether A, and B, is negated.
    pub(crate) negated: [bool; 2],
    /// Whether A, and B, is kept with its rows (of B: columns) next to each other, rather than what is summed over.
    pub(crate) transposed: [bool; 2],
}

#[derive(Debug)]
pub(crate) enum WgmmaOp {
    Fence,
    Commit,
    /// Waits until at most so many groups are left.
    Wait(u64),
    Multiply(Multiply),
}
