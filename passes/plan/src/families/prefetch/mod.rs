//! Hints that a tile of global memory will be read: its bytes are brought into L2.
//!
//! [`plan`] holds the plan, its invariants and its addresses; `runs` splits a region into contiguous runs. The variants:
//! `bulk_prefetch` by `cp.async.bulk.prefetch.L2` (`bulk`), `prefetch` by `prefetch.global.L2` (`lines`), and `dropped`, for
//! what neither takes.

pub(super) mod bulk;
pub(super) mod dropped;
pub(super) mod lines;
pub mod plan;
mod runs;
