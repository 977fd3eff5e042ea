#![doc = include_str!("layout-text.md")]
//!
//! Reading checks the grammar only; [`Layout::validate`](crate::Layout::validate) checks the numbers. An extent `?` is
//! [`OPEN`](crate::OPEN).

mod lexer;
mod parse;
mod print;
mod tuple;

pub use lexer::behind_blanks;
