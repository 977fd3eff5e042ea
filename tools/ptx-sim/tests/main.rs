//! The simulator's tests.
//!
//! They form one program, so that their common code is compiled only once.

mod checks;
mod instructions;
mod kernels;
mod robustness;
mod support;
