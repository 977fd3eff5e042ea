//! The tests of the dialect.
//!
//! They are one program, so that MLIR is linked once.

mod erased;
mod fragments;
mod layout_text;
mod panics;
mod sizes;
mod words;
