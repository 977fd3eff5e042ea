//! The plan of a sort: the tile of a block in a pass, and its shared memory.

use super::{COUNT_BYTES, DIGITS, Histogram, ROW_BYTES, SortProblem, SortWorkspace};
use crate::problem::refusal::Refusal;
use crate::scan::tile::{MAX_BYTES, WARP};
use crate::scan::{Hooks, Wait};
use crate::target::Target;

/// The plan of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortPlan {
    /// The kernel that counts digits.
    pub histogram: Histogram,
    /// The tile of a block in a pass.
    pub tile: SortTile,
    /// Passes, one for each digit.
    pub passes: i64,
    /// The workspace.
    pub workspace: SortWorkspace,
    /// What a warp does when a tile's counts are missing.
    pub wait: Wait,
    /// Fault injection.
    pub hooks: Hooks,
}

/// Slots of shared memory after which one is left free: the keys of sorted arrays would meet in the same banks without it.
pub const GAP_EVERY: i64 = 32;

/// The elements that a block sorts by one digit. A warp has consecutive ones, a row of 32 after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortTile {
    /// Elements of a thread.
    pub items: i64,
    /// Bytes of shared memory for a key, and afterwards for its value.
    pub slot_bytes: i64,
    /// The number of blocks that an SM should have room for.
    pub resident: i64,
}

/// Offsets in the shared memory of a block.
///
/// ```text
///   slots | counts of each warp, 2 bytes a digit | destinations, 4 bytes a digit | counts of another tile | sums of warps
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortRooms {
    /// For each warp the counts of all digits.
    pub counts: i64,
    /// For each digit, where its elements go.
    pub dests: i64,
    /// For each warp the counts of its digits in a tile that it counts for another block.
    pub helped: i64,
    /// The number of elements of each warp's digits.
    pub sums: i64,
    /// Bytes in all.
    pub bytes: i64,
}

/// Bytes of a count of a warp.
const WARP_COUNT_BYTES: i64 = 2;

/// Bytes of the elements that a thread has in registers by default: of keys of 32 bits with values, 40 were faster than 32 and 48 on an H200.
const THREAD_BYTES: i64 = 160;

/// The most elements of a tile: positions in it have 16 bits.
const MAX_TILE: i64 = 1 << 16;

impl SortTile {
    /// The tile of a problem. Registers hold the elements of a thread with three blocks on an SM; with two, also the positions that
    /// values follow.
    ///
    /// # Errors
    /// A number of items that no block can have.
    pub(super) fn new(problem: &SortProblem, target: &Target) -> Result<Self, Refusal> {
        let slot_bytes = problem.key_bytes.max(problem.value_bytes.unwrap_or(0)).max(4);
        let resident = if problem.value_bytes.is_some() { 2 } else { 3 };
        let items = problem.requests.items.unwrap_or(THREAD_BYTES / slot_bytes);
        let most = (MAX_BYTES / slot_bytes).min(MAX_TILE / DIGITS - 1);
        if !(1..=most).contains(&items) {
            let reason = format!("got {items} items per thread, expected 1 to {most} of {slot_bytes} bytes");
            return Err(Refusal::new("items-not-registers", reason));
        }
        let tile = SortTile { items, slot_bytes, resident };
        let (bytes, most) = (tile.rooms().bytes, target.shared_bytes());
        if bytes > most {
            let reason = format!("needs {bytes} bytes of shared memory for a tile, expected at most {most}");
            return Err(Refusal::new("tile-exceeds-shared-memory", reason));
        }
        Ok(tile)
    }

    /// Elements of the tile.
    pub fn elements(&self) -> i64 {
        self.items * DIGITS
    }

    /// Warps of a block.
    pub fn warps(&self) -> i64 {
        DIGITS / WARP
    }

    /// Bytes of the counts of a warp.
    pub fn warp_bytes(&self) -> i64 {
        DIGITS * WARP_COUNT_BYTES
    }

    /// The shared memory of a block.
    pub fn rooms(&self) -> SortRooms {
        let counts = (self.elements() + self.elements() / GAP_EVERY) * self.slot_bytes;
        let dests = counts + self.warps() * self.warp_bytes();
        let helped = dests + ROW_BYTES;
        let sums = helped + ROW_BYTES;
        SortRooms { counts, dests, helped, sums, bytes: sums + self.warps() * COUNT_BYTES }
    }
}
