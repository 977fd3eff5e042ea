//! 8x8 matrices of 16-bit elements between shared memory and the registers of warps: `ldmatrix` and `stmatrix`.
//!
//! [`plan`] holds the plan with its invariants, its rows and its registers; `accesses`, the memory that it touches and
//! its cost; `ldstmatrix` is the variant.

mod accesses;
mod fit;
pub(super) mod ldstmatrix;
pub mod plan;
