//! A loop that is pipelined.

use melior::ir::{BlockRef, OperationRef};
use tile_plan::pipeline::{By, Plan};

use super::ring::Ring;

/// A loop that is pipelined.
pub struct Loop<'c, 'a> {
    /// The `scf.for`.
    pub op: OperationRef<'c, 'a>,
    /// Its body.
    pub body: BlockRef<'c, 'a>,
    /// The ring.
    pub plan: Plan,
    /// What completes its copies.
    pub by: Vec<By>,
    /// How many iterations it has, where that is a known number.
    pub trips: Option<i64>,
    /// The copies that are issued ahead.
    pub copies: Vec<OperationRef<'c, 'a>>,
    /// The `tile.alloc`s that they write, and what they become.
    pub tiles: Vec<(OperationRef<'c, 'a>, Ring<'c>)>,
}
