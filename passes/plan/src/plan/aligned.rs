//! Stage 1: both sides in one order.

use crate::plan::{BulkCopy, Guard, MatrixCopy, ScalarCopy, Side, TensorAccess, TensorCopy};
use tile_isa::Cache;

/// What stage 1 decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aligned {
    /// Vectors of a partition; `vectorize` chooses their width.
    Partition(AlignedCopy),
    /// The same for each part of the regions, where these are no lists of iters.
    Parts(Vec<AlignedCopy>),
    /// 8x8 matrices through `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy),
    /// Tiles of shared memory to tensor memory.
    TensorCopy(TensorCopy),
    /// Tensor memory to registers, or back.
    TensorAccess(TensorAccess),
    /// Chunks to another CTA's shared memory.
    Bulk(BulkCopy),
    /// One element at a time.
    Scalar(ScalarCopy),
}

impl Aligned {
    /// The variant that took the copy.
    pub fn variant(&self) -> &'static str {
        match self {
            Aligned::Partition(copy) => copy.variant,
            Aligned::Parts(parts) => parts.first().map_or("gmem_smem", |copy| copy.variant),
            Aligned::Matrix(_) => "ldstmatrix",
            Aligned::TensorCopy(_) => "tcgen05_cp",
            Aligned::TensorAccess(_) => "tcgen05_ldst",
            Aligned::Bulk(_) => "dsmem",
            Aligned::Scalar(_) => "fallback",
        }
    }
}

/// Both sides in one order, before the vector width is chosen.
///
/// Position `x` of `0..size` is the same element on both sides. The two lists of extents are the same, unless the
/// sides' iters have no common refinement, `(4, 3)` and `(3, 4)`: then each side keeps its own.
/// For `reg` the leading iters are the thread part: the register side's carry their thread axis, and the
/// scope-relative thread id is the linear index of that part.
///
/// ```text
///   reg, warp, 32x8 f32, lane i owns row i
///     registers  (32, 8) : (1@laneid, 1)
///     shared     (32, 8) : (8, 1)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedCopy {
    /// Who planned it.
    pub variant: &'static str,
    /// Threads that share the copy.
    pub threads: i64,
    /// Leading iters that are the thread part; 0 where the partition is still to be made.
    pub thread_iters: usize,
    /// Width of an element.
    pub element_bits: u32,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
    /// The one legal vector width, where a width was forced.
    pub forced_bits: Option<u32>,
    /// Threads that take part; all of them where the list is empty.
    pub guards: Vec<Guard>,
    /// Hints for loads from global memory.
    pub cache: Cache,
}

impl AlignedCopy {
    /// Is it done by `cp.async`, which moves 4, 8 or 16 bytes, instead of loads and stores?
    pub fn uses_cp_async(&self) -> bool {
        self.variant == "ldgsts"
    }
}
