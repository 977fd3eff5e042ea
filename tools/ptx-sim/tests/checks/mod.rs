//! What the checkers find: for each rule a kernel that breaks it, found under every schedule, and its right twin, never.

mod barriers;
mod bounds;
mod cluster;
mod constant;
mod doubt;
mod harness;
mod locations;
mod order;
mod steps;
mod undefined;
