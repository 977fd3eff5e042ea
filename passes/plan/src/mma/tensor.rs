//! The plan of a product into tensor memory: chains of `tcgen05.mma`, with both factors in shared memory.

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
    /// The factors in shared memory.
    pub operands: [SharedOperand; 2],
    /// The parts of the sums.
    pub parts: Vec<TensorChain>,
    /// The warp, of one thread of which issues all instructions.
    pub warp: i64,
}

/// Sums that one chain of instructions computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorChain {
    /// Where A and B of each instruction begin, in units of 16 bytes.
    pub starts: Vec<[i64; 2]>,
    /// The lane and the column of the first sum.
    pub sums: [i64; 2],
}

impl TensorChain {
    /// What is added to the address of the tile of sums: lanes are in its upper 16 bits.
    pub fn address(&self) -> i64 {
        let [lane, column] = self.sums;
        lane << 16 | column
    }
}
