//! Random tile programs, and what they mean.
//!
//! A program is drawn as a tree ([`ast`]), printed as MLIR ([`text`]) for the compiler, and executed here ([`machine`])
//! by its definition: plain loops over blocks, threads and elements, with a layout of its own ([`layout`]). Nothing of the
//! compiler is used, so that what both agree on is not a common mistake.
//!
//! | module | subject |
//! | --- | --- |
//! | [`ast`] | programs |
//! | [`layout`] | which places hold an element |
//! | [`machine`] | what a program does; why it has no meaning |
//! | [`text`] | a program as MLIR |
//! | [`draw`] | random programs |
//! | [`twin`] | the same without a barrier, or without a wait |
//! | [`shrink`] | smaller programs |

pub mod ast;
pub mod convert;
pub mod draw;
pub mod layout;
pub mod machine;
mod rng;
pub mod shrink;
pub mod text;
pub mod twin;

pub use machine::{Flaw, Machine};
pub use rng::Rng;
