//! Sizes of an mbarrier (PTX ISA, mbarrier objects).

/// Bytes of an mbarrier in shared memory.
pub const BYTES: i64 = 8;

/// The most bytes that a phase counts, as its tx-count: of a whole copy, which a single phase completes.
pub const MAX_TRANSACTION_BYTES: i64 = (1 << 20) - 1;
