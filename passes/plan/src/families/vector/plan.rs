//! The plans of vector accesses: both sides in one order, then in rounds of vectors.

use tile_isa::{Cache, Conversion, Transfer};

use crate::families::family::Family;
use crate::problem::bits_of;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::refusal::Refusal;
use crate::problem::scope::Which;
use crate::sides::ranks::Ranks;
use crate::sides::side::{Guard, Side};

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
pub struct MatchedCopy {
    /// Who planned it.
    pub variant: &'static str,
    /// What moves the vectors.
    pub transfer: Transfer,
    /// Threads that share the copy.
    pub threads: i64,
    /// Leading iters that are the thread part; 0 where the partition is still to be made.
    pub thread_iters: usize,
    /// Who the threads are, where not all of the scope share the copy; a thread's rank then is its number.
    pub ranks: Option<Ranks>,
    /// Width of an element of the source.
    pub element_bits: u32,
    /// What is made of an element; `None` where it is moved as it is.
    pub conversion: Option<Conversion>,
    /// What becomes of an element of the destination.
    pub effect: Effect,
    /// What the copy leaves out; `None` where it copies everything.
    pub mask: Option<Mask>,
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

impl MatchedCopy {
    /// Is it done by `cp.async` instead of loads and stores?
    pub fn uses_cp_async(&self) -> bool {
        self.transfer == Transfer::CpAsync
    }

    /// The same with run-time values numbered as those of its op: of each side in turn.
    #[must_use]
    pub fn numbered(self) -> Self {
        MatchedCopy { src: self.src.numbered(), dst: self.dst.numbered(), ..self }
    }

    /// One of the two sides.
    pub fn side(&self, which: Which) -> &Side {
        if which == Which::Src { &self.src } else { &self.dst }
    }

    /// Width of an element of one side.
    pub fn bits_of(&self, which: Which) -> u32 {
        bits_of(self.element_bits, self.conversion, which)
    }

    /// May a vector be several accesses of one side?
    pub(super) fn converts_or_reduces(&self) -> bool {
        self.conversion.is_some() || matches!(self.effect, Effect::Reduced(_))
    }

    /// Width of an element of the side that has the wider ones.
    pub fn widest_element(&self) -> u32 {
        self.bits_of(Which::Src).max(self.bits_of(Which::Dst))
    }
}

impl Family for MatchedCopy {
    fn variant(&self) -> &'static str {
        self.variant
    }

    fn verify(&self) -> Result<(), Refusal> {
        MatchedCopy::verify(self)
    }

    fn conversion(&self) -> Option<Conversion> {
        self.conversion
    }

    fn effect(&self) -> Effect {
        self.effect
    }

    fn is_masked(&self) -> bool {
        self.mask.is_some()
    }
}

impl Family for Vec<MatchedCopy> {
    fn variant(&self) -> &'static str {
        self.first().map_or("gmem_smem", MatchedCopy::variant)
    }

    fn verify(&self) -> Result<(), Refusal> {
        self.iter().try_for_each(MatchedCopy::verify)
    }

    fn conversion(&self) -> Option<Conversion> {
        self.first().and_then(MatchedCopy::conversion)
    }

    fn effect(&self) -> Effect {
        self.first().map_or(Effect::Stored, MatchedCopy::effect)
    }
}

/// Rounds of vectors: what each thread does.
///
/// Both layouts are over `[rounds…, threads…, vector]`, and over the same extents where [`MatchedCopy`] has them. In round `f` thread `t` moves
/// the `vector` elements from position `(f * threads + t) * vector` on. In the last round only the first [`last`](Self::last)
/// threads take part.
///
/// ```text
///   warp, 4x6 f32         (24)         rounds 1, last 6      6 lanes, 128 bits each
///   256 threads, 33x32    (264, 4)     rounds 2, last 8      all of them once, then 8
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorCopy {
    /// Who planned it.
    pub variant: &'static str,
    /// What moves the vectors.
    pub transfer: Transfer,
    /// Vectors of each thread; of those that take no part in the last round one less.
    pub rounds: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// Threads that take part in the last round, from the first on: all of `threads`, or what is left for them.
    pub last: i64,
    /// Elements of a vector.
    pub vector: i64,
    /// Accesses of a vector, on the source's side and on the destination's: 1 and 1, unless elements are converted, and
    /// the vector is several accesses of the side with the wider ones, or are reduced by less than is loaded at a time.
    pub accesses: [i64; 2],
    /// Width of an element of the source.
    pub element_bits: u32,
    /// What is made of an element; `None` where it is moved as it is.
    pub conversion: Option<Conversion>,
    /// What becomes of an element of the destination.
    pub effect: Effect,
    /// What the copy leaves out; `None` where it copies everything.
    pub mask: Option<Mask>,
    /// Iters just before the last that decode `t` alone, those before them `f` alone. 0 where `threads`
    /// is 1, where the last round is not full, or where no cut between two iters parts rounds from threads: then all
    /// iters but the last decode `f * threads + t`.
    pub thread_iters: usize,
    /// Who the threads are, where not all of the scope share the copy; a thread's rank then is `t`.
    pub ranks: Option<Ranks>,
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
    /// Width of a vector in the source, one access of it unless elements are converted.
    pub fn vector_bits(&self) -> i64 {
        self.vector * i64::from(self.element_bits)
    }

    /// The number of a scope-relative thread among those that share the copy: its rank, or itself where all do.
    pub fn number_of(&self, thread: i64) -> Option<i64> {
        self.ranks.as_ref().map_or(Some(thread), |ranks| ranks.rank(thread))
    }

    /// Have all threads as many vectors?
    pub fn is_even(&self) -> bool {
        self.last == self.threads
    }

    /// Rounds in which all threads take part.
    pub fn full_rounds(&self) -> i64 {
        if self.is_even() { self.rounds } else { self.rounds - 1 }
    }

    /// Rounds in which thread `t` takes part.
    pub fn rounds_of(&self, t: i64) -> i64 {
        if t < self.last { self.rounds } else { self.rounds - 1 }
    }

    /// One of the two sides.
    pub fn side(&self, which: Which) -> &Side {
        if which == Which::Src { &self.src } else { &self.dst }
    }

    /// Width of an element of one side.
    pub fn bits_of(&self, which: Which) -> u32 {
        bits_of(self.element_bits, self.conversion, which)
    }

    /// Accesses of a vector on one side.
    pub fn accesses_of(&self, which: Which) -> i64 {
        self.accesses[usize::from(which == Which::Dst)].max(1)
    }

    /// Elements of one access of a side.
    pub fn access(&self, which: Which) -> i64 {
        self.vector / self.accesses_of(which)
    }

    /// Width of one access of a side.
    pub fn access_bits(&self, which: Which) -> i64 {
        self.access(which) * i64::from(self.bits_of(which))
    }

    /// Bytes that one thread reads, at most.
    pub fn bytes_per_thread(&self) -> i64 {
        self.rounds * self.vector_bits() / 8
    }

    /// The PTX instruction, where one does both sides: `cp.async.cg.shared.global.L2::128B`. `None` for loads and stores.
    ///
    /// 16 bytes go past L1 (`.cg`); 4 and 8 bytes exist through L1 only (`.ca`; PTX ISA, cp.async).
    pub fn instruction(&self) -> Option<String> {
        let level = if self.vector_bits() == 128 { "cg" } else { "ca" };
        let prefetch = self.cache.prefetch_size.as_ref().map(|size| format!(".{size}")).unwrap_or_default();
        (self.transfer == Transfer::CpAsync).then(|| format!("cp.async.{level}.shared.global{prefetch}"))
    }
}
