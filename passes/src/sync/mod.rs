//! The order of accesses of different threads to the same bytes.
//!
//! ```text
//!   IR ──kernel──▶ tile_plan::sync::SyncProgram ──▶ findings ──say──▶ diagnostics       check
//!                                               └─▶ insertions ──────▶ operations        insert
//! ```
//! A kernel is read as a [`tile_plan::sync::SyncProgram`]; conflicts in it are found there, without MLIR. What its operations do to
//! memory and order is in [`crate::effects`].

pub mod check;
pub mod insert;
pub mod kernel;
pub mod memory;
pub mod print;
mod say;
pub mod shared_buffers;
