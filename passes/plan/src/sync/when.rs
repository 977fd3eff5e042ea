//! What decides which of two arms all threads take.

use crate::sync::form::Form;
use crate::sync::periodic::Periodic;

/// What decides which of two arms all threads take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The first is taken where a number is below another one.
    Below(Below),
    /// How often some loops go round.
    Times {
        /// The [`count`](crate::sync::Loop::count) of the loops.
        count: usize,
        /// The arm, if these go round so often.
        arm: Periodic,
    },
}

/// Of two arms the first is taken where a number is below another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// The number, which is never below 0.
    pub value: Form,
    /// The other one.
    pub limit: Limit,
}

/// What a number is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number.
    Number(i64),
    /// How often the loops of this [`count`](crate::sync::Loop::count) go round.
    Trips(usize),
    /// A number of each block of a cluster, by its rank.
    Blocks(Vec<i64>),
}
