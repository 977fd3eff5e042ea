//! Execution: a machine of blocks, warps and lanes.
//!
//! ```text
//! Machine ── turns ──> Core: one warp and its context ── one instruction ──> compute, loadstore, barrier, …
//!    └── completes asynchronous operations (Engine)
//! ```

mod access;
mod address;
mod atomic;
mod barrier;
mod box_copy;
mod boxes;
mod bulk;
mod cluster;
mod collective;
mod compute;
mod convert;
mod copies;
mod core;
mod described;
mod doubt;
mod early;
mod engine;
mod env;
mod float;
mod fragments;
mod frame;
mod lifetime;
mod loadstore;
mod machine;
mod masked;
mod matrix;
mod mbarrier;
mod multiplication;
mod object;
mod operand;
mod order;
mod paths;
mod perform;
mod pixels;
mod place;
mod poison;
mod prefetch;
mod problem;
mod recursion;
mod region;
mod registers;
mod rows;
mod scales;
mod special;
mod stale;
mod stuck;
mod sums;
mod suspect;
mod system;
mod tensor;
mod tensor_map;
mod tensor_memory;
mod tensor_product;
mod tmem_access;
mod tmem_copy;
mod together;
mod traffic;
mod turns;
mod undefined;
mod video;
mod warp;
mod warp_product;
mod warpgroup;
mod wgmma;
mod wmma;

pub(crate) use machine::Machine;
pub(crate) use problem::EarlyLoads;
