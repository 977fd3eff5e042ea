//! The plan of a product: the instruction, and the registers that each execution of it takes.

use tile_isa::mma::{Factor, MmaShape};

use super::tensor::TensorPlan;
use super::tiling::RegisterTiling;
use super::wgmma::WgmmaPlan;

/// What multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterInstruction {
    /// `mma.sync`, by each warp.
    MmaSync {
        /// Its shape.
        shape: MmaShape,
        /// The elements of A and B.
        factors: [Factor; 2],
    },
    /// A multiplication and an addition, by each thread.
    Fma,
}

/// A product as a sequence of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MmaPlan {
    /// On registers.
    Registers(RegisterProduct),
    /// On factors in shared memory, by whole warpgroups.
    Warpgroups(WgmmaPlan),
    /// On factors in shared memory, into tensor memory.
    Tensor(TensorPlan),
}

impl MmaPlan {
    /// The multiplications that each thread does by itself; 0 where an instruction for matrices does them.
    pub fn multiplications(&self) -> usize {
        match self {
            MmaPlan::Registers(plan) if plan.instruction == RegisterInstruction::Fma => plan.steps().count(),
            _ => 0,
        }
    }
}

/// A product of tiles in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterProduct {
    /// What multiplies.
    pub instruction: RegisterInstruction,
    /// The registers of all operands.
    pub tiling: RegisterTiling,
}

/// The registers of one instruction, in the order in which it takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionRegisters {
    /// Elements of A.
    pub a: Vec<usize>,
    /// Elements of B.
    pub b: Vec<usize>,
    /// Elements of C, which are read and written.
    pub c: Vec<usize>,
}

impl RegisterProduct {
    /// Elements of a lane that an instruction takes, as rows, columns of B, and depths; depths of one register.
    fn lane(&self) -> ([usize; 3], usize) {
        match self.instruction {
            RegisterInstruction::MmaSync { shape, factors: [a, _] } => (
                [shape.rows_per_lane(), 1, shape.depth_per_lane()].map(|size| size as usize),
                a.per_register() as usize,
            ),
            RegisterInstruction::Fma => ([1, 1, 1], 1),
        }
    }

    /// The instructions of each warp, or of each thread: all of one depth before the next, so that those in a row have
    /// different sums.
    pub fn steps(&self) -> impl Iterator<Item = InstructionRegisters> + '_ {
        let ([rows, columns, depth], _) = self.lane();
        let tiling = &self.tiling;
        (0..tiling.depth).step_by(depth).flat_map(move |depth| {
            (0..tiling.rows).step_by(rows).flat_map(move |row| {
                (0..tiling.columns).step_by(columns).map(move |column| self.step(row, column, depth))
            })
        })
    }

    /// The instruction whose first row, column and depth these are.
    fn step(&self, row: usize, column: usize, first: usize) -> InstructionRegisters {
        let ([rows, _, depth], together) = self.lane();
        let tiling = &self.tiling;
        // One register holds adjacent depths; then come the other rows, then further depths.
        let registers = || (first..first + depth).step_by(together);
        let a = registers().flat_map(|begin| {
            (row..row + rows).flat_map(move |row| (begin..begin + together).map(move |depth| tiling.a(row, depth)))
        });
        let b = (first..first + depth).map(|depth| tiling.b(depth, column));
        let c = (row..row + rows).flat_map(|row| (0..tiling.columns_of_c).map(move |part| tiling.c(row, column, part)));
        InstructionRegisters { a: a.collect(), b: b.collect(), c: c.collect() }
    }
}
