//! Repeats recorded launches, and compares what they leave with what the simulator left.

use std::process::ExitCode;

fn main() -> ExitCode {
    tile_run::replay::main()
}
