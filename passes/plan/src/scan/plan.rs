//! What is answered.

use super::problem::Hooks;
use super::{Ring, State, Tile, Workspace};

/// A scan as it will be done.
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
    /// What the workspace needs.
    pub fn workspace(&self) -> Workspace {
        match self {
            Plan::Decoupled(plan) => Workspace { tile: plan.tile().elements(), words: plan.state.bytes() },
            // Its sum, and what is before it.
            Plan::Passes(plan) => Workspace { tile: plan.tile.elements(), words: 2 * plan.element_bytes },
            Plan::Serial => Workspace { tile: 1, words: 0 },
        }
    }
}

/// One pass, with bounded waiting or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoupled {
    /// Where a block keeps its tiles.
    pub shape: Shape,
    /// How blocks publish their sums.
    pub state: State,
    /// What to do when a sum is missing.
    pub wait: Wait,
    /// Do all brackets of the result have one place, whichever block came first?
    pub deterministic: bool,
    /// Fault injection.
    pub hooks: Hooks,
}

impl Decoupled {
    /// The tile of either shape.
    pub fn tile(&self) -> Tile {
        match &self.shape {
            Shape::Register { tile, .. } => *tile,
            Shape::Ring(ring) => ring.tile,
        }
    }
}

/// Where a block keeps its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One tile a block, in registers.
    Register {
        /// The tile.
        tile: Tile,
        /// Which block takes which.
        order: Order,
    },
    /// Many tiles a block, through shared memory.
    Ring(Ring),
}

/// Which block takes which tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order in which blocks begin: a counter in the workspace.
    Ticket,
    /// By the block's number.
    BlockId,
}

/// What a block does when the sum of an earlier tile is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// After so many polls without news it computes the sum itself.
    Fallback {
        /// Polls, at least 1.
        max_spin: i64,
    },
    /// It polls until the sum is there.
    Forever,
    /// It gives up after so many polls in all and says so in the workspace.
    GiveUp {
        /// Polls, at least 1.
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
