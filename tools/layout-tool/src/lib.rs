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
//! | [`plan`] | how the compiler does a copy, and why not otherwise |
//! | [`error`] | what is refused, with a caret below the place |

pub mod algebra;
pub mod banks;
mod commands;
pub mod compare;
pub mod copy;
pub mod described;
mod document;
pub mod error;
pub mod modes;
pub mod notation;
mod options;
pub mod picture;
pub mod plan;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use options::Options;

// The example of the page that describes the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// What the tool says to a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A picture, a layout, or why there is none; for programs as JSON, if they ask for it.
    pub text: String,
    /// 0 done (`compare`: equal), 1 not equal, 2 refused.
    pub status: u8,
}

/// The whole program, with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(status(std::env::args_os()))
}

/// Prints the answer to some arguments, whose first is the program's name; the exit status. Where they only ask for help, or cannot
/// be read, the process ends.
pub fn status(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let Answer { text, status } = answered(&Options::parse_from(arguments));
    if status == REFUSED {
        tile_cli::complain(&text);
    } else {
        print!("{text}");
    }
    status
}

/// What the program would print for some arguments, of which the first is its name.
///
/// ```
/// let answer = layout_tool::answer(["tile-layout", "compose", "(6,2):(8,2)", "(4,3):(3,1)"]);
/// assert_eq!((answer.text.as_str(), answer.status), ("((2,2),3):((24,2),8)\n", 0));
/// ```
pub fn answer<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Answer {
    match Options::try_parse_from(arguments) {
        Ok(options) => answered(&options),
        Err(error) => Answer { text: error.render().to_string(), status: if error.use_stderr() { REFUSED } else { 0 } },
    }
}

/// The exit status where there is no answer.
const REFUSED: u8 = 2;

fn answered(options: &Options) -> Answer {
    commands::run(options).unwrap_or_else(|error| Answer { text: format!("error: {error}\n"), status: REFUSED })
}
