//! Finds libTile, or builds it from the checkout that this crate is in, with the LLVM that it finds.
//!
//! The crates that bind LLVM read its location from the environment, and a build script cannot set the environment of
//! another crate. So this script sets the environment of a separate cargo process, which builds the compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The prefix of Debian's packages.
const DEBIAN: &str = "/usr/lib/llvm-22";

const VARIABLES: [&str; 3] = ["TILE_PREFIX", "TILE_TARGET_DIR", "MLIR_SYS_220_PREFIX"];

fn main() {
    for variable in VARIABLES {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    match find() {
        Ok(library) => println!("cargo::rustc-env=TILE_LIBRARY={}", library.display()),
        Err(reason) => println!("cargo::error={reason}"),
    }
}

/// The path of libTile.
fn find() -> Result<PathBuf, String> {
    if let Some(prefix) = env::var_os("TILE_PREFIX").map(PathBuf::from) {
        let library = prefix.join("lib/libTile.so");
        let missing = || {
            format!(
                "TILE_PREFIX is {}, which has no lib/libTile.so, expected what cargo xtask install made",
                prefix.display()
            )
        };
        return if library.exists() { Ok(library) } else { Err(missing()) };
    }
    let llvm = llvm()?;
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo did not say where this crate is")?);
    let checkout = here.ancestors().nth(2).unwrap_or(&here);
    if !checkout.join("tools/xtask").exists() {
        return Err(format!(
            "{} is no checkout of the tile compiler, expected one around this crate: depend on it by path or git, or set \
             TILE_PREFIX to what cargo xtask install made",
            checkout.display()
        ));
    }
    for folder in ["dialects", "passes", "bindings/c", "cmake", "tools/xtask/src/install"] {
        println!("cargo::rerun-if-changed={}", checkout.join(folder).display());
    }
    build(checkout, &llvm)
}

/// The LLVM installation.
fn llvm() -> Result<PathBuf, String> {
    let named = env::var_os("MLIR_SYS_220_PREFIX").map(PathBuf::from);
    let prefix = named.clone().unwrap_or_else(|| DEBIAN.into());
    let header = fs::read_to_string(prefix.join("include/llvm/Config/llvm-config.h")).unwrap_or_default();
    let complete =
        ["bin/mlir-tblgen", "lib/libMLIR.so", "lib/libMLIRCAPIIR.a"].iter().all(|file| prefix.join(file).exists());
    if complete && header.contains("#define LLVM_VERSION_MAJOR 22") {
        return Ok(prefix);
    }
    let advice = "install it (Debian: llvm-22-dev libmlir-22-dev mlir-22-tools clang-22 libclang-22-dev libpolly-22-dev), \
                  or set MLIR_SYS_220_PREFIX to the prefix of yours, or TILE_PREFIX to what cargo xtask install made";
    let who = if named.is_some() { "MLIR_SYS_220_PREFIX is" } else { "found nothing in" };
    Err(format!("{who} {}, expected an LLVM 22 with MLIR: {advice}", prefix.display()))
}

/// Builds the library in the checkout's own target folder, or next to this crate's output if cargo fetched the checkout.
fn build(checkout: &Path, llvm: &Path) -> Result<PathBuf, String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not say where to write")?);
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let fetched = home.is_some_and(|home| checkout.starts_with(home))
        || checkout.components().any(|part| part.as_os_str() == ".cargo");
    let usual = if fetched { out.join("target") } else { checkout.join("target") };
    let target = env::var_os("TILE_TARGET_DIR").map_or(usual, PathBuf::from);

    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["xtask", "install"]).current_dir(checkout);
    // The inner cargo must not see the variables of the outer one for this build.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let kept = ["CARGO_HOME", "CARGO_NET_OFFLINE"].contains(&text.as_ref());
        let of_build = ["CARGO_", "DEP_", "RUSTC", "RUSTDOC", "RUSTFLAGS", "MAKEFLAGS"]
            .iter()
            .any(|prefix| text.starts_with(prefix));
        let single = ["TARGET", "HOST", "OUT_DIR", "NUM_JOBS", "OPT_LEVEL", "PROFILE", "DEBUG", "LD_LIBRARY_PATH"]
            .contains(&text.as_ref());
        if (of_build && !kept) || single {
            cargo.env_remove(&name);
        }
    }
    cargo.env("MLIR_SYS_220_PREFIX", llvm);
    if target != checkout.join("target") {
        cargo.env("CARGO_TARGET_DIR", &target);
    }
    let output = cargo.output().map_err(|error| format!("cannot start cargo to build the compiler: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        return Err(format!("`cargo xtask install` in {} failed: {}", checkout.display(), last.join("; ")));
    }
    Ok(target.join("tile/lib/libTile.so"))
}
