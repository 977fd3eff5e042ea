//! libTile.so: the Rust and C++ code of dialect and passes, and MLIR's C interface, which no shared library of an LLVM
//! installation has. It is linked with libMLIR.so and libLLVM.so, and contains no copy of MLIR.
//!
//! Cargo makes only a static library, because the shared libraries that it makes export only Rust's C functions. But
//! every program that uses the library must use its op classes, and above all their `TypeID`s.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use super::files::{Tree, make_parent};
use crate::process;
use crate::setup::Toolchain;
use crate::workspace;

/// The minor and patch version of the release.
pub fn version() -> (u32, u32) {
    let number = |text: &str| text.parse().unwrap_or(0);
    (number(env!("CARGO_PKG_VERSION_MINOR")), number(env!("CARGO_PKG_VERSION_PATCH")))
}

/// The part of the version that is in the soname.
pub fn soversion() -> String {
    format!("{}.{}", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"))
}

/// Links the library, if its inputs are newer.
pub fn link(toolchain: &Toolchain, built: &Path, tree: &Tree) -> Result<()> {
    let name = format!("libTile.so.{}", soversion());
    let (archive, map) = (built.join("libtile_capi.a"), workspace::root().join("cmake/libTile.map"));
    let output = tree.path(&format!("lib/{name}"));
    if !is_newer(&output, &[&archive, &map])? {
        make_parent(&output)?;
        let lib = toolchain.prefix.join("lib");
        let mut command = toolchain.command(linker(toolchain)?);
        command.args(["-shared", "-Wl,--gc-sections", "-Wl,--no-undefined", "-Wl,-z,defs"]);
        command.arg(format!("-Wl,-soname,{name}")).arg(format!("-Wl,--version-script={}", map.display()));
        command.arg(format!("-Wl,-rpath,{}", lib.display())).arg("-o").arg(&output);
        command.arg("-Wl,--whole-archive").arg(&archive).args(c_interface(&lib)?).arg("-Wl,--no-whole-archive");
        command.arg("-L").arg(&lib).args(["-lMLIR", "-lLLVM", "-lpthread", "-ldl", "-lm"]);
        process::output(&mut command)?;
    }
    tree.link(&name, "lib/libTile.so")
}

/// The archives of MLIR's C interface, except that of the execution engine, which needs more than libMLIR has.
fn c_interface(lib: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(lib).with_context(|| format!("cannot read {}", lib.display()))?;
    let is_part =
        |name: &str| name.starts_with("libMLIRCAPI") && name.ends_with(".a") && !name.contains("ExecutionEngine");
    let mut parts: Vec<_> = entries
        .flatten()
        .filter(|entry| is_part(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    parts.sort();
    Ok(parts)
}

/// A compiler driver that links C++.
fn linker(toolchain: &Toolchain) -> Result<PathBuf> {
    let clang = toolchain.llvm_tool("clang++");
    let named = std::env::var_os("CXX").map(PathBuf::from);
    let usual = ["clang++-22", "c++", "g++"].into_iter().find_map(process::which);
    match named.or_else(|| clang.exists().then_some(clang)).or(usual) {
        Some(compiler) => Ok(compiler),
        None => bail!("no C++ compiler to link libTile.so with: install one (Debian: clang-22) or set CXX"),
    }
}

fn is_newer(output: &Path, inputs: &[&Path]) -> Result<bool> {
    let time = |path: &Path| -> Result<SystemTime> {
        Ok(fs::metadata(path).with_context(|| format!("cannot find {}", path.display()))?.modified()?)
    };
    let Ok(made) = time(output) else { return Ok(false) };
    for input in inputs {
        if time(input)? > made {
            return Ok(false);
        }
    }
    Ok(true)
}
