//! How fast a chip is, for estimates.

/// Speeds of a chip under load. Rates are for each microsecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Speeds {
    /// The clock while all SMs multiply, which power limits.
    pub clock_mhz: i64,
    /// Multiply-adds of f16 that an SM does in a clock by its best instruction.
    pub multiply_adds: i64,
    /// The part of them that `mma.sync` does.
    pub warp_percent: i64,
    /// What a warp waits for the fragments of `mma.sync`, for each 32 bytes of depths.
    pub fragment_ns: i64,
    /// The L2 cache.
    pub l2_bytes: i64,
    /// Bytes that an SM loads from L2 to shared memory.
    pub load_bytes: i64,
    /// From the request of a tile to its first byte.
    pub latency_ns: i64,
    /// Bytes that all SMs read from DRAM.
    pub dram_bytes: i64,
    /// Bytes that an SM stores.
    pub store_bytes: i64,
    /// A launch of a kernel that does nothing.
    pub launch_ns: i64,
}
