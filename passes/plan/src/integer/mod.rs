//! Integers computed at run time: the result of an op on known numbers, on ranges and on remainders, and what a launch computes.

mod computation;
mod interval;
mod launch;
mod residue;

pub use computation::{Computation, Operation, Predicate, to_signed};
pub use interval::Interval;
pub use launch::{LaunchExpression, LaunchFunction, LaunchNumber};
pub use residue::Residue;
