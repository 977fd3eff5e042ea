//! Links LLVM into the program.
//!
//! The program translates one file and ends, in less time than the dynamic linker needs for LLVM's shared libraries. So
//! it is linked with LLVM's static libraries if the installation has them. tile-opt loads plugins, which need the
//! shared ones.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let Some(prefix) = env::var_os("MLIR_SYS_220_PREFIX").map(PathBuf::from) else { return };
    // With sanitizers the process needs a single copy of LLVM, as in the other tools.
    let script = if env::var_os("CARGO_CFG_SANITIZE").is_none() { script(&prefix) } else { None };
    match (script, shared(&prefix)) {
        (Some(script), Some(shared)) => replace(&shared, &script),
        _ => println!("cargo:rustc-link-arg=-Wl,-rpath,{}/lib", prefix.display()),
    }
}

/// A linker script that names all static libraries, of which the linker uses the members that something needs. `None`
/// if the installation has only shared libraries.
fn script(prefix: &Path) -> Option<String> {
    let libraries = prefix.join("lib");
    let mut archives: Vec<PathBuf> = fs::read_dir(&libraries).ok()?.flatten().map(|entry| entry.path()).collect();
    archives.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".a") && (name.starts_with("libMLIR") || name.starts_with("libLLVM"))
    });
    archives.sort();
    let needed = ["libLLVMCore.a", "libLLVMNVPTXCodeGen.a", "libMLIRCAPIIR.a", "libMLIRIR.a"];
    if !needed.iter().all(|name| archives.contains(&libraries.join(name))) {
        return None;
    }
    let archives: Vec<String> = archives.iter().map(|path| format!("\"{}\"", path.display())).collect();
    let system = llvm_config(prefix, &["--link-static", "--system-libs"])?;
    Some(format!("GROUP({})\nINPUT(AS_NEEDED({}))\n", archives.join("\n"), system.trim()))
}

/// The names under which `mlir-sys` links the shared libraries.
fn shared(prefix: &Path) -> Option<Vec<String>> {
    let names = llvm_config(prefix, &["--link-shared", "--libnames"])?;
    let llvm = names.split_whitespace().map(|name| name.strip_prefix("lib")?.strip_suffix(".so").map(str::to_owned));
    ["MLIR", "MLIR-C"].map(|name| Some(name.to_owned())).into_iter().chain(llvm).collect()
}

/// Writes the script, under the names of the shared libraries, into the folder that the linker searches first.
fn replace(shared: &[String], script: &str) {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the folder"));
    for name in shared {
        fs::write(out.join(format!("lib{name}.so")), script).expect("OUT_DIR can be written");
    }
    println!("cargo:rustc-link-search=native={}", out.display());
}

fn llvm_config(prefix: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(prefix.join("bin/llvm-config")).args(arguments).output().ok()?;
    output.status.success().then_some(())?;
    String::from_utf8(output.stdout).ok()
}
