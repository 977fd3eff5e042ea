//! 8x8 matrices of 16-bit elements between shared memory and the registers of warps: `ldmatrix` and `stmatrix`.
//!
//! [`plan`] holds the plan and what holds in it, [`address`] its rows and registers, `ldstmatrix` the variant.

pub mod address;
mod cost;
mod fit;
pub(super) mod ldstmatrix;
pub mod plan;
mod touched;
