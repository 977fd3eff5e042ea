//! Generates the passes' declarations from `td/Passes.td` and compiles the C++ around them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let prefix = PathBuf::from(variable("MLIR_SYS_220_PREFIX"));
    let out = PathBuf::from(variable("OUT_DIR"));
    generate(&prefix, &out);
    compile(&prefix, &out);
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}/lib", prefix.display());
    println!("cargo:generated={}", out.display());
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-changed=include");
    println!("cargo:rerun-if-changed=td");
    println!("cargo:rerun-if-changed=build.rs");
}

/// What cargo says of the target, where it says anything.
fn variable_or_none(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set; `cargo xtask setup` finds LLVM and says how"))
}

fn generate(prefix: &Path, out: &Path) {
    let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
    command.args(["-gen-pass-decls", "-name", "Tile", "td/Passes.td", "-I", "td", "-I"]).arg(prefix.join("include"));
    let out = out.join("tile");
    fs::create_dir_all(&out).expect("OUT_DIR can be written");
    command.arg("-o").arg(out.join("TilePasses.h.inc"));
    let status = command.status().unwrap_or_else(|error| panic!("cannot run mlir-tblgen: {error}"));
    assert!(status.success(), "mlir-tblgen -gen-pass-decls failed");
}

fn compile(prefix: &Path, out: &Path) {
    let mut build = cc::Build::new();
    // Glue between Rust and MLIR: -O3 doubles the time of a build.
    build.opt_level(1);
    if variable_or_none("CARGO_CFG_SANITIZE").contains("address") {
        // Undefined behaviour traps, which needs no runtime; `vptr` needs RTTI, which LLVM is built without.
        build
            .flag("-fsanitize=address,undefined")
            .flag("-fno-sanitize=vptr")
            .flag("-fsanitize-undefined-trap-on-error");
    }
    build.cpp(true).std("c++17").flag("-fno-rtti").flag("-fno-exceptions").flag("-Wall").flag("-Wno-unused-parameter");
    build.include("cpp").include("include").include(out);
    // The dialect's choice; empty where it is the usual compiler.
    let compiler = variable("DEP_TILE_DIALECT_COMPILER");
    if !compiler.is_empty() {
        build.compiler(compiler);
    }
    // The dialect's headers, as written and as generated.
    for folder in ["INCLUDE", "GENERATED", "CPP"] {
        build.include(variable(&format!("DEP_TILE_DIALECT_{folder}")));
    }
    // MLIR's own headers do not compile without warnings.
    build.flag("-isystem").flag(prefix.join("include").to_str().expect("the prefix is a Unicode path"));
    let mut sources: Vec<_> = fs::read_dir("cpp")
        .expect("cpp/ is beside this file")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    sources.sort();
    build.files(sources).compile("tile_passes_cpp");
}
