//! The tests of the passes.
//!
//! One program, so that MLIR is linked once.

mod api;
mod dependent_dialects;
mod locations;
mod patterns;
mod stages;
mod threads;
mod typed_ir;
