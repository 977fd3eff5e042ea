//! The tool `tile-layout`: pictures of layouts, of their banks and of copies; CuTe's algebra; CuTe's and Triton's notations.
//!
//! | module | subject |
//! | --- | --- |
//! | [`notation`] | reading a layout in any of the notations, and writing it |
//! | [`described`] | a layout with the shape of its tile |
//! | [`modes`], [`algebra`] | a layout as CuTe's modes; compose, complement, divide, inverse |
//! | [`compare`](mod@compare) | whether two layouts hold the same elements at the same places |
//! | [`picture`] | tables of what holds each element, as text, SVG and HTML |
//! | [`banks`] | which lanes access which banks, and the wavefronts |
//! | [`copy`] | the two sides of a copy |
//! | [`error`] | what is refused, with a caret below the place |

pub mod algebra;
pub mod banks;
mod commands;
pub mod compare;
pub mod copy;
pub mod described;
pub mod error;
pub mod modes;
pub mod notation;
mod options;
pub mod picture;

use std::process::ExitCode;

use clap::Parser;

/// The whole program. Exit status: 0 done (`compare`: equal), 1 not equal, 2 refused.
pub fn main() -> ExitCode {
    match commands::run(&options::Options::parse()) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
