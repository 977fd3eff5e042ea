//! Tensor memory to registers and back through `tcgen05.ld` and `tcgen05.st`.

use crate::plan::Side;

/// What one `tcgen05.ld` or `tcgen05.st` of `.x1` moves per warp: lanes by bits (PTX ISA, tcgen05.ld).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorShape {
    /// Each lane of the warp its own lane of tensor memory, 32 bits.
    Lanes32Bits32,
    /// 16 lanes of 64 bits.
    Lanes16Bits64,
    /// 16 lanes of 128 bits.
    Lanes16Bits128,
    /// 16 lanes of 256 bits.
    Lanes16Bits256,
}

impl TensorShape {
    /// Every shape.
    pub const ALL: [TensorShape; 4] = [
        TensorShape::Lanes32Bits32,
        TensorShape::Lanes16Bits64,
        TensorShape::Lanes16Bits128,
        TensorShape::Lanes16Bits256,
    ];

    /// As PTX spells it.
    pub fn name(self) -> &'static str {
        match self {
            TensorShape::Lanes32Bits32 => "32x32b",
            TensorShape::Lanes16Bits64 => "16x64b",
            TensorShape::Lanes16Bits128 => "16x128b",
            TensorShape::Lanes16Bits256 => "16x256b",
        }
    }

    /// The shape of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// Lanes that one warp moves.
    pub fn lanes(self) -> i64 {
        if self == TensorShape::Lanes32Bits32 { 32 } else { 16 }
    }

    /// Lane and column of 32 bits of a register of a thread of the warpgroup, from where the instruction begins
    /// (PTX ISA, figures of the tcgen05.ld matrix fragments).
    ///
    /// ```text
    ///              16x64b                  16x128b                 16x256b
    ///   lane 0     t0.r0 t2.r0             t0.r0 t1.r0 t2.r0 t3.r0 t0.r0 t0.r1 t1.r0 t1.r1 …
    ///   lane 1     t4.r0 t6.r0             t4.r0 t5.r0 t6.r0 t7.r0 t4.r0 t4.r1 t5.r0 t5.r1 …
    ///   lane 8     t1.r0 t3.r0             t0.r1 t1.r1 t2.r1 t3.r1 t0.r2 t0.r3 t1.r2 t1.r3 …
    /// ```
    pub fn place(self, thread: i64, register: i64) -> (i64, i64) {
        let (quarter, t) = (thread / 32 * 32, thread % 32);
        let (lane, column) = match self {
            TensorShape::Lanes32Bits32 => (t, register),
            TensorShape::Lanes16Bits64 => (t % 2 * 8 + t / 4, register * 2 + t / 2 % 2),
            TensorShape::Lanes16Bits128 => (register % 2 * 8 + t / 4, register / 2 * 4 + t % 4),
            TensorShape::Lanes16Bits256 => (register / 2 % 2 * 8 + t / 4, register / 4 * 8 + t % 4 * 2 + register % 2),
        };
        (quarter + lane, column)
    }

    /// 32-bit registers of a thread at `.x1`.
    pub fn registers(self) -> i64 {
        match self {
            TensorShape::Lanes32Bits32 | TensorShape::Lanes16Bits64 => 1,
            TensorShape::Lanes16Bits128 => 2,
            TensorShape::Lanes16Bits256 => 4,
        }
    }

    /// Columns of 32 bits at `.x1`.
    pub fn columns(self) -> i64 {
        match self {
            TensorShape::Lanes32Bits32 => 1,
            TensorShape::Lanes16Bits64 => 2,
            TensorShape::Lanes16Bits128 => 4,
            TensorShape::Lanes16Bits256 => 8,
        }
    }
}

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
