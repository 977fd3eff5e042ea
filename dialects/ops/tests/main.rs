//! The tests of handles and builders.
//!
//! They are one program, so that MLIR is linked once.

mod ops;
mod registered;
