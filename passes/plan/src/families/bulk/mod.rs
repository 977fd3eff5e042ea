//! Contiguous chunks, issued by one thread: `cp.async.bulk` and `cp.reduce.async.bulk`.
//!
//! [`plan`] holds the plan, its invariants, its addresses, and the memory it touches; `chunks` splits both sides into
//! chunks. The variants: `bulk` between global and shared memory (`global`), and `dsmem` to another CTA of the cluster.

pub(super) mod chunks;
pub(super) mod dsmem;
pub(crate) mod global;
pub mod plan;
