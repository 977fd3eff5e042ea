//! Pictures, algebra and notations of layouts.

use std::process::ExitCode;

fn main() -> ExitCode {
    layout_tool::main()
}
