//! The text of a program: operations, loops and branches, who takes which arm of a branch, and what decides it.

use crate::problem::threads::ThreadSet;
use crate::sync::form::Form;
use crate::sync::periodic::Periodic;

/// A piece of structured control flow.
#[derive(Clone, Debug)]
pub enum Item {
    /// An operation, by its number.
    Op(usize),
    /// The body of a loop, by its number.
    Loop(usize, Vec<Item>),
    /// One of several arms.
    Branch(Branch),
}

/// Where control takes one of several ways.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The ways, an empty one where nothing is done.
    pub arms: Vec<Vec<Item>>,
    /// Who takes which.
    pub taken: Taken,
    /// Where all take the same one: what decides which, if it is known.
    pub when: Option<When>,
}

/// Who takes which arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// All threads of a block the same one.
    Together,
    /// These threads the first, these the second, …
    By(Vec<ThreadSet>),
    /// The same for each block of a cluster, by its rank.
    ByRank(Vec<Vec<ThreadSet>>),
    /// It is not known.
    Unknown,
}

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
