//! From `tile.copy` to NVVM and PTX: the passes of the tile compiler.
//!
//! ```text
//!   tile.copy ──align──▶ tile.aligned_copy ──vectorize──▶ tile.vector_copy ──expand──▶ scf, vector, memref, nvvm
//!                        tile.matrix_copy ────────────────────────────────────┤
//!                        tile.scalar_copy ────────────────────────────────────┘
//! ```
//!
//! All decisions are made by [`tile_plan`], on integers; here IR is read into its questions and its
//! answers are written as IR. Each variant is one rewrite pattern whose benefit is its priority.
//!
//! | module | subject |
//! | --- | --- |
//! | [`options`] | what the passes may be asked for |
//! | [`read`] | reading IR: the problem that a copy poses, and what is known of its operands |
//! | [`align`], [`vectorize`], [`expand`] | the three stages |
//! | [`bounds`] | begins that are known at run time only, checked there |
//! | [`families`] | kinds of machine accesses: plans as ops and back, expanded and reported |
//! | [`build`] | making ops |
//! | [`report`] | remarks, warnings and errors |
//! | [`scan`] | scans |
//! | [`promise`] | what is promised of a kernel's arguments, as attributes of those |
//! | [`kernels`], [`launches`] | how kernels take their arguments, and how the host passes them |
//! | [`math`] | elementary functions |
//! | [`nesting`], [`editor`] | texts and messages that would overflow the stack of a parser |
//! | [`unlowered`] | ops that no pass has lowered |
//! | [`ptx`] | PTX text |
//! | [`tools`] | mains of tile-opt, tile-translate and tile-lsp-server |
//! | [`embed`] | contexts and pass managers for programs that use the compiler as a library |

pub mod align;
pub mod bounds;
mod bridge;
pub mod build;
pub mod editor;
pub mod embed;
mod emit;
pub mod expand;
pub mod families;
pub mod kernels;
pub mod launches;
pub mod math;
pub mod nesting;
pub mod options;
pub mod promise;
pub mod ptx;
pub mod read;
pub mod report;
pub mod scan;
mod shared;
mod shim;
pub mod tools;
pub mod unlowered;
pub mod vectorize;
pub mod walk;

pub use options::Options;

/// The project's page, so that its Rust is compiled and run.
#[cfg(doctest)]
#[allow(rustdoc::invalid_codeblock_attributes)]
#[doc = include_str!("../../README.md")]
struct Readme;
