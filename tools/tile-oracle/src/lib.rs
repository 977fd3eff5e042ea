//! Random tile programs, and their meaning.
//!
//! A program is drawn as a tree ([`ast`]), printed as MLIR ([`text`]) for the compiler, and executed here ([`machine`])
//! by its definition: plain loops over blocks, threads and elements, with a separate implementation of layouts
//! ([`layout`]). No code of the compiler is used, so that an agreement of both is not due to a common mistake.
//!
//! | module | subject |
//! | --- | --- |
//! | [`ast`] | programs |
//! | [`layout`] | the locations of an element |
//! | [`machine`] | the execution of a program, or the reason that it has no meaning |
//! | [`reduce`], [`convert`] | the results of reductions and of conversions |
//! | [`text`] | a program as MLIR |
//! | [`draw`] | random programs |
//! | [`twin`] | the same program without a barrier, or without a wait |
//! | [`shrink`] | smaller programs |

pub mod ast;
pub mod convert;
pub mod draw;
pub mod layout;
pub mod machine;
pub mod reduce;
mod rng;
pub mod shrink;
pub mod text;
pub mod twin;

pub use machine::{Flaw, Machine};
pub use rng::Rng;
