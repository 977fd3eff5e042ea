//! The plan of a pass: the tile of a block, and its shared memory.
//!
//! ```text
//!   exchange of sums | payload of the last element | for each array of results its end | results …
//! ```

use super::problem::ChainedProblem;
use crate::problem::refusal::Refusal;
use crate::scan::tile::{MAX_BYTES, VECTOR_BYTES, checked_threads};
use crate::scan::{Order, SumExchange, Tile, TileState, Wait, Workspace};
use crate::target::Target;

/// The plan of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedPlan {
    /// How blocks publish payloads and wait for them.
    pub exchange: SumExchange,
    /// The tile of a block.
    pub tile: Tile,
    /// Which block takes which tile.
    pub order: Order,
    /// Shared memory besides that of the exchange.
    pub rooms: SharedRooms,
    /// The number of blocks that an SM should have room for.
    pub resident: i64,
}

/// Where results are collected, in bytes from the end of the memory by which a block exchanges sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRooms {
    /// The payload up to the last element of the tile, 16 bytes.
    pub last: i64,
    /// One for each array of results; none where they do not follow each other.
    pub results: Vec<ResultRoom>,
    /// Bytes in all.
    pub bytes: i64,
}

/// The memory for the results of one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultRoom {
    /// The place after its last result, 8 bytes.
    pub end: i64,
    /// The results.
    pub items: i64,
    /// Bytes of a result.
    pub result_bytes: i64,
}

/// Bytes of a place in shared memory.
pub const PLACE_BYTES: i64 = 8;

/// Bytes of shared memory after which results have a gap.
pub const GAP_EVERY: i64 = 128;

impl ResultRoom {
    /// Bytes of the gap after every [`GAP_EVERY`] bytes of results. Threads that write every second, fourth … result would meet in
    /// the same banks without it:
    ///
    /// ```text
    ///   results of 4 bytes, four of a thread     thread 0     thread 8     thread 16
    ///   bank of its first                        0            0            0
    ///   with gaps                                0            1            2
    /// ```
    pub fn gap(&self) -> i64 {
        self.result_bytes.max(4)
    }

    /// The offset of a result from the first one.
    pub fn offset(&self, result: i64) -> i64 {
        let bytes = result * self.result_bytes;
        bytes + bytes / GAP_EVERY * self.gap()
    }
}

/// The most bytes of shared memory of a block without a request at its launch, less those for the exchange of sums: 32 and a
/// payload for each of 16 warps.
const MAX_SHARED: i64 = 48 * 1024 - 512;

/// The default number of threads.
const THREADS: i64 = 256;

/// Bytes of the widest array that a thread holds by default, and the most elements.
const THREAD_BYTES: i64 = 64;
const MAX_ITEMS: i64 = 32;

/// Registers of a thread besides those for elements and payloads.
const OTHER_REGISTERS: i64 = 40;

impl ChainedPlan {
    /// The plan of a problem with this waiting.
    ///
    /// # Errors
    /// Numbers that no block can have, or results that shared memory has no room for.
    pub fn new(problem: &ChainedProblem, target: &Target, (wait, order): (Wait, Order)) -> Result<Self, Refusal> {
        let tile = tile(problem)?;
        let order = match problem.requests.order.as_deref() {
            Some("ticket") => Order::Ticket,
            Some(_) => Order::BlockId,
            None => order,
        };
        let exchange = SumExchange {
            state: TileState::new(problem.payload, target),
            wait,
            deterministic: problem.requests.deterministic,
            hooks: problem.hooks,
        };
        let registers = OTHER_REGISTERS + tile.items() * problem.register_bytes() / 4;
        let resident = (65536 / (tile.threads * registers)).clamp(1, (2048 / tile.threads).max(1));
        Ok(ChainedPlan { exchange, tile, order, rooms: SharedRooms::new(problem, &tile), resident })
    }

    /// The size of the workspace.
    pub fn workspace(&self) -> Workspace {
        Workspace { tile: self.tile.elements(), words: self.exchange.state.bytes() }
    }
}

impl SharedRooms {
    fn new(problem: &ChainedProblem, tile: &Tile) -> Self {
        let dests = if problem.is_scattered { &[][..] } else { &problem.dests };
        let mut bytes = (16 + PLACE_BYTES * dests.len() as i64 + 15) / 16 * 16;
        let results = dests.iter().enumerate().map(|(index, &result_bytes)| {
            let end = 16 + PLACE_BYTES * index as i64;
            let room = ResultRoom { end, items: bytes, result_bytes };
            // Results begin at the same phase of a vector as in their array.
            let slots = tile.elements() + VECTOR_BYTES / result_bytes;
            bytes += (room.offset(slots) + 15) / 16 * 16;
            room
        });
        let results = results.collect();
        SharedRooms { last: 0, results, bytes }
    }
}

/// The tile that a problem requests: by default, as many elements as registers and shared memory hold.
fn tile(problem: &ChainedProblem) -> Result<Tile, Refusal> {
    let threads = checked_threads(problem.requests.threads.unwrap_or(THREADS))?;
    let widest = problem.sources.iter().map(|source| source.bytes).max().unwrap_or(1);
    let held = problem.register_bytes();
    if let Some(items) = problem.requests.items {
        if items < 1 || items.saturating_mul(held) > 2 * MAX_BYTES {
            let most = 2 * MAX_BYTES / held;
            let reason =
                format!("got {items} items per thread, expected 1 to {most} of {held} bytes with their payload");
            return Err(Refusal::new("items-not-registers", reason));
        }
    }
    let usual = (THREAD_BYTES / widest).clamp(1, MAX_ITEMS);
    let mut tile = with_items(problem, threads, problem.requests.items.unwrap_or(usual));
    while problem.requests.items.is_none() && tile.items() > 1 && SharedRooms::new(problem, &tile).bytes > MAX_SHARED {
        tile = with_items(problem, threads, tile.items() / 2);
    }
    let bytes = SharedRooms::new(problem, &tile).bytes;
    if bytes > MAX_SHARED {
        let reason = format!("needs {bytes} bytes of shared memory for results, expected at most {MAX_SHARED}");
        return Err(Refusal::new("tile-exceeds-shared-memory", reason));
    }
    Ok(tile)
}

/// A tile with the widest vectors that divide `items` and for which all arrays are aligned.
fn with_items(problem: &ChainedProblem, threads: i64, items: i64) -> Tile {
    let fits = |vector: i64| {
        let takes = |source: &super::ChainedSource| vector * source.bytes <= VECTOR_BYTES.min(source.alignment);
        items % vector == 0 && problem.sources.iter().all(takes)
    };
    let vector = [16, 8, 4, 2].into_iter().find(|&vector| fits(vector)).unwrap_or(1);
    Tile { threads, lanes: crate::scan::tile::WARP, rows: items / vector, vector }
}
