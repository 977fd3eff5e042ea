//! The tests of copies and arithmetic; those of scans are another program.
//!
//! One program, so that MLIR is linked once.

mod active;
mod broken_plans;
mod convert;
mod exchange;
mod math;
mod odd_sizes;
mod runtime;
