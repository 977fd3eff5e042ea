//! Stage 2: rounds of vectors.

use crate::plan::{Guard, Side};
use tile_isa::Cache;

/// Rounds of vectors: what each thread does.
///
/// Both layouts are over `[rounds…, threads…, vector]`, and over the same extents where [`AlignedCopy`](crate::AlignedCopy) has them. In round `f` thread `t` moves
/// the `vector` elements from position `(f * threads + t) * vector` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorCopy {
    /// Who planned it.
    pub variant: &'static str,
    /// Vectors per thread.
    pub rounds: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// Elements of a vector.
    pub vector: i64,
    /// Width of an element.
    pub element_bits: u32,
    /// Iters just before the last that decode `t` alone, those before them `f` alone. 0 where `threads`
    /// is 1, or where no cut between two iters parts rounds from threads: then all iters but the last
    /// decode `f * threads + t`.
    pub thread_iters: usize,
    /// Lanes that exchange their vectors between registers and global memory: 2, 4 or 8, or 1 where each accesses its
    /// own. See [`exchange_steps`](Self::exchange_steps).
    pub exchange: i64,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
    /// Threads that take part; all of them where the list is empty.
    pub guards: Vec<Guard>,
    /// Hints for loads from global memory.
    pub cache: Cache,
}

impl VectorCopy {
    /// Width of one access.
    pub fn vector_bits(&self) -> i64 {
        self.vector * i64::from(self.element_bits)
    }

    /// Bytes that one thread moves.
    pub fn bytes_per_thread(&self) -> i64 {
        self.rounds * self.vector_bits() / 8
    }

    /// The PTX instruction of a variant that has one of its own: `cp.async.cg.shared.global.L2::128B`. `None` for loads
    /// and stores.
    ///
    /// 16 bytes go past L1 (`.cg`); 4 and 8 bytes exist through L1 only (`.ca`; PTX ISA, cp.async).
    pub fn instruction(&self) -> Option<String> {
        let level = if self.vector_bits() == 128 { "cg" } else { "ca" };
        let prefetch = self.cache.prefetch_size.as_ref().map(|size| format!(".{size}")).unwrap_or_default();
        (self.variant == "ldgsts").then(|| format!("cp.async.{level}.shared.global{prefetch}"))
    }
}
