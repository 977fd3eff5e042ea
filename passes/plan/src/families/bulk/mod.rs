//! Chunks of neighbouring elements that one thread issues: `cp.async.bulk` and `cp.reduce.async.bulk`.
//!
//! [`plan`] holds the plan, what holds in it, its addresses, and what it touches; `chunks` cuts both sides into chunks. The
//! variants: `bulk` between global and shared memory (`global`), and `dsmem` to another CTA of the cluster.

mod chunks;
pub(super) mod dsmem;
pub(crate) mod global;
pub mod plan;
