//! How a block holds a tile.

use tile_isa::registers::resident_blocks;

use super::problem::{Problem, ScannedElement};
use crate::problem::refusal::Refusal;

/// Widest access of a thread, in bytes.
pub const VECTOR_BYTES: i64 = 16;

/// Threads of a warp.
pub use tile_isa::WARP;

/// A tile, striped over warps by rows of one vector per lane:
///
/// ```text
///   warp 0                            warp 1
///   row 0  lane 0 | lane 1 | … | 31   row 0  …
///   row 1  lane 0 | lane 1 | … | 31   row 1  …
/// ```
///
/// so that each access of a warp is one contiguous piece of memory, and elements are ordered by warp, row, lane and
/// position in the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Threads; a multiple of 32.
    pub threads: i64,
    /// Threads that share a row: those of a warp, or of a subgroup; all of the block where the size of a subgroup is
    /// not known.
    pub lanes: i64,
    /// Vectors of a thread.
    pub rows: i64,
    /// Elements of a vector.
    pub vector: i64,
}

impl Tile {
    /// Elements of a thread.
    pub fn items(&self) -> i64 {
        self.rows * self.vector
    }

    /// Elements of the tile.
    pub fn elements(&self) -> i64 {
        self.threads * self.items()
    }

    /// Warps.
    pub fn warps(&self) -> i64 {
        self.threads / self.lanes
    }

    /// Elements of a warp.
    pub fn warp_elements(&self) -> i64 {
        self.lanes * self.items()
    }

    /// Elements of a row of one warp.
    pub fn row_elements(&self) -> i64 {
        self.lanes * self.vector
    }

    /// The number of blocks that an SM should have room for: as many as its registers hold, so that some load while
    /// others wait. An element takes at least one register, scanning takes half as many again, and everything else
    /// takes 40. From 16 elements on, ptxas was seen to spill below 24 registers plus two and a half per element.
    ///
    /// ```
    /// # use tile_plan::scan::Tile;
    /// assert_eq!(Tile { threads: 256, lanes: 32, rows: 4, vector: 4 }.resident(4), 4);
    /// assert_eq!(Tile { threads: 128, lanes: 32, rows: 8, vector: 4 }.resident(4), 4);
    /// ```
    pub fn resident(&self, element_bytes: i64) -> i64 {
        let words = self.items() * (element_bytes / 4).max(1);
        let registers = (40 + words + words / 2).max(24 + words * 5 / 2);
        resident_blocks(self.threads, registers)
    }

    /// The tile that a problem requests for blocks that hold one tile each. By default, `threads` threads with 32
    /// elements or 128 bytes each: an element takes a register, however narrow it is.
    ///
    /// # Errors
    /// Numbers that no block can have.
    pub fn in_registers(problem: &Problem, threads: i64) -> Result<Self, Refusal> {
        Tile::new(problem, threads, i64::from(problem.element.bits.min(32)) * 4)
    }

    /// The tile that a problem requests; by default `threads` threads with `bytes` bytes each.
    ///
    /// # Errors
    /// Numbers that no block can have.
    pub fn new(problem: &Problem, threads: i64, bytes: i64) -> Result<Self, Refusal> {
        let threads = checked_threads(problem.requests.threads.unwrap_or(threads))?;
        let element = problem.element;
        let items = problem.requests.items.unwrap_or((bytes / element.bytes()).max(1));
        if items < 1 || items.saturating_mul(element.bytes()) > MAX_BYTES {
            let most = MAX_BYTES / element.bytes();
            let reason = format!("got {items} items per thread, expected 1 to {most} of {} bytes", element.bytes());
            return Err(Refusal::new("items-not-registers", reason));
        }
        let vector = if problem.is_backwards { 1 } else { widest(element, problem.alignment, items) };
        Ok(Tile { threads, lanes: WARP, rows: items / vector, vector })
    }
}

/// The most threads that scan a tile: one thread adds up the sums of its warps.
const MAX_THREADS: i64 = 512;

/// A number of threads that a block can have.
///
/// # Errors
/// Other numbers.
pub(crate) fn checked_threads(threads: i64) -> Result<i64, Refusal> {
    if threads % WARP != 0 || !(WARP..=MAX_THREADS).contains(&threads) {
        let reason = format!("got {threads} threads, expected a multiple of 32 from 32 to {MAX_THREADS}");
        return Err(Refusal::new("threads-not-warps", reason));
    }
    Ok(threads)
}

/// The most bytes of a tile that a thread holds in registers.
pub(crate) const MAX_BYTES: i64 = 256;

/// Elements of the widest vector that divides `items` and for which the addresses are aligned.
pub(super) fn widest(element: ScannedElement, alignment: i64, items: i64) -> i64 {
    let fits = |vector: i64| vector * element.bytes() <= VECTOR_BYTES.min(alignment) && items % vector == 0;
    std::iter::successors(Some(VECTOR_BYTES), |vector| Some(vector / 2))
        .find(|&vector| vector <= 1 || fits(vector))
        .unwrap_or(1)
}
