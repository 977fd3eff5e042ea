//! Kernels of scans, passes and copies for portable targets: SPIR-V for Vulkan, and the languages of WebGPU, Metal and
//! Direct3D.
//!
//! ```text
//!   kernel::Kernel ────────▶ kernel::program ─┐
//!   tile_plan::scan::Plan ──▶ scan::program ──▶ WGSL with naga's 64-bit types ──▶ naga ──▶ SPIR-V │ WGSL │ MSL │ HLSL
//!          + Operator                                                           validates
//! ```
//!
//! The plan is the same as for PTX ([`tile_plan::scan`]), for a target of [`tile_plan::target::Target::portable`]. All
//! decisions are made there; this crate concatenates pieces of text that vary only in constants.
//!
//! **Why not MLIR's `spirv` dialect.** Both approaches were tried on a kernel with a shuffle, a barrier and a 64-bit
//! exchange. The dialect's module passes `spirv-val`, too. But the dialect has no atomic load and store: an `or` with
//! zero and an exchange take their place, and both are read-modify-writes, so that each poll takes the cache line away
//! from the writers. naga turns a compare-exchange that it reads from SPIR-V into a weak one, and what it prints from
//! such a module has lost WGSL's directives and all names. Metal and Direct3D need naga in any case, and naga prints
//! all four languages from one module, provided that it starts from that module. A crate without MLIR is tested in
//! seconds.
//!
//! **Why text and not naga's arenas.** The WGSL text corresponds to that module word for word; a reader can check it
//! against the paper, and an editor can show it. naga's own front end builds the arenas from it, and reports where the
//! text is wrong.
//!
//! ```
//! use tile_plan::target::Target;
//! use tile_plan::scan::{Problem, ScannedElement, select};
//! use tile_portable::{Beginning, Binary, Operator, Scalar, Scan, program};
//!
//! let target = Target::portable("webgpu").unwrap();
//! let problem = Problem::new(ScannedElement { bits: 32, lanes: 1, float: true }, 256);
//! let (plan, ..) = select(&problem, &target).unwrap();
//! let element = tile_portable::PortableElement { scalar: Scalar::F32, lanes: 1 };
//! let operator = Operator::by_lane(element, Binary::Add);
//! let scan = Scan { name: "cumsum".into(), plan: &plan, operator, exclusive: false, beginning: Beginning::Nothing };
//! let program = program(&scan, target).unwrap();
//! assert!(program.wgsl().unwrap().contains("fn cumsum("));
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`element`] | elements as words |
//! | [`operator`] | the operator that combines two of them |
//! | [`scan`] | the kernels of a scan |
//! | [`chained`] | the kernel of a pass over arrays |
//! | [`kernel`] | a kernel as statements: copies, and the code around them |
//! | [`mod@copy`] | a copy, the baseline of scan measurements |
//! | [`mod@program`] | output in each language, what naga leaves out of SPIR-V, and errors |
#![forbid(unsafe_code)]

pub mod chained;
pub mod copy;
pub mod element;
pub mod kernel;
pub mod operator;
pub mod program;
pub mod scan;

pub use copy::copy;
pub use element::{PortableElement, Scalar};
pub use operator::{Binary, Compare, Operator, OperatorStep};
pub use program::{Error, Launch, PortableProgram, ProgramKernel};
pub use scan::{Beginning, Scan, program};
