//! `wgmma.mma_async`: a warpgroup multiplies matrices in shared memory; the left one may be in registers (PTX ISA, 9.7.15.5).

use crate::mma::Factor;

/// Rows of an instruction: 16 of each warp.
pub const ROWS: i64 = 64;

/// Bytes of depth of an instruction.
pub const DEPTH_BYTES: i64 = 32;

/// Registers of a thread that hold a left factor.
pub const LEFT_REGISTERS: usize = 4;

/// Whether an instruction multiplies such elements.
pub fn multiplies(factor: Factor) -> bool {
    factor != Factor::F64
}
