//! One element at a time, for what no other family takes.
//!
//! [`plan`] holds the plan and its owners, `distribute` derives which thread owns which register, [`address`] has the
//! formulas, `fallback` is the variant.

mod accesses;
pub mod address;
mod distribute;
pub(super) mod fallback;
pub mod plan;
mod summary;
