//! Gathers the generated headers of the dialect and the passes in one folder next to the library, for
//! `cargo xtask install`.

#[path = "../../dialects/tile/build/cpp.rs"]
mod cpp;

use std::path::{Path, PathBuf};
use std::{env, fs};

use cpp::Cpp;

fn main() {
    let out = PathBuf::from(variable("OUT_DIR"));
    // target/release/build/tile-capi-…/out
    let profile = out.ancestors().nth(3).expect("cargo's OUT_DIR is three folders below the profile's");
    let headers = profile.join("tile-include/tile");
    let _ = fs::remove_dir_all(&headers);
    fs::create_dir_all(&headers).expect("the target folder can be written");
    for name in ["DEP_TILE_DIALECT_GENERATED", "DEP_TILE_PASSES_GENERATED"] {
        copy(&PathBuf::from(variable(name)).join("tile"), &headers);
    }
    compile(&variable("DEP_TILE_DIALECT_COMPILER"), &profile.join("tile-include/family"));
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}/lib", variable("MLIR_SYS_220_PREFIX"));
    for path in ["build.rs", "cpp", "include"] {
        println!("cargo:rerun-if-changed={path}");
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set, though a dependency's build script writes it"))
}

fn compile(compiler: &str, family: &Path) {
    let prefix = PathBuf::from(variable("MLIR_SYS_220_PREFIX"));
    // The compiler that the dialect's build script chose; empty for the default one.
    let mut cpp = Cpp::new(&prefix, Some(compiler).filter(|compiler| !compiler.is_empty()));
    let compiler = cpp.include("include").compile(Path::new("cpp"), "tile_capi_cpp");
    fs::write(family, if compiler.is_like_clang() { "Clang" } else { "GNU" })
        .expect("the target folder can be written");
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the build script has written headers").filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().ends_with(".h.inc") {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("the target folder can be written");
        }
    }
}
