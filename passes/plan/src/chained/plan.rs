//! The plan of a pass: the tile of a block, and its shared memory where it holds one tile in registers.
//!
//! ```text
//!   exchange of sums | payload of the last element | for each array of results its end | results … | next tile …
//! ```

use tile_isa::registers::resident_blocks;

use super::problem::ChainedProblem;
use super::ring::ChainedRing;
use crate::problem::refusal::Refusal;
use crate::scan::tile::{MAX_BYTES, VECTOR_BYTES, checked_threads};
use crate::scan::{Order, SumExchange, Tile, TileState, Wait, Workspace, workgroup};
use crate::target::Target;
use crate::target::api::Api;
use crate::target::engine::CP_ASYNC;

/// The plan of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedPlan {
    /// How blocks publish payloads and wait for them.
    pub exchange: SumExchange,
    /// Where a block keeps its tiles.
    pub shape: ChainedShape,
}

/// Where a block keeps its tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainedShape {
    /// One tile, in registers.
    Register(RegisterTiles),
    /// Several tiles, in shared memory.
    Ring(ChainedRing),
}

/// Tiles that blocks hold in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterTiles {
    /// The tile of a block.
    pub tile: Tile,
    /// Which block takes which tile.
    pub order: Order,
    /// Shared memory besides that of the exchange.
    pub rooms: SharedRooms,
    /// The number of blocks that an SM should have room for.
    pub resident: i64,
    /// The most blocks to launch, which take several tiles each and read the next one ahead; `None` for one block for each tile.
    pub blocks: Option<i64>,
}

/// Where results are collected, in bytes from the end of the memory by which a block exchanges sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRooms {
    /// The payload up to the last element of the tile, 16 bytes.
    pub last: i64,
    /// One for each array of results; none where they do not follow each other.
    pub results: Vec<ResultRoom>,
    /// The elements of the next tile, of each array that is read; none where they are not read ahead.
    pub ahead: Vec<i64>,
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
    /// The plan of a problem with this shape and waiting.
    pub fn new(problem: &ChainedProblem, target: &Target, (shape, wait): (ChainedShape, Wait)) -> Self {
        let exchange = SumExchange {
            state: TileState::new(problem.payload, target),
            wait,
            deterministic: problem.requests.deterministic || matches!(shape, ChainedShape::Ring(_)),
            hooks: problem.hooks,
        };
        ChainedPlan { exchange, shape }
    }

    /// The tile of either shape.
    pub fn tile(&self) -> &Tile {
        match &self.shape {
            ChainedShape::Register(tiles) => &tiles.tile,
            ChainedShape::Ring(ring) => &ring.ring.tile,
        }
    }

    /// The size of the workspace.
    pub fn workspace(&self) -> Workspace {
        Workspace { tile: self.tile().elements(), words: self.exchange.state.bytes() }
    }
}

impl ChainedShape {
    /// The ring, where chip, arrays and requests allow it, else registers.
    ///
    /// # Errors
    /// Requests that no block can have, or results that shared memory has no room for.
    pub fn new(problem: &ChainedProblem, target: &Target, order: Order) -> Result<Self, Refusal> {
        let registers = || RegisterTiles::new(problem, target, order).map(ChainedShape::Register);
        let requests = &problem.requests;
        match requests.shape.as_deref() {
            Some("ring") => Ok(ChainedShape::Ring(ChainedRing::new(problem, target)?)),
            Some(_) => registers(),
            None => match ChainedRing::new(problem, target) {
                Ok(ring) => Ok(ChainedShape::Ring(ring)),
                Err(_) if requests.stages.is_none() => registers(),
                Err(refusal) => Err(refusal),
            },
        }
    }
}

