//! Kernels of scans and copies for what is not NVIDIA's: SPIR-V for Vulkan, and the languages of WebGPU, Metal and Direct3D.
//!
//! ```text
//!   kernel::Kernel ────────▶ kernel::program ─┐
//!   tile_plan::scan::Plan ──▶ scan::program ──▶ WGSL with naga's 64-bit types ──▶ naga ──▶ SPIR-V │ WGSL │ MSL │ HLSL
//!          + Operator                                                           validates
//! ```
//!
//! The plan is the one that PTX is made of ([`tile_plan::scan`]), for a target of [`tile_plan::Target::portable`]. What is
//! decided is decided there; here text is put together, of pieces that have no alternatives but constants.
//!
//! **Why not MLIR's `spirv` dialect.** Both ways were tried on a kernel with a shuffle, a barrier and an exchange of 64 bits. The
//! dialect's module passes `spirv-val`, too. But it has no atomic load and store (an `or` with zero and an exchange stand in, which
//! are read-modify-writes: each poll takes the line from those who write it), naga turns a compare-exchange that it reads from
//! SPIR-V into a weak one, and of what it prints from there neither WGSL's directives nor names are left. Then Metal and Direct3D
//! want naga in any case, which makes four languages of one module when it has the module first. A crate without MLIR is tested
//! in seconds.
//!
//! **Why text and not naga's arenas.** WGSL is that module, word for word; it is what a reader can check against the paper, and
//! what an editor can show. naga's own front end puts it into arenas, and says where it is wrong.
//!
//! ```
//! use tile_plan::Target;
//! use tile_plan::scan::{Element, Problem, select};
//! use tile_portable::{Beginning, Binary, Operator, Scalar, Scan, program};
//!
//! let target = Target::portable("webgpu").unwrap();
//! let problem = Problem::new(Element { bits: 32, lanes: 1, float: true }, 256);
//! let (plan, ..) = select(&problem, &target).unwrap();
//! let element = tile_portable::Element { scalar: Scalar::F32, lanes: 1 };
//! let operator = Operator::by_lane(element, Binary::Add);
//! let scan = Scan { name: "cumsum".into(), plan: &plan, operator, exclusive: false, beginning: Beginning::Nothing };
//! let program = program(&scan, target).unwrap();
//! assert!(program.wgsl().unwrap().contains("fn cumsum("));
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`element`] | elements as words |
//! | [`operator`] | what combines two of them |
//! | [`scan`] | the kernels of a scan |
//! | [`kernel`] | a kernel as statements: copies, and the code around them |
//! | [`mod@copy`] | a copy, beside which scans are measured |
//! | [`mod@program`] | the languages, what naga leaves out of SPIR-V, and errors |
#![forbid(unsafe_code)]

pub mod copy;
pub mod element;
pub mod kernel;
pub mod operator;
pub mod program;
pub mod scan;

pub use copy::copy;
pub use element::{Element, Scalar};
pub use operator::{Binary, Compare, Operator, Step};
pub use program::{Error, Kernel, Launch, Program};
pub use scan::{Beginning, Scan, program};
