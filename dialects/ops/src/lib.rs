//! Ops, attributes and types of MLIR's dialects and of ours, typed.
//!
//! One module a dialect, generated from the TableGen files of the installed LLVM and from `dialects/tile/td`. What another
//! LLVM renames no longer compiles; what it numbers anew is numbered anew here.
//!
//! ```text
//!   arith::AddIOp::NAME                    "arith.addi", in tables and patterns
//!   arith::AddIOp::cast(op)?.lhs()         reads an op, operands by their names in ODS
//!   arith::addi(builder, a, b).value()     makes one
//!   llvm::load(builder, pointer, r#type).alignment(16).invariant(true).value()
//! ```
//!
//! A function that makes an op takes what the op must have: operands, then attributes, each in the order of ODS, then types
//! of results, where neither ODS nor MLIR can tell them, then regions. What may be left out is set on the [`Draft`]. Sizes of
//! operand groups are the draft's business. Ops with successors, of which the passes make none, have a handle alone.
//!
//! | module | subject |
//! | --- | --- |
//! | [`arith`], [`gpu`], [`nvvm`], … | the dialects |
//! | [`llvm_type`] | types of LLVM |
//! | [`constant`] | numbers as attributes, and layouts of memrefs |
//! | [`interface`] | attributes that ops of many kinds have under one name |
//! | [`intrinsic`] | LLVM's intrinsics without an op |
//!
//! # Why not melior's `ods`
//!
//! Its wrappers own their op, so that they cannot read one in a block; their names are no constants; each accessor formats
//! the op into an error for what is not there, which verifies the whole module; and their builders take enums as
//! attributes, whose text has to be written somewhere. melior's references, blocks and types are what this crate is made of.

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
