//! Tiles that pass through shared memory, and the results of each warp, collected beside them.
//!
//! ```text
//!   stage 0 | stage 1 | … | results of warp 0 | of warp 1 | … | those of the next array …
//!   a stage: of each array   the element before, in 16 bytes | the tile | the element after      the first and last with a halo
//! ```

use super::problem::ChainedProblem;
use crate::problem::refusal::Refusal;
use crate::scan::ring::{SumRooms, copies_tiles, stages};
use crate::scan::tile::{VECTOR_BYTES, WARP, checked_threads};
use crate::scan::{Ring, Tile};
use crate::target::Target;

/// A ring whose scan warps write results, each those of its own part of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedRing {
    /// The ring. As many warps reduce as write, each what one of the others writes.
    pub ring: Ring,
    /// The rows of a warp whose payloads are in registers at the same time; a divisor of the tile's rows.
    pub part_rows: i64,
    /// For each array that is read, the offset of its tile in a stage, in bytes.
    pub sources: Vec<i64>,
    /// Bytes before and after each tile for the elements beside it: 16 with a halo, else 0.
    pub halo_bytes: i64,
    /// For each array of results, the offset of the first warp's results in dynamic shared memory, in bytes.
    pub results: Vec<i64>,
    /// Bytes of dynamic shared memory.
    pub dynamic_bytes: i64,
}

/// The most threads that write results: with as many that reduce, and two more warps, they are a block.
const MAX_THREADS: i64 = 480;

/// Threads that write results, and bytes of all arrays that each reads of a tile. A round takes a microsecond, however small its tiles
/// are; larger tiles leave fewer stages. Measured on an H200, 2^28 elements, in percent of a copy, 1, 50 and 99 % kept:
///
/// ```text
///                       256 x 128 bytes    384 x 64      480 x 64
///   u32                 74  99  96         81  99  97    86  97  96
///   u32 by flags        87  94  92         92  98  97    97  97  95
///   u64                 95 100  96         80  88  90    90  99  96
///   sums by key         60 to 89           48 to 68      38 to 58
/// ```
///
/// With many threads, each has 64 registers, which hold payloads and elements of one word.
const USUAL: Usual = Usual { threads: 256, bytes: 128 };
const USUAL_WORDS: Usual = Usual { threads: MAX_THREADS, bytes: 64 };

#[derive(Clone, Copy)]
struct Usual {
    threads: i64,
    bytes: i64,
}

impl Usual {
    fn of(problem: &ChainedProblem) -> Self {
        let widest = problem.sources.iter().map(|source| source.bytes).max().unwrap_or(1);
        if widest.max(problem.payload.bytes()) <= WORD_BYTES { USUAL_WORDS } else { USUAL }
    }
}

/// Bytes of a register.
const WORD_BYTES: i64 = 4;

/// The most elements of a thread whose payloads are in registers at the same time.
const PART_ITEMS: i64 = 16;

/// The fewest stages for which tiles have the default size: two in flight, one whose sum is awaited, and one that is written.
const ENOUGH_STAGES: i64 = 4;

impl ChainedRing {
    /// The ring for a problem.
    ///
    /// # Errors
    /// A chip without bulk copies, arrays that these do not take, places that do not follow each other, or too little shared memory.
    pub fn new(problem: &ChainedProblem, target: &Target) -> Result<Self, Refusal> {
        if problem.is_scattered {
            let reason =
                "a ring copies results out in one piece, expected places that follow each other, not 'scattered'";
            return Err(Refusal::new("scattered-not-copied", reason));
        }
        let least = problem.sources.iter().map(|source| source.alignment).min().unwrap_or(VECTOR_BYTES);
        copies_tiles(target, least, &problem.requests)?;
        let mut dests = problem.dest_alignments.iter().zip(&problem.dests);
        if let Some((alignment, bytes)) = dests.find(|(alignment, bytes)| alignment < bytes) {
            let reason = format!("an array of results is aligned to {alignment} bytes, expected {bytes}");
            return Err(Refusal::new("arrays-not-aligned", reason));
        }
        let usual = Usual::of(problem);
        let threads = checked_threads(problem.requests.threads.unwrap_or(usual.threads))?;
        if threads > MAX_THREADS {
            let reason =
                format!("got {threads} threads that write, and as many that reduce, expected at most {MAX_THREADS}");
            return Err(Refusal::new("threads-not-warps", reason));
        }
        let read: i64 = problem.sources.iter().map(|source| source.bytes).sum();
        let items = (usual.bytes as u64 / read as u64).max(1).next_power_of_two() as i64;
        let mut tile = problem.tile_with(threads, problem.requests.items.unwrap_or(items));
        while problem.requests.items.is_none() && tile.rows > 1 && room(problem, &tile, target) < ENOUGH_STAGES {
            tile = Tile { rows: tile.rows / 2, ..tile };
        }
        let stage_bytes = stage(problem, &tile).1;
        let stages = stages(&problem.requests, (room(problem, &tile, target), stage_bytes), target)?;
        let mut dynamic_bytes = stages * stage_bytes;
        let results = problem.dests.iter().map(|&bytes| {
            let offset = dynamic_bytes;
            dynamic_bytes += tile.warps() * warp_bytes(&tile, bytes);
            offset
        });
        let results = results.collect();
        let together = |&rows: &i64| tile.rows % rows == 0 && rows * tile.vector <= PART_ITEMS;
        Ok(ChainedRing {
            ring: Ring::of_stages(tile, [stage_bytes, stages, tile.warps()], target),
            part_rows: (1..=tile.rows).rev().find(together).unwrap_or(1),
            sources: stage(problem, &tile).0,
            halo_bytes: halo(problem),
            results,
            dynamic_bytes,
        })
    }

    /// Bytes from the results of a warp to those of the next one, for results of so many bytes.
    pub fn warp_bytes(&self, result_bytes: i64) -> i64 {
        warp_bytes(&self.ring.tile, result_bytes)
    }
}

/// Results begin at the same phase of a vector as in their array.
fn warp_bytes(tile: &Tile, result_bytes: i64) -> i64 {
    tile.warp_elements() * result_bytes + VECTOR_BYTES
}

fn halo(problem: &ChainedProblem) -> i64 {
    if problem.has_halo { VECTOR_BYTES } else { 0 }
}

/// The offsets of the tiles in a stage, and its bytes.
fn stage(problem: &ChainedProblem, tile: &Tile) -> (Vec<i64>, i64) {
    let mut bytes = 0;
    let offsets = problem.sources.iter().map(|source| {
        let offset = bytes + halo(problem);
        bytes = offset + tile.elements() * source.bytes + halo(problem);
        offset
    });
    (offsets.collect(), bytes)
}

/// The number of stages that shared memory has room for, besides results, mbarriers and sums.
fn room(problem: &ChainedProblem, tile: &Tile, target: &Target) -> i64 {
    let results: i64 = problem.dests.iter().map(|&bytes| tile.warps() * warp_bytes(tile, bytes)).sum();
    let stage_bytes = stage(problem, tile).1;
    let left = |stages: i64| {
        target.shared_bytes() - results - SumRooms::new(stages, [tile.warps(); 2]).bytes - stages * stage_bytes
    };
    (1..=target.shared_bytes() / stage_bytes.max(WARP)).rev().find(|&stages| left(stages) >= 0).unwrap_or(0)
}
