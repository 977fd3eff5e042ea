//! Executes PTX on a CPU, under checkers that a GPU does not have.
#![allow(dead_code, unused_imports)]

mod check;
mod code;
mod decode;
mod exec;
mod float;
mod memory;
mod parse;

pub use memory::{Memory, MemoryError, Pointer};
pub use parse::{ParseError, Position};
/// x
pub fn try_it(s: &str) -> Result<String, ParseError> {
    let p = decode::decode(&parse::parse(s)?)?;
    Ok(format!("{:?}", p.info.len()))
}
