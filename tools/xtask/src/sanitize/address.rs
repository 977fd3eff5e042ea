//! The tools with the address sanitizer in all Rust and C++ of ours, and checks for undefined behaviour in the C++.
//!
//! rustc's own runtime is linked; libMLIR and libLLVM allocate through it, but their accesses are not checked.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::setup::Toolchain;
use crate::workspace::Profile;
use crate::{build, lit, process, workspace};

/// With a target of its own, cargo leaves build scripts and macros alone.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What lit runs.
const TOOLS: [&str; 7] =
    ["tile-opt", "tile-translate", "tile-run", "tile-bench", "tile-conformance", "tile-programs", "tile-lsp-server"];

/// Loaded by processes that have no runtime of the sanitizer: those built for users are taken.
const LIBRARIES: [&str; 2] = ["libtile_plugin.so", "libtile_runtime.so"];

/// LLVM's allocators poison what they have not given out, in headers that our C++ is compiled with; libMLIR, which shares the
/// allocators of a context and is not sanitized, never lifts that.
const OPTIONS: &str = "detect_leaks=0:detect_odr_violation=0:allow_user_poisoning=0";

/// Builds the tools so, runs lit on files or folders ([`folders`] when none is given), and reports what the sanitizer wrote.
///
/// # Errors
/// When a tool cannot be built, a test fails, or the sanitizer has found something.
pub fn run(toolchain: &Toolchain, paths: &[PathBuf]) -> Result<()> {
    let target = workspace::target().join("sanitize");
    let bin = target.join(TARGET).join("release");
    build(toolchain, &target)?;
    link_libraries(toolchain, &bin)?;
    let logs = target.join("logs");
    let _ = fs::remove_dir_all(&logs);
    fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", logs.display()))?;
    let options = format!("{OPTIONS}:log_path={}", logs.join("asan").display());
    let parameters = [("tile_bin", bin), ("exec_root", target.join("test")), ("asan_options", options.into())];
    let everything = if paths.is_empty() { folders()? } else { paths.to_vec() };
    let passed = lit::run_with(toolchain, &everything, &parameters);
    let mut reports = Vec::new();
    for entry in fs::read_dir(&logs)? {
        reports.push(fs::read_to_string(entry?.path())?);
    }
    if !reports.is_empty() {
        bail!("the address sanitizer reports {} runs:\n{}", reports.len(), reports.join("\n"));
    }
    passed
}

/// The build scripts see that Rust is sanitized, and compile the C++ likewise.
///
/// A stable rustc takes `-Z` flags only with `RUSTC_BOOTSTRAP`; the runtime that it ships is the same.
fn build(toolchain: &Toolchain, target: &Path) -> Result<()> {
    let mut cargo = toolchain.cargo();
    cargo.args(["build", "--quiet", "--release", "--target", TARGET]);
    cargo.args(TOOLS.iter().flat_map(|tool| ["-p", tool]));
    cargo.env("CARGO_TARGET_DIR", target).env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
    process::run(&mut cargo)
}

/// Puts [`LIBRARIES`] where lit looks for them, beside the sanitized tools.
fn link_libraries(toolchain: &Toolchain, bin: &Path) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    for name in LIBRARIES {
        let link = bin.join(name);
        let _ = fs::remove_file(&link);
        symlink(build::tool(name), &link).with_context(|| format!("cannot link {}", link.display()))?;
    }
    Ok(())
}

/// The folders of test/ whose tests run our tools: not those for the plugin and for programs that embed the library.
fn folders() -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(workspace::root().join("test"))? {
        let path = entry?.path();
        if path.is_dir() && !["Embed", "Plugin", "tools"].iter().any(|name| path.ends_with(name)) {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}
