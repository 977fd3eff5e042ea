//! Language server for MLIR files with tile copies.

fn main() {
    std::process::exit(tile_passes::tools::lsp_server(std::env::args_os()));
}
