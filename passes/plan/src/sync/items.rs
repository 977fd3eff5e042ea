//! The structured control flow of a program: operations, loops and branches, which threads take which arm of a branch
//! and go round which loop, and what decides it.

use crate::problem::threads::ThreadSet;
use crate::sync::form::AddressForm;
use crate::sync::periodic::Periodic;
use crate::sync::rounds::Together;

/// A piece of structured control flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An operation, by its number.
    Op(usize),
    /// The body of a loop, by its number.
    Loop(usize, Vec<Item>),
    /// A branch between several arms.
    Branch(Branch),
}

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The arms, with an empty one where nothing is done.
    pub arms: Vec<Vec<Item>>,
    /// Which threads take which arm.
    pub taken: Taken,
    /// Where all threads take the same arm: the condition that decides which, if known.
    pub when: Option<When>,
}

/// Which threads take which arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// All threads of a block take the same arm.
    Together,
    /// These threads the first, these the second, …
    By(Vec<ThreadSet>),
    /// As [`Taken::By`], for each block of a cluster, by its rank.
    ByRank(Vec<Vec<ThreadSet>>),
    /// Unknown, but the threads of each warp take the same arm.
    ByWarps,
    /// Unknown.
    Unknown,
}

impl Taken {
    /// Which threads take the same arm.
    pub fn together(&self) -> Together {
        match self {
            Taken::Together | Taken::By(_) | Taken::ByRank(_) => Together::Block,
            Taken::ByWarps => Together::Warps,
            Taken::Unknown => Together::Threads,
        }
    }
}

/// The condition that decides which arm all threads take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// A comparison, between two arms.
    Below(Box<Below>),
    /// The trip count of some loops.
    Times {
        /// The [`count`](crate::sync::Loop::count) of the loops.
        count: usize,
        /// The arm, as a function of their trip count.
        arm: Periodic,
    },
}

/// A comparison that decides between two arms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// The left operand, which is never negative.
    pub value: AddressForm,
    /// The right operand.
    pub limit: Limit,
    /// The least value that counts.
    pub least: i64,
    /// The arm that is taken where `value` is at least `least` and below `limit`; elsewhere it is the other one.
    pub arm: usize,
}

/// The right operand of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A constant.
    Number(i64),
    /// The trip count of the loops of this [`count`](crate::sync::Loop::count).
    Trips(usize),
    /// A number per block of a cluster, by its rank.
    Blocks(Vec<i64>),
}
