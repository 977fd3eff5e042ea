//! What is asked of a loop, and why it is refused.

use std::collections::HashMap;

/// A loop that is to be pipelined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// The loop, by its number.
    pub number: usize,
    /// How many iterations ahead its copies will be issued.
    pub ahead: i64,
    /// Its asynchronous copies to shared memory, by their numbers, in the order of the text.
    pub copies: Vec<usize>,
    /// Bytes of all elements of a tile, by the object that it is.
    pub whole: HashMap<usize, i64>,
}

/// Why a loop is not pipelined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is in the way.
    pub cause: Cause,
    /// The operation, by its number; `None` for the loop itself.
    pub op: Option<usize>,
    /// The other one.
    pub other: Option<usize>,
}

/// What is in the way of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Nothing is copied asynchronously to shared memory.
    NoCopy,
    /// A copy is in a branch, or in a loop inside.
    NotInEachIteration,
    /// A copy has no asynchronous plan.
    Synchronous,
    /// The loop waits, or closes groups, itself.
    OrderedByHand,
    /// A tile is written by something else, too.
    AlsoWritten,
    /// A tile is used before and behind the loop, or by memory that may be it.
    UsedOutside,
    /// A tile is read before the iteration has written it.
    ReadBefore,
    /// More of a tile is read than the iteration has written.
    ReadBeyond,
    /// What is copied from is written by an iteration before.
    SourceWritten,
}
