//! Tensor memory: tiles to it from shared memory, and fragments between it and registers.
//!
//! | module | subject |
//! | --- | --- |
//! | [`copy`], [`access`] | the plans of `tcgen05.cp`, and of `tcgen05.ld` and `tcgen05.st`, with what holds in them |
//! | [`address`] | tensor-memory addresses, descriptors, registers |
//! | `region` | regions of tensor memory, and what the sides of both plans are checked for |
//! | `touched` | what both plans touch, and what completes them |
//!
//! The variants: `tcgen05_cp` and `tcgen05_ldst`.

pub mod access;
pub mod address;
pub mod copy;
mod region;
pub(super) mod tcgen05_cp;
pub mod tcgen05_ldst;
mod touched;
