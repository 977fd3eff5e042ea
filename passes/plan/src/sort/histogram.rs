//! The kernel that counts all digits of all keys.

use super::problem::SortProblem;
use super::{DIGIT_BITS, ROW_BYTES};
use crate::scan::tile::{VECTOR_BYTES, WARP};
use crate::target::Target;

/// Threads of a block that counts digits.
pub const HISTOGRAM_THREADS: i64 = 1024;

/// Shared memory for counts, in bytes: a block on each SM reads as fast as memory delivers.
const MAX_SHARED: i64 = 128 << 10;

/// Blocks that count digits in shared memory, in several copies: lanes with equal digits would wait for each other.
///
/// ```text
///   count of digit 0    lane 0 | lane 1 | … | lane 31        32 copies, each in a bank of its own
///   count of digit 1    lane 0 | …
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Copies of each count, a power of two up to the lanes of a warp.
    pub copies: i64,
    /// Keys of a load.
    pub vector: i64,
    /// Bytes of shared memory.
    pub shared_bytes: i64,
    /// The most blocks.
    pub blocks: i64,
}

impl Histogram {
    pub(super) fn new(problem: &SortProblem, target: &Target) -> Self {
        let counts = problem.key_bytes * 8 / DIGIT_BITS * ROW_BYTES;
        let most = MAX_SHARED.min(target.shared_bytes());
        let copies = [32, 16, 8, 4, 2].into_iter().find(|copies| counts * copies <= most).unwrap_or(1);
        debug_assert!(copies <= WARP);
        let vector = if problem.alignment >= VECTOR_BYTES { VECTOR_BYTES / problem.key_bytes } else { 1 };
        Histogram { copies, vector, shared_bytes: counts * copies, blocks: target.sm_count() }
    }
}
