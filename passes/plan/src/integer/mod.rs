//! Integers that the run computes: what an op makes of known numbers, of ranges and of remainders.

mod computation;
mod interval;
mod residue;

pub use computation::{Computation, Operation, Predicate, to_signed};
pub use interval::Interval;
pub use residue::Residue;
