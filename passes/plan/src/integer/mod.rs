//! Integers computed at run time: the result of an op on known numbers, on ranges and on remainders.

mod computation;
mod interval;
mod residue;

pub use computation::{Computation, Operation, Predicate, to_signed};
pub use interval::Interval;
pub use residue::Residue;
