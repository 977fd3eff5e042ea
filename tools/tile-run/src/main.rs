//! Runs one kernel, in the simulator or on a GPU, and checks what it left in memory.

use std::process::ExitCode;

fn main() -> ExitCode {
    tile_run::main()
}
