//! Text to syntax tree.
//!
//! [`parse`] reads a whole module; names are resolved later, by `decode`.

pub(crate) mod ast;
mod cursor;
mod error;
mod function;
mod initializer;
mod lexer;
mod module;
mod number;
mod operand;
mod statement;
mod types;
mod variable;

pub(crate) use error::Result;
pub use error::{ParseError, Position};
pub(crate) use module::parse;
pub use types::Space;
pub(crate) use types::{Class, Type};
