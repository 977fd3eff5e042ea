//! The planner's tests, in folders by subject.
//!
//! They are one program, so that shared code is compiled once.

mod block_scan;
mod bounds;
mod chained;
mod choose_layout;
mod common;
mod elementwise;
mod families;
mod malformed;
mod math;
mod mma;
mod order;
mod partition;
mod plan_text;
mod problem;
mod random;
mod recorded;
mod scan;
mod sort;
mod terms;
