//! From `tile.copy` to NVVM and PTX: the passes of the tile compiler.
//!
//! ```text
//!   tile.copy ──align──▶ tile.planned_copy ──vectorize──▶ tile.planned_copy ──expand──▶ scf, vector, memref, nvvm
//!                        #tile.plan<matched …>           #tile.plan<vectors …>
//!                        #tile.plan<matrix …>, …  ─────────────────────────────┘
//! ```
//!
//! [`tile_plan`] makes all decisions, on integers; this crate reads IR into problems, and writes plans as IR. Each
//! variant is one rewrite pattern whose benefit is its priority.
//!
//! Programs use [`compile()`], or [`embed`] step by step; the compiler's messages are returned as [`Diagnostic`]s, in
//! an [`Error`] or with the result:
//!
//! ```
//! use tile_passes::{Options, compile, embed};
//!
//! let context = embed::context();
//! let source = r#"
//! gpu.module @kernels {
//!   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
//!     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
//!     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
//!     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
//!     gpu.return
//!   }
//! }"#;
//! let mut module = embed::parse_named(&context, source, "load.mlir")?;
//! let ptx = compile(&mut module, &Options::new().chip("sm_90a"))?;
//! assert_eq!(ptx.kernels[0].name, "load");
//! # Ok::<(), tile_passes::Error>(())
//! ```
//!
//! Errors are values, with the location, the message and the notes of each diagnostic. [`embed::run`] runs a textual
//! pipeline instead, such as `builtin.module(lower-tile-copy{chip=sm_90a})`. The planner alone, without MLIR, is the crate
//! `tile-plan`.
//!
//! The rest is private:
//!
//! | module | subject |
//! | --- | --- |
//! | [`mod@compile`], [`ptx`] | a module to PTX |
//! | [`embed`] | contexts, parsing, and pipelines |
//! | [`inspect`] | the plans in IR between the passes |
//! | [`tools`] | mains of tile-opt, tile-translate and tile-lsp-server |
//! | [`diagnostics`], [`error`] | the compiler's messages, as values |
//! | [`options`] | options of the passes |
//! | [`read`] | reading IR: the problem that a copy poses, and what is known of its operands |
//! | [`stated_copies`] | copies that ops of other dialects state |
//! | [`upstream_copies`] | upstream copies that become tile copies |
//! | [`linalg`] | kernels of `linalg` that become kernels of tiles |
//! | [`inline`] | functions that become part of the kernels that call them |
//! | [`versions`] | regions that are compiled twice, with promises and without |
//! | [`buffers`] | tiles that loops, branches and functions forward |
//! | [`align`], [`vectorize`], [`expand`] | the three stages |
//! | [`mma`] | products of tiles |
//! | [`tensor_memory`] | tensor memory that a kernel allocates, and copies that wait |
//! | [`bounds`] | whether regions stay inside their buffers, proved or checked at run time |
//! | [`effects`] | what operations do to memory and order, a table for each family |
//! | [`needed`] | kernels that need their memory planned or their accesses ordered |
//! | [`unwritten`] | shared tiles that are read and never written |
//! | [`sync`] | accesses of different threads to the same bytes, and what orders them |
//! | [`pipeline`] | loops as rings of stages |
//! | [`families`] | kinds of machine accesses: their plans as ops, expanded and reported |
//! | [`emit`] | the emitter, which builds the code of copies and scans by [`tile_ops`] |
//! | [`report`] | remarks, warnings and errors |
//! | [`scan`] | scans |
//! | [`chained`] | passes over arrays whose elements see all before them |
//! | [`sort`] | sorts of arrays |
//! | [`patterns`] | the variants as patterns for other drivers |
//! | [`promise`] | promises about a kernel's arguments, as attributes of those |
//! | [`kernels`], [`launches`] | how kernels take their arguments, and how the host passes them |
//! | [`math`] | elementary functions |
//! | [`nesting`] | texts that would overflow the stack of a parser |
//! | [`unlowered`] | ops that no pass has lowered |

// The table above is for readers of this file; the documentation of users links to public items only.
#![allow(rustdoc::private_intra_doc_links)]

mod align;
mod allocs;
mod block_order;
mod bounds;
mod bridge;
mod buffers;
mod chained;
mod choose;
mod compile;
mod contracts;
mod copies;
mod diagnostics;
mod edges;
mod effects;
mod elementwise;
pub mod embed;
mod emit;
mod error;
mod expand;
mod extents;
mod families;
mod foreign;
mod inline;
pub mod inspect;
mod issuer;
mod kernels;
mod launches;
mod layouts;
mod linalg;
mod math;
mod mma;
mod needed;
mod needs;
mod nesting;
mod options;
mod pattern_bridge;
pub mod patterns;
mod pipeline;
mod portable;
mod promise;
mod ptx;
mod read;
mod read_only;
mod report;
mod return_if;
mod scan;
mod shim;
mod sort;
mod stated_copies;
mod sync;
mod tensor_maps;
mod tensor_memory;
pub mod tools;
mod traffic;
mod unlowered;
mod unwritten;
mod upstream_copies;
mod vectorize;
mod versions;
mod view_promises;
mod walk;
mod write_out;

pub use compile::{Argument, ArgumentType, Kernel, MemrefNumber, Options, Ptx, compile};
pub use diagnostics::{Diagnostic, Location, Severity};
pub use error::Error;
pub use portable::{ShaderLanguage, compile_portable};
