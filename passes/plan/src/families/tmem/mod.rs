//! Tensor memory: tiles from shared memory, and fragments to and from registers.
//!
//! | module | subject |
//! | --- | --- |
//! | [`copy`], [`access`] | the plans of `tcgen05.cp`, and of `tcgen05.ld` and `tcgen05.st`, with their invariants |
//! | [`address`] | tensor-memory addresses, descriptors, registers |
//! | `region` | regions of tensor memory, and the checks of the sides of both plans |
//! | `touched` | the memory that both plans touch, and what completes the accesses |
//!
//! The variants: `tcgen05_cp` and `tcgen05_ldst`.

pub mod access;
pub mod address;
pub mod copy;
mod region;
pub(super) mod tcgen05_cp;
pub mod tcgen05_ldst;
mod touched;
