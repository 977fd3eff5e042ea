//! Generates the passes' declarations from `td/Passes.td` and the transform ops, and compiles the C++ around them.

#[path = "../dialects/tile/build/cpp.rs"]
mod cpp;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use cpp::Cpp;

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
    for (generator, file) in [("-gen-op-decls", "TileTransformOps.h.inc"), ("-gen-op-defs", "TileTransformOps.cpp.inc")]
    {
        let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
        command
            .args([generator, "td/TileTransformOps.td", "-I"])
            .arg(prefix.join("include"))
            .arg("-o")
            .arg(out.join(file));
        let status = command.status().unwrap_or_else(|error| panic!("cannot run mlir-tblgen: {error}"));
        assert!(status.success(), "mlir-tblgen {generator} failed");
    }
}

fn compile(prefix: &Path, out: &Path) {
    // The compiler that the dialect's build chose; empty where it is the usual one.
    let compiler = variable("DEP_TILE_DIALECT_COMPILER");
    let mut cpp = Cpp::new(prefix, Some(compiler.as_str()).filter(|compiler| !compiler.is_empty()));
    cpp.include("cpp").include("include").include(out);
    // The dialect's headers, as written and as generated.
    for folder in ["INCLUDE", "GENERATED", "CPP"] {
        cpp.include(variable(&format!("DEP_TILE_DIALECT_{folder}")));
    }
    cpp.compile(Path::new("cpp"), "tile_passes_cpp");
}
