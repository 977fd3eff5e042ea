//! Generates the dialect's C++ from `td/`, compiles it, and makes MLIR's C API linkable.
//!
//! A shared libMLIR does not contain the C API, which exists only as static `libMLIRCAPI*.a`. A linker script
//! named `libMLIR-C.so` that groups these lets every crate link the one shared MLIR.

mod compiler;
mod cpp;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use cpp::Cpp;

/// The file with all definitions.
const ALL: &str = "Tile.td";

/// The files with the interfaces: mlir-tblgen writes those of the file that it is given.
const ACCESS_INTERFACE: &str = "TileAccessInterface.td";
const COPY_INTERFACE: &str = "TileCopyInterface.td";
const SCHEDULE_INTERFACE: &str = "TileScheduleInterface.td";

const GENERATED: [(&str, &str, &str); 16] = [
    ("-gen-op-interface-decls", ACCESS_INTERFACE, "TileAccessInterface.h.inc"),
    ("-gen-op-interface-defs", ACCESS_INTERFACE, "TileAccessInterface.cpp.inc"),
    ("-gen-op-interface-decls", COPY_INTERFACE, "TileCopyInterface.h.inc"),
    ("-gen-op-interface-defs", COPY_INTERFACE, "TileCopyInterface.cpp.inc"),
    ("-gen-attr-interface-decls", SCHEDULE_INTERFACE, "TileScheduleInterface.h.inc"),
    ("-gen-attr-interface-defs", SCHEDULE_INTERFACE, "TileScheduleInterface.cpp.inc"),
    ("-gen-dialect-decls", ALL, "TileDialect.h.inc"),
    ("-gen-dialect-defs", ALL, "TileDialect.cpp.inc"),
    ("-gen-enum-decls", ALL, "TileEnums.h.inc"),
    ("-gen-enum-defs", ALL, "TileEnums.cpp.inc"),
    ("-gen-attrdef-decls", ALL, "TileAttrs.h.inc"),
    ("-gen-attrdef-defs", ALL, "TileAttrs.cpp.inc"),
    ("-gen-typedef-decls", ALL, "TileTypes.h.inc"),
    ("-gen-typedef-defs", ALL, "TileTypes.cpp.inc"),
    ("-gen-op-decls", ALL, "TileOps.h.inc"),
    ("-gen-op-defs", ALL, "TileOps.cpp.inc"),
];

fn main() {
    let prefix = PathBuf::from(variable("MLIR_SYS_220_PREFIX"));
    let out = PathBuf::from(variable("OUT_DIR"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    generate(&prefix, &root.join("td"), &out.join("tile"));
    let compiler = match compiler::choose(&prefix) {
        Ok(compiler) => compiler,
        Err(reason) => {
            println!("cargo::error={reason}");
            return;
        }
    };
    compile(compiler.as_deref(), &prefix, &root, &out);
    // The passes' C++ is compiled by the same compiler.
    println!("cargo:compiler={}", compiler.unwrap_or_default());
    write_c_api_script(&prefix, &out);
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}/lib", prefix.display());
    println!("cargo:include={}", root.join("include").display());
    println!("cargo:cpp={}", root.join("cpp").display());
    println!("cargo:generated={}", out.display());
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-changed=include");
    println!("cargo:rerun-if-changed=td");
    println!("cargo:rerun-if-changed=build");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set; `cargo xtask setup` finds LLVM and says how"))
}

fn generate(prefix: &Path, td: &Path, out: &Path) {
    fs::create_dir_all(out).expect("OUT_DIR can be written");
    for (generator, source, file) in GENERATED {
        let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
        command.arg(generator).arg(td.join(source)).arg("-I").arg(td).arg("-I").arg(prefix.join("include"));
        command.arg("-o").arg(out.join(file));
        let status = command.status().unwrap_or_else(|error| panic!("cannot run mlir-tblgen: {error}"));
        assert!(status.success(), "mlir-tblgen {generator} failed");
    }
}

fn compile(compiler: Option<&str>, prefix: &Path, root: &Path, out: &Path) {
    let folder = root.join("cpp");
    let mut cpp = Cpp::new(prefix, compiler);
    cpp.include(&folder).include(root.join("include")).include(out).compile(&folder, "tile_dialect_cpp");
}

fn write_c_api_script(prefix: &Path, out: &Path) {
    let folder = fs::read_dir(prefix.join("lib")).expect("the LLVM prefix has a lib folder");
    let mut names: Vec<String> = folder
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("libMLIRCAPI") && name.ends_with(".a") && !name.contains("ExecutionEngine"))
        .map(|name| format!("-l:{name}"))
        .collect();
    names.sort();
    fs::write(out.join("libMLIR-C.so"), format!("GROUP ( {} )\n", names.join(" "))).expect("OUT_DIR can be written");
}
