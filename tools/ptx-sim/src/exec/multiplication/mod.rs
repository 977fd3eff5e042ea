//! What a `tcgen05.mma` says, once it has been issued.

mod instruction;
mod sums;

use super::operand::{Operand, ROW_BYTES};
pub(crate) use instruction::Instruction;
pub(crate) use sums::{Region, Sum, follow};

/// Columns of tensor memory that a row of A takes.
pub(crate) const LEFT_COLUMNS: u64 = ROW_BYTES / 4;

/// Where A is.
#[derive(Debug, Clone)]
pub(crate) enum Left {
    Shared(Operand),
    Tensor(Region),
}

/// A product that has been issued.
#[derive(Debug, Clone)]
pub(crate) struct TensorProduct {
    /// The rank of its block.
    pub(crate) rank: usize,
    pub(crate) instruction: Instruction,
    pub(crate) a: Left,
    pub(crate) b: Operand,
    pub(crate) sum: Sum,
    /// Whether D is added; else it is only written.
    pub(crate) adds: bool,
    /// The number of the commit that follows it.
    pub(crate) time: u32,
}
