//! Widths of accesses, and how many threads make them together.

/// Bits that one load or store of a thread moves, widest first; 256 between registers and global memory only (PTX ISA,
/// `ld`, `st`).
pub const ACCESS_BITS: [u32; 6] = [256, 128, 64, 32, 16, 8];

/// Bits that one `cp.async` moves, widest first (PTX ISA, cp.async).
pub const CP_ASYNC_BITS: [u32; 3] = [128, 64, 32];

/// What moves the vectors of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// Loads, then stores.
    LoadStore,
    /// `cp.async`, from global to shared memory.
    CpAsync,
}

impl Transfer {
    /// Widths that it has, in bits, widest first.
    pub fn widths(self) -> &'static [u32] {
        match self {
            Transfer::LoadStore => &ACCESS_BITS,
            Transfer::CpAsync => &CP_ASYNC_BITS,
        }
    }
}

/// Threads of a warp.
pub const WARP: i64 = 32;

/// Threads of a warpgroup: four consecutive warps (PTX ISA, wgmma).
pub const WARPGROUP: i64 = 4 * WARP;

/// Threads of a block on every chip (CUDA programming guide, technical specifications per compute capability).
pub const MOST_THREADS: i64 = 1024;
