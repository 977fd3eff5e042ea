//! The order of accesses of different threads to the same bytes.
//!
//! A kernel is read as a [`tile_plan::sync::Program`]; conflicts in it are found there, without MLIR.

mod accessed;
mod barriers;
mod block;
mod branches;
pub mod check;
mod cluster;
mod coordinates;
mod copies;
mod descriptors;
mod elements;
mod exchanged;
pub mod insert;
mod interblock;
pub mod kernel;
mod loops;
mod mbarriers;
pub mod memory;
mod objects;
mod phases;
mod plain;
mod plans;
pub mod print;
mod products;
mod raw;
pub mod rooms;
mod say;
mod tensor;
mod uniform;
