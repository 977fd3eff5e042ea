//! Tensor memory to registers and back through `tcgen05.ld` and `tcgen05.st`.

use tile_isa::TensorShape;

use crate::plan::Side;

/// Instructions of the four warps of a warpgroup between tensor memory and their registers.
///
/// Both layouts are over `[instructions…, rest…]`: the first `instruction_iters` digits, of the same extents on both
/// sides, number the instructions that each warp issues; the rest is what one instruction of all four warps moves,
/// each side in iters of its own. Instruction `i` starts at the lane and column of digit `i` in tensor memory, in
/// the warp's quarter of the lanes, and at the register of digit `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorAccess {
    /// Tensor memory → registers (`tcgen05.ld`), or registers → tensor memory (`tcgen05.st`)?
    pub load: bool,
    /// What one instruction moves at `.x1`.
    pub shape: TensorShape,
    /// How often: a power of two, 1 to 128.
    pub num: i64,
    /// Width of an element.
    pub element_bits: u32,
    /// Leading digits that number the instructions.
    pub instruction_iters: usize,
    /// Tensor memory. Run-time terms count in its addresses: 1 is a column of 32 bits, `1 << 16` a lane.
    pub tmem: Side,
    /// Registers; 32-bit register `r` holds the elements from `r * 32 / element_bits` on.
    pub registers: Side,
}

impl TensorAccess {
    /// Instructions of each warp.
    pub fn instructions(&self) -> i64 {
        self.tmem
            .layout
            .shard
            .iter()
            .take(self.instruction_iters)
            .fold(1i64, |all, iter| all.saturating_mul(iter.extent))
    }

    /// 32-bit registers that one instruction moves per thread.
    pub fn words(&self) -> i64 {
        self.num * self.shape.registers()
    }

    /// The PTX instruction: `tcgen05.ld.sync.aligned.32x32b.x4.b32`.
    pub fn instruction(&self) -> String {
        let name = if self.load { "ld" } else { "st" };
        format!("tcgen05.{name}.sync.aligned.{}.x{}.b32", self.shape.name(), self.num)
    }
}