impl RegisterTiles {
    /// The tiles of a problem; `order` is the usual one.
    fn new(problem: &ChainedProblem, target: &Target, order: Order) -> Result<Self, Refusal> {
        problem.requests.without_stages()?;
        let order = match problem.requests.order.as_deref() {
            Some("ticket") => Order::Ticket,
            Some(_) => Order::BlockId,
            None => order,
        };
        // Tickets are for blocks that take one tile.
        let may_read_ahead = target.has(&CP_ASYNC) && order == Order::BlockId;
        let (tile, rooms) = match target.api() {
            Some(api) => (portable(problem, target, api)?, SharedRooms::NONE),
            None => tile(problem, may_read_ahead)?,
        };
        let registers = OTHER_REGISTERS + tile.items() * problem.register_bytes() / 4;
        let resident = resident_blocks(tile.threads, registers);
        let blocks = (!rooms.ahead.is_empty()).then(|| target.sm_count() * resident);
        Ok(RegisterTiles { tile, order, rooms, resident, blocks })
    }
}

impl SharedRooms {
    /// Those of a portable target, whose threads write results one by one and read nothing ahead.
    const NONE: Self = SharedRooms { last: 0, results: Vec::new(), ahead: Vec::new(), bytes: 0 };

    /// The rooms for a tile, with the next one if that is read ahead: by asynchronous copies of 4, 8 or 16 bytes.
    fn new(problem: &ChainedProblem, tile: &Tile, reads_ahead: bool) -> Self {
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
        let widths_fit = problem.sources.iter().all(|source| source.bytes * tile.vector >= 4);
        let sources = if reads_ahead && widths_fit { &problem.sources[..] } else { &[] };
        let ahead = sources.iter().map(|source| {
            let room = bytes;
            bytes += source.bytes * tile.elements();
            room
        });
        let ahead = ahead.collect();
        SharedRooms { last: 0, results, ahead, bytes }
    }
}

/// The tile that a problem requests, by default as many elements as registers and shared memory hold, and its rooms.
fn tile(problem: &ChainedProblem, may_read_ahead: bool) -> Result<(Tile, SharedRooms), Refusal> {
    let threads = checked_threads(problem.requests.threads.unwrap_or(THREADS))?;
    let widest = problem.sources.iter().map(|source| source.bytes).max().unwrap_or(1);
    let requested = requested_items(problem)?;
    let fits = |tile: &Tile, ahead: bool| {
        Some(SharedRooms::new(problem, tile, ahead)).filter(|rooms| rooms.bytes <= MAX_SHARED)
    };
    let usual = (THREAD_BYTES / widest).clamp(1, MAX_ITEMS);
    let mut tile = problem.tile_with(threads, requested.unwrap_or(usual));
    while requested.is_none() && tile.items() > 1 && fits(&tile, may_read_ahead).is_none() {
        tile = problem.tile_with(threads, tile.items() / 2);
    }
    match fits(&tile, may_read_ahead).or_else(|| fits(&tile, false)) {
        Some(rooms) => Ok((tile, rooms)),
        None => {
            let bytes = SharedRooms::new(problem, &tile, false).bytes;
            let reason = format!("needs {bytes} bytes of shared memory for results, expected at most {MAX_SHARED}");
            Err(Refusal::new("tile-exceeds-shared-memory", reason))
        }
    }
}

/// The tile that a problem requests on a portable target; by default a thread has 128 bytes of elements and payloads, or 16 elements,
/// or fewer where payloads need more shared memory than there is.
fn portable(problem: &ChainedProblem, target: &Target, api: &Api) -> Result<Tile, Refusal> {
    let [threads, lanes] = workgroup::threads(&problem.requests, target, api)?;
    let most = (MAX_BYTES / 2 / problem.register_bytes()).clamp(1, MAX_ITEMS / 2) as u64;
    let items = requested_items(problem)?.unwrap_or(1 << most.ilog2());
    let tile = Tile { lanes, ..problem.tile_with(threads, items) };
    workgroup::within_memory(tile, problem.payload, &problem.requests, (target, api))
}

/// The requested number of items per thread.
fn requested_items(problem: &ChainedProblem) -> Result<Option<i64>, Refusal> {
    let (held, requested) = (problem.register_bytes(), problem.requests.items);
    match requested.filter(|&items| items < 1 || items.saturating_mul(held) > 2 * MAX_BYTES) {
        None => Ok(requested),
        Some(items) => {
            let most = 2 * MAX_BYTES / held;
            let reason =
                format!("got {items} items per thread, expected 1 to {most} of {held} bytes with their payload");
            Err(Refusal::new("items-not-registers", reason))
        }
    }
}
