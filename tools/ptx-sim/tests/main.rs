//! The simulator's tests.
//!
//! One program: what the tests share is compiled once.

mod checks;
mod instructions;
mod kernels;
mod robustness;
mod support;
