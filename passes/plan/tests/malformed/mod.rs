//! No input makes the planner panic: extreme numbers end in a refusal or in a plan.

mod by_hand;
mod draw;
mod problems;
