//! Prints PTX for MLIR files with tile copies.

fn main() {
    std::process::exit(tile_passes::tools::translate(std::env::args_os()));
}
