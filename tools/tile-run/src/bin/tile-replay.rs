//! Repeats recorded launches, and compares the memory that they leave with that of the simulator.

use std::process::ExitCode;

fn main() -> ExitCode {
    tile_run::replay::main()
}
