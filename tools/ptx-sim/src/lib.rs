//! Executes PTX on a CPU, under checkers that a GPU does not have.
#![allow(dead_code, unused_imports)]

mod float;
mod parse;

pub use parse::{ParseError, Position};
