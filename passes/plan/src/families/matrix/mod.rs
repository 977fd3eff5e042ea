//! 8x8 matrices of 16-bit elements between shared memory and the registers of warps: `ldmatrix` and `stmatrix`.
//!
//! [`plan`] holds the plan with what holds in it, its rows and its registers, `accesses` says what it touches and costs,
//! `ldstmatrix` is the variant.

mod accesses;
mod fit;
pub(super) mod ldstmatrix;
pub mod plan;
