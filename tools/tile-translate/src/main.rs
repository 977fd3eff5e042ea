//! Translates MLIR files with tile copies to PTX.

fn main() {
    std::process::exit(tile_passes::tools::translate(std::env::args_os()));
}
