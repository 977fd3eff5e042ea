//! The registers of threads and of an SM (CUDA programming guide, technical specifications per compute capability).

/// Bits of a register.
pub const REGISTER_BITS: i64 = 32;

/// The most registers of a thread.
pub const MAX_THREAD_REGISTERS: i64 = 255;

/// Registers of an SM.
pub const SM_REGISTERS: i64 = 1 << 16;

/// The most threads of the blocks on an SM.
const MAX_SM_THREADS: i64 = 2048;

/// The registers of each thread come in steps of this many.
const REGISTER_STEP: i64 = 8;

/// Each of the parts of an SM has its own registers, for a quarter of the warps.
const SM_PARTS: i64 = 4;

/// How many blocks an SM has room for, at least one, whose `threads` threads take `registers` registers each.
///
/// ```
/// # use tile_isa::registers::resident_blocks;
/// assert_eq!(resident_blocks(256, 64), 4);
/// assert_eq!(resident_blocks(256, 16), 8);
/// assert_eq!(resident_blocks(1024, 255), 1);
/// ```
pub const fn resident_blocks(threads: i64, registers: i64) -> i64 {
    let by_registers = SM_REGISTERS / (threads * registers);
    let by_threads = MAX_SM_THREADS / threads;
    let blocks = if by_registers < by_threads { by_registers } else { by_threads };
    if blocks < 1 { 1 } else { blocks }
}

/// The most registers that each of the `threads` threads of a block may have.
///
/// ```
/// # use tile_isa::registers::thread_registers;
/// assert_eq!(thread_registers(128), 255);
/// assert_eq!(thread_registers(384), 168);
/// assert_eq!(thread_registers(1024), 64);
/// ```
pub fn thread_registers(threads: i64) -> i64 {
    let lanes = SM_PARTS * crate::WARP;
    let warps = (threads + lanes - 1) / lanes;
    let share = SM_REGISTERS / SM_PARTS / (crate::WARP * warps);
    (share / REGISTER_STEP * REGISTER_STEP).min(MAX_THREAD_REGISTERS)
}
