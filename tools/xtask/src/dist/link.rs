//! Links libTile.so with LLVM inside, and the tools that call it.
//!
//! Zig's driver links against the symbols of an old glibc on any machine. The static libraries of LLVM and of GCC were built for a newer
//! one, whose functions `compat.c` has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::python::{Glibc, Tools};
use crate::process;
use crate::setup::Toolchain;
use crate::workspace::{self, Profile};

/// Functions of MLIR that are exported and that nothing in the library calls.
const KEPT: [&str; 3] = [
    "mlirLocationIsAFileLineColRange",
    "mlirLocationFileLineColRangeGetStartLine",
    "mlirLocationFileLineColRangeGetStartColumn",
];

/// Libraries of GCC and of the system that are linked in.
const SYSTEM: [&str; 6] = ["libstdc++.a", "libgcc_eh.a", "libgcc.a", "libz.a", "libzstd.a", "libffi.a"];

/// Links the library into `bundle`; the static libraries that are in it.
pub fn library(toolchain: &Toolchain, tools: &Tools, bundle: &Path) -> Result<Vec<PathBuf>> {
    let sources = workspace::root().join("tools/xtask/dist");
    let lib = bundle.join("lib");
    fs::create_dir_all(&lib)?;
    let compat = lib.join("compat.o");
    let mut cc = process::command("cc");
    process::output(cc.args(["-O2", "-fPIC", "-c"]).arg(sources.join("compat.c")).arg("-o").arg(&compat))?;

    let mut archives = llvm(&toolchain.prefix.join("lib"))?;
    archives.extend(SYSTEM.iter().map(|name| system(name)).collect::<Result<Vec<_>>>()?);
    let output = lib.join("libTile.so");
    let mut link = tools.compiler(Glibc::Tools);
    link.args(["-shared", "-O2", "-Wl,--gc-sections", "-Wl,-soname,libTile.so", "-Wl,-z,defs"]);
    link.arg(format!("-Wl,--version-script={}", sources.join("libTile.map").display()));
    link.args(KEPT.map(|name| format!("-Wl,-u,{name}")));
    link.arg("-Wl,--whole-archive").arg(workspace::bin(Profile::Release).join("libtile_capi.a"));
    link.arg("-Wl,--no-whole-archive").arg(&compat).arg("-Wl,--start-group").args(&archives).arg("-Wl,--end-group");
    link.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&output);
    process::output(&mut link)?;
    process::output(process::command(toolchain.llvm_tool("llvm-strip")).arg(&output))?;
    fs::remove_file(&compat)?;
    Ok(archives)
}

/// Compiles the launcher once for each tool, into `bin`.
pub fn launchers(tools: &Tools, bundle: &Path, names: &[&str]) -> Result<()> {
    let mut link = tools.compiler(Glibc::Tools);
    link.arg("-L").arg(bundle.join("lib")).args(["-lTile", "-Wl,-rpath,$ORIGIN/../lib"]);
    programs(link, "launch.c", &bundle.join("bin"), names)
}

/// Compiles the commands of the wheel, which find the launchers.
pub fn commands(tools: &Tools, folder: &Path, names: &[&str]) -> Result<()> {
    programs(tools.compiler(Glibc::Oldest), "command.c", folder, names)
}

/// Compiles a program that has each of these names.
fn programs(mut link: Command, source: &str, folder: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(folder)?;
    let first = folder.join(names[0]);
    let source = workspace::root().join("tools/xtask/dist").join(source);
    process::output(link.args(["-O2", "-s", "-x", "c"]).arg(source).args(["-x", "none", "-o"]).arg(&first))?;
    for name in &names[1..] {
        fs::copy(&first, folder.join(name))?;
    }
    Ok(())
}

/// LLVM's and MLIR's static libraries.
fn llvm(lib: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(lib).with_context(|| format!("cannot read {}", lib.display()))?;
    let is_part = |name: &str| (name.starts_with("libMLIR") || name.starts_with("libLLVM")) && name.ends_with(".a");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut archives: Vec<PathBuf> =
        paths.filter(|path| path.file_name().is_some_and(|name| is_part(&name.to_string_lossy()))).collect();
    if archives.is_empty() {
        bail!("{} has no static libraries of LLVM, expected libMLIR*.a and libLLVM*.a", lib.display());
    }
    archives.sort();
    Ok(archives)
}

/// A static library that the C++ compiler finds.
fn system(name: &str) -> Result<PathBuf> {
    let path = process::stdout(process::command("g++").arg(format!("-print-file-name={name}")))?;
    let path = PathBuf::from(path.trim());
    if !path.is_absolute() {
        bail!("g++ finds no {name}: install the package that has it (Debian: zlib1g-dev, libzstd-dev, libffi-dev)");
    }
    fs::canonicalize(&path).with_context(|| format!("cannot find {}", path.display()))
}
