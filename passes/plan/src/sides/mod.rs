//! What variants ask of the two sides of a copy, and how they bring both into one order.
//!
//! | module | subject |
//! | --- | --- |
//! | [`side`] | one side of a plan; what must hold for a thread to take part |
//! | [`region`] | the part of an operand that takes part, also as a buffer of its own |
//! | [`order`], [`digits`] | both sides in one order; the digits that an instruction fixes |
//! | [`chain`], [`registers`] | thread axes as digits of the thread id; registers and memory in one order |
//! | [`ranks`] | who shares a copy, where not all threads of the scope do |
//! | [`width`] | may vectors of some width be used? |
//! | [`require`] | what several variants need of a copy |
//! | [`begin`] | where a buffer begins |
//! | [`address`] | the parts that all address formulas have |

pub(crate) mod address;
pub(crate) mod begin;
pub(crate) mod chain;
pub(crate) mod digits;
pub(crate) mod order;
pub(crate) mod ranks;
pub(crate) mod region;
pub(crate) mod registers;
pub(crate) mod require;
pub(crate) mod side;
pub(crate) mod width;
