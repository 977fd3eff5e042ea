//! Runs the passes of the tile compiler on MLIR files.

fn main() {
    std::process::exit(tile_passes::tools::opt(std::env::args_os()));
}
