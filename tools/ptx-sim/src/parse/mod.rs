//! Parses text to a syntax tree.
//!
//! [`parse`] reads a whole module; names are resolved later, by `decode`. [`kernels`] reads only declarations. Text that cannot
//! be parsed is a [`ParseError`].

pub(crate) mod ast;
mod cursor;
mod function;
mod initializer;
mod lexer;
mod module;
mod number;
mod operand;
mod statement;
mod types;
mod variable;

use std::fmt;

use thiserror::Error;

use crate::source::SourcePlace;

pub(crate) use module::{kernels, parse};
pub use types::Space;
pub(crate) use types::{Class, Type};

/// A position in a PTX text: line and column, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The error for a text that is not a module that this crate can execute.
///
/// It covers both malformed text and instructions, modifiers or directives that are not modelled: nothing is guessed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{at}: {message}{}{}", .section.map(|section| format!(" (PTX ISA {section})")).unwrap_or_default(),
    .source_place.as_ref().map(|place| format!(", {place}")).unwrap_or_default())]
pub struct ParseError {
    /// The position of the error.
    pub at: Position,
    /// What was found and what was expected.
    pub message: String,
    /// The section of the PTX ISA that describes the instruction.
    pub section: Option<&'static str>,
    /// The source location from which the instruction was generated, if the PTX states it.
    pub source_place: Option<Box<SourcePlace>>,
}

impl ParseError {
    pub(crate) fn new(at: Position, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), section: None, source_place: None }
    }
}

pub(crate) type Result<T> = std::result::Result<T, ParseError>;
