//! Chunks of neighbouring elements that one thread issues: `cp.async.bulk`.
//!
//! [`plan`] holds the plan, what holds in it, and its addresses; `dsmem` is the variant to another CTA of the cluster.

pub(super) mod dsmem;
pub mod plan;
