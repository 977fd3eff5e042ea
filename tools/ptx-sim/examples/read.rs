//! Reads PTX files and says of each whether the simulator can run it, or the first thing that it does not know.
//!
//! ```text
//! cargo run --release -p ptx-sim --example read -- *.ptx
//! ```

use std::process::ExitCode;

use ptx_sim::Module;

fn main() -> ExitCode {
    let mut refused = 0;
    for path in std::env::args().skip(1) {
        let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        match read.and_then(|text| Module::parse(&text).map_err(|error| error.to_string())) {
            Ok(module) => {
                println!("{path}: {}, kernels {}", module.target(), module.kernels().collect::<Vec<_>>().join(", "))
            }
            Err(error) => {
                refused += 1;
                println!("{path}: {error}");
            }
        }
    }
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
