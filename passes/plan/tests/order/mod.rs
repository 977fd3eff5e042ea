//! The order of accesses: what is found, inserted and planned, on programs without MLIR.

mod again;
mod clusters;
mod memory;
mod phases;
mod pipeline;
mod products;
mod programs;
mod rings;
mod shift;
mod tensor_order;
mod tensor_rings;
mod totals;
