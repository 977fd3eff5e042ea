//! Vectors: each thread moves rounds of them, by loads and stores or by `cp.async`.
//!
//! | module | subject |
//! | --- | --- |
//! | [`plan`] | the plans: both sides in one order, then rounds of vectors |
//! | [`verify`] | the invariants of every plan |
//! | [`vectorize`](mod@vectorize), `split` | the widest proven vector, and the rounds and threads around it |
//! | `both` | the vectors of a copy that converts or reduces |
//! | [`shuffle`] | warp-shuffle transposes, where lanes hold runs of several vectors |
//! | [`address`] | the address of each vector |
//! | `obstacles` | what rules out vectors of a width |
//! | `partition`, `pieces` | a partition, where neither side has one; a copy in parts |
//! | `rotation` | threads that rotate in rows that begin anywhere |
//! | `rims` | rows that begin or end within a vector: an aligned body and its rims |
//! | [`wanted`](mod@wanted) | promises about run-time numbers that would allow wider ones |
//! | `accesses` | what a plan touches, the requests of its warps, and what they cost |
//!
//! The variants: `gmem_smem`, `same_memory`, `reg`, `ldgsts`, `fill` and the forced widths.

pub mod accesses;
pub mod address;
mod both;
pub(super) mod fill;
pub(super) mod forced;
pub(crate) mod gmem_smem;
pub(super) mod ldgsts;
mod obstacles;
pub(super) mod partition;
mod pieces;
pub mod plan;
pub(super) mod reg;
mod rims;
pub mod rotation;
pub(super) mod same_memory;
pub mod shuffle;
pub(super) mod split;
mod summary;
pub mod vectorize;
pub mod verify;
pub mod wanted;
