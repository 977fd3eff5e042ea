//! The tests of handles and builders.
//!
//! One program, so that MLIR is linked once.

mod ops;
mod registered;
