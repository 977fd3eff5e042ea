//! The tests of copies and arithmetic; those of scans are a separate program.
//!
//! They form one program, so that MLIR is linked only once.

mod active;
mod broken_plans;
mod convert;
mod exchange;
mod math;
mod odd_sizes;
mod patterns;
mod runtime;
