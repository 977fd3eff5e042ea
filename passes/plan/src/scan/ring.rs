//! Tiles that pass through shared memory.

use super::problem::Problem;
use super::tile::{Tile, VECTOR_BYTES, WARP};
use crate::families::bulk::global::BULK_COPY;
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// A persistent block, with warps specialized by role:
///
/// ```text
///   scan   scan   …   scan   reduce … reduce   window   load
/// ```
///
/// Block b of G takes tiles b, b + G, b + 2G, …. The load warp issues copies of the next `stages` tiles into shared
/// memory, the reduce warps publish each tile's sum as soon as the tile has arrived, the window warp collects the sums
/// of the G - 1 tiles since the block's last one, and the scan warps write results back in place, to be copied out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The tile of the scan warps.
    pub tile: Tile,
    /// Bytes of a tile.
    pub tile_bytes: i64,
    /// Tiles in shared memory.
    pub stages: i64,
    /// Most tiles in flight to shared memory at a time.
    pub in_flight: i64,
    /// Warps that reduce.
    pub reduce_warps: i64,
    /// States that a lane of the window warp polls at a time.
    pub window: i64,
    /// The most blocks that run at a time: one per SM.
    pub blocks: i64,
}

impl Ring {
    /// Threads of the block.
    pub fn threads(&self) -> i64 {
        self.tile.threads + WARP * (self.reduce_warps + 2)
    }

    /// Number of blocks to launch for `tiles` tiles, at least 1: the fewest that need no more rounds than one block per
    /// SM would, so that no round is nearly empty.
    ///
    /// ```text
    ///   4096 tiles, 132 SMs    32 rounds    128 blocks; 132 would leave 4 tiles for the last round
    /// ```
    pub fn grid(&self, tiles: i64) -> i64 {
        let tiles = tiles.max(1);
        let rounds = (tiles + self.blocks - 1) / self.blocks;
        (tiles + rounds - 1) / rounds
    }

    /// Bytes of dynamic shared memory.
    pub fn ring_bytes(&self) -> i64 {
        self.stages * self.tile_bytes
    }

    /// The ring for a problem.
    ///
    /// # Errors
    /// A chip without bulk copies, arrays that these do not take, or too little shared memory.
    pub fn new(problem: &Problem, target: &Target) -> Result<Self, Refusal> {
        if !target.has(&BULK_COPY) {
            let reason = format!("{target} has no asynchronous copies of whole tiles, expected sm_90 or newer");
            return Err(Refusal::new("no-bulk-copy", reason));
        }
        if problem.is_backwards {
            let reason = "copies of whole tiles keep the order of elements, expected arrays of stride 1";
            return Err(Refusal::new("backwards-not-copied", reason));
        }
        if problem.alignment < VECTOR_BYTES {
            let reason = format!("the arrays are aligned to {} bytes, expected {VECTOR_BYTES}", problem.alignment);
            return Err(Refusal::new("arrays-not-aligned", reason));
        }
        if problem.requests.order.is_some() {
            let reason = "a block of the ring takes its tiles by its number, expected no 'order'";
            return Err(Refusal::new("order-not-taken", reason));
        }
        // Measured on an H200, int32: 8 scan warps with 8 vectors per thread make tiles of 32 KiB, of which 6 fit.
        // Fewer bytes in the ring (96 KiB), or fewer and larger tiles (3 of 64 KiB), reach 60 to 76 % of the speed of a
        // copy, not 95 %. An element takes a register, however narrow it is; for narrow elements, more threads hold
        // fewer bytes each.
        let (threads, bytes) = match problem.element.bits {
            8 => (512, 32),
            16 => (512, 64),
            _ => (256, 128),
        };
        let tile = Tile::new(problem, threads, bytes)?;
        if tile.vector * problem.element.bytes() != VECTOR_BYTES {
            let reason = format!("got {} items per thread, expected whole vectors of 16 bytes", tile.items());
            return Err(Refusal::new("items-not-vectors", reason));
        }
        let tile_bytes = tile.elements() * problem.element.bytes();
        let room = (target.shared_bytes() - STATIC_BYTES) / tile_bytes;
        let stages = problem.requests.stages.unwrap_or(room.min(STAGES));
        if stages < 2 || stages > room {
            let reason = format!(
                "got {stages} stages of {tile_bytes} bytes, expected from 2 up to the {room} that {target} has room for"
            );
            return Err(Refusal::new("ring-too-large", reason));
        }
        // All reduce warps reduce equally many rows. With many scan warps, registers suffice for two reduce warps only:
        // a block of 20 warps has 96 registers per thread, one of 22 warps has 80, with which ptxas spills.
        let rows = tile.warps() * tile.rows;
        let most = if tile.warps() > 8 { REDUCE_WARPS / 2 } else { REDUCE_WARPS };
        let reduce_warps = (1..=most).rev().find(|warps| rows % warps == 0).unwrap_or(1);
        let window = (target.sm_count() - 1 + WARP - 1) / WARP;
        let in_flight = IN_FLIGHT.min(stages);
        Ok(Ring { tile, tile_bytes, stages, in_flight, reduce_warps, window, blocks: target.sm_count() })
    }
}

const STAGES: i64 = 13;
const REDUCE_WARPS: i64 = 4;

/// Measured on an H200 with tiles of 32 KiB: 8 MiB in flight in total keep memory busy, and published sums queue behind
/// no more than that. With all 6 stages in flight together, the first sum takes 6 microseconds to arrive.
const IN_FLIGHT: i64 = 2;

/// Shared memory besides the ring, in bytes: barriers and partial sums of each stage.
pub const STATIC_BYTES: i64 = 8 << 10;
