//! Typed ops, attributes and types of MLIR's dialects and of ours.
//!
//! There is one module per dialect, generated from the TableGen files of the installed LLVM and from `dialects/tile/td`. Code
//! that uses a name which another LLVM has changed does not compile; changed numbers are followed.
//!
//! ```text
//!   arith::AddIOp::NAME                    "arith.addi", in tables and patterns
//!   arith::AddIOp::cast(op)?.lhs()         reads an op, operands by their names in ODS
//!   arith::addi(builder, a, b).value()     makes one
//!   llvm::load(builder, pointer, r#type).alignment(16).invariant(true).value()
//! ```
//!
//! A function that makes an op takes the mandatory parts: operands, then attributes, each in the order of ODS, then types
//! of results, where neither ODS nor MLIR can determine them, then regions. Optional parts are set on the [`Draft`]. The
//! draft computes sizes of operand groups. Ops with successors, of which the passes make none, have only a handle.
//!
//! | module | subject |
//! | --- | --- |
//! | [`arith`], [`gpu`], [`nvvm`], … | the dialects |
//! | [`llvm_type`] | types of LLVM |
//! | [`constant`] | numbers as attributes, and layouts of memrefs |
//! | [`interface`] | attributes that ops of many kinds have under the same name |
//! | [`intrinsic`] | LLVM's intrinsics without an op |
//!
//! # Why not melior's `ods`
//!
//! Its wrappers own their op, so they cannot read one in a block; their names are not constants; an accessor of an absent
//! part formats the op into an error, which verifies the whole module; and their builders take enums as attributes, whose
//! text has to be written somewhere. This crate is built on melior's references, blocks and types.

mod builder;
mod case;
pub mod constant;
mod draft;
pub mod interface;
pub mod intrinsic;
pub mod llvm_type;
mod op;
mod raw;
mod read;

pub use builder::{Builder, region};
pub use case::{Case, Form};
pub use draft::{Draft, OneResult, Parts};
pub use op::{Op, name, named};
pub use raw::{function_type, nested_symbol, parse_attribute, symbol, type_attribute};
pub use read::Values;

pub(crate) use case::{cases, flags, isa_cases};
pub(crate) use op::handle;

include!(concat!(env!("OUT_DIR"), "/dialects.rs"));
