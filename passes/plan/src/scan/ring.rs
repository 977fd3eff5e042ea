//! Tiles that pass through shared memory.

use super::problem::{Problem, Requests};
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
    /// Bytes of a stage, which holds a tile.
    pub stage_bytes: i64,
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
        self.stages * self.stage_bytes
    }

    /// The ring for a problem.
    ///
    /// # Errors
    /// A chip without bulk copies, arrays that these do not take, or too little shared memory.
    pub fn new(problem: &Problem, target: &Target) -> Result<Self, Refusal> {
        if problem.is_backwards {
            let reason = "copies of whole tiles keep the order of elements, expected arrays of stride 1";
            return Err(Refusal::new("backwards-not-copied", reason));
        }
        copies_tiles(target, problem.alignment, &problem.requests)?;
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
        let stage_bytes = tile.elements() * problem.element.bytes();
        let room = (target.shared_bytes() - STATIC_BYTES) / stage_bytes;
        let stages = stages(&problem.requests, (room, stage_bytes), target)?;
        // All reduce warps reduce equally many rows. With many scan warps, registers suffice for two reduce warps only:
        // a block of 20 warps has 96 registers per thread, one of 22 warps has 80, with which ptxas spills.
        let rows = tile.warps() * tile.rows;
        let most = if tile.warps() > 8 { REDUCE_WARPS / 2 } else { REDUCE_WARPS };
        let reduce_warps = (1..=most).rev().find(|warps| rows % warps == 0).unwrap_or(1);
        Ok(Ring::of_stages(tile, [stage_bytes, stages, reduce_warps], target))
    }

    /// The ring of this many stages of so many bytes, and of so many warps that reduce.
    pub(crate) fn of_stages(tile: Tile, [stage_bytes, stages, reduce_warps]: [i64; 3], target: &Target) -> Self {
        let blocks = target.sm_count();
        let window = (blocks - 1 + WARP - 1) / WARP;
        Ring { tile, stage_bytes, stages, in_flight: IN_FLIGHT.min(stages), reduce_warps, window, blocks }
    }
}

/// Checks that a chip copies whole tiles of arrays with this alignment, for blocks that take tiles by their number.
///
/// # Errors
/// A chip without bulk copies, arrays that these do not take, or a requested order.
pub(crate) fn copies_tiles(target: &Target, alignment: i64, requests: &Requests) -> Result<(), Refusal> {
    if !target.has(&BULK_COPY) {
        let reason = format!("{target} has no asynchronous copies of whole tiles, expected sm_90 or newer");
        return Err(Refusal::new("no-bulk-copy", reason));
    }
    if alignment < VECTOR_BYTES {
        let reason = format!("the arrays are aligned to {alignment} bytes, expected {VECTOR_BYTES}");
        return Err(Refusal::new("arrays-not-aligned", reason));
    }
    if requests.order.is_some() {
        let reason = "a block of the ring takes its tiles by its number, expected no 'order'";
        return Err(Refusal::new("order-not-taken", reason));
    }
    Ok(())
}

/// The requested number of stages, by default as many as there is room for.
///
/// # Errors
/// Fewer than two, or more than there is room for.
pub(crate) fn stages(requests: &Requests, (room, stage_bytes): (i64, i64), target: &Target) -> Result<i64, Refusal> {
    let stages = requests.stages.unwrap_or(room.min(STAGES));
    if stages < 2 || stages > room {
        let reason = format!(
            "got {stages} stages of {stage_bytes} bytes, expected from 2 up to the {room} that {target} has room for"
        );
        return Err(Refusal::new("ring-too-large", reason));
    }
    Ok(stages)
}

/// Where the block's mbarriers and sums are in static shared memory, in bytes.
///
/// ```text
///   mbarriers | of each stage its sum | the sum before it | the sums of its reduce warps | sums of the scan warps, twice
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumRooms {
    /// The sums of the stages' tiles.
    pub aggregate: i64,
    /// The sums of the tiles before, since the block's last one.
    pub before: i64,
    /// The sums of the reduce warps, for each stage.
    pub partial: i64,
    /// The sums of the scan warps; rounds alternate between two of them.
    pub warps: i64,
    /// Bytes in all.
    pub bytes: i64,
}

/// Bytes of the largest element, and of the room of a sum.
pub const SUM_BYTES: i64 = 16;

/// Bytes of the mbarriers of a stage.
const BARRIER_BYTES: i64 = 32;

impl SumRooms {
    /// The rooms for this many stages, reduce warps and scan warps.
    pub fn new(stages: i64, [reduce_warps, scan_warps]: [i64; 2]) -> Self {
        let aggregate = BARRIER_BYTES * stages;
        let before = aggregate + SUM_BYTES * stages;
        let partial = before + SUM_BYTES * stages;
        let warps = partial + SUM_BYTES * stages * reduce_warps;
        SumRooms { aggregate, before, partial, warps, bytes: warps + 2 * SUM_BYTES * scan_warps }
    }

    /// The rooms of a ring.
    pub fn of_ring(ring: &Ring) -> Self {
        SumRooms::new(ring.stages, [ring.reduce_warps, ring.tile.warps()])
    }
}

const STAGES: i64 = 13;
const REDUCE_WARPS: i64 = 4;

/// Measured on an H200 with tiles of 32 KiB: 8 MiB in flight in total keep memory busy, and published sums queue behind
/// no more than that. With all 6 stages in flight together, the first sum takes 6 microseconds to arrive.
const IN_FLIGHT: i64 = 2;

/// Shared memory besides the ring, in bytes: barriers and partial sums of each stage.
pub const STATIC_BYTES: i64 = 8 << 10;
