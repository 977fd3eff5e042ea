//! The plan of a scan.

use super::problem::Hooks;
use super::{Ring, Tile, TileState, Workspace};

/// The plan of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// One kernel; blocks publish their sums, and poll those of others.
    Decoupled(Decoupled),
    /// Three kernels: sums of tiles, their scan, and the results.
    Passes(Passes),
    /// One thread.
    Serial,
}

impl Plan {
    /// The size of the workspace.
    pub fn workspace(&self) -> Workspace {
        match self {
            Plan::Decoupled(plan) => Workspace { tile: plan.tile().elements(), words: plan.exchange.state.bytes() },
            // A tile's sum, and the sum of everything before the tile.
            Plan::Passes(plan) => Workspace { tile: plan.tile.elements(), words: 2 * plan.element_bytes },
            Plan::Serial => Workspace { tile: 1, words: 0 },
        }
    }
}

/// One pass, with bounded waiting or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoupled {
    /// Where a block keeps its tiles.
    pub shape: ScanShape,
    /// How blocks exchange sums.
    pub exchange: SumExchange,
}

/// How blocks exchange the sums of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumExchange {
    /// How blocks publish their sums.
    pub state: TileState,
    /// What to do when a sum is missing.
    pub wait: Wait,
    /// Whether the association of operands is fixed, whichever block comes first.
    pub deterministic: bool,
    /// Fault injection.
    pub hooks: Hooks,
}

impl Decoupled {
    /// The tile of either shape.
    pub fn tile(&self) -> Tile {
        match &self.shape {
            ScanShape::Register { tile, .. } => *tile,
            ScanShape::Ring(ring) => ring.tile,
        }
    }
}

/// Where a block keeps its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanShape {
    /// One tile per block, in registers.
    Register {
        /// The tile.
        tile: Tile,
        /// Which block takes which tile.
        order: Order,
    },
    /// Many tiles per block, through shared memory.
    Ring(Ring),
}

/// Which block takes which tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order in which blocks start, by a counter in the workspace.
    Ticket,
    /// By block index.
    BlockId,
}

/// What a block does when the sum of an earlier tile is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// After `max_spin` polls without news, it computes the sum itself.
    Fallback {
        /// Number of polls, at least 1.
        max_spin: i64,
    },
    /// It polls until the sum is there.
    Forever,
    /// After `polls` polls in total, it gives up and records that in the workspace.
    GiveUp {
        /// Number of polls, at least 1.
        polls: i64,
    },
}

/// Three kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// The tile of the first and the last kernel, and of the middle one, which scans sums.
    pub tile: Tile,
    /// Bytes of an element in the workspace.
    pub element_bytes: i64,
}
