//! The plan of a product into tensor memory: chains of `tcgen05.mma`.

use tile_isa::tcgen05_mma::{InstructionDescriptor, MmaKind};

use super::shared_operand::SharedOperand;

/// A product that one thread issues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorPlan {
    /// The types that are multiplied.
    pub kind: MmaKind,
    /// Shape and types of an instruction.
    pub instruction: InstructionDescriptor,
    /// Depths of an instruction.
    pub depth: i64,
    /// The left factor in shared memory; `None` for one in tensor memory.
    pub a: Option<SharedOperand>,
    /// The right factor in shared memory.
    pub b: SharedOperand,
    /// What run-time offsets add to the addresses of the scales of A and of B.
    pub scale_origins: [Vec<ColumnTerm>; 2],
    /// The parts of the sums.
    pub parts: Vec<TensorChain>,
    /// The warp, one thread of which issues all instructions.
    pub warp: i64,
}

/// Sums that one chain of instructions computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorChain {
    /// The instructions, along the depth.
    pub steps: Vec<TensorStep>,
    /// What is added to the address of the tile of sums: lanes are in its upper 16 bits, below them columns of 32 bits.
    pub sums: i64,
}

/// Where an instruction of a chain finds its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorStep {
    /// Where A and B begin: in shared memory in units of 16 bytes, in tensor memory like the sums.
    pub starts: [i64; 2],
    /// The scales of A and of B, if they have any.
    pub scales: Option<[ScalePlace; 2]>,
}

/// What a run-time value adds to an address in tensor memory: `floor(value / div)` times a number of columns of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnTerm {
    /// The number of the value.
    pub value: usize,
    /// At least 1.
    pub div: i64,
    /// The columns.
    pub columns: i64,
}

/// Where an instruction finds the scales of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalePlace {
    /// The first column of 32 bits, from the address of their tile on.
    pub column: i64,
    /// The byte of each column.
    pub byte: i64,
}
