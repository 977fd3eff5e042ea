//! A loop whose copies are asynchronous as a ring of stages: copies of later iterations are in flight while one iteration
//! computes.
//!
//! ```text
//!   for k:  copy k ──▶ tile         3 stages:   copy 0, copy 1
//!           read tile                           for k:  wait for copy k, barrier
//!                                                       copy k + 2 ──▶ stage (k + 2) mod 3
//!                                                       read stage k mod 3
//! ```
//!
//! The loop is one of a [`Program`](crate::sync::Program). Its asynchronous copies to shared memory are the producers, all other
//! operations of the iteration the consumer: nothing else is moved. [`roles`] says which tiles become rings and what completes
//! their copies ([`By`]), or what in the program keeps a copy from being issued earlier; [`plan`] how many stages there are and
//! what is waited for; [`ring`] where the stages lie.

mod ask;
mod by;
mod cover;
mod early;
mod roles;
mod stages;

pub use ask::{Ask, Cause, Refusal};
pub use by::By;
pub use roles::{Roles, roles};
pub use stages::{MOST_STAGES, Plan, most_stages, plan, ring, uses};
