//! Checks of memory, undefined behaviour and threads that find what ordinary tests do not.
//!
//! | check | finds errors in | cost |
//! | --- | --- | --- |
//! | `address` | accesses of our own Rust and C++, undefined behaviour of our C++ | a separate build, then twice the
//! time of lit |
//! | `memcheck` | every access to the heap, including those of libMLIR and libLLVM | 10 seconds for each run of a tool:
//! hours for all |
//! | `threads` | pipelines that run on hundreds of functions and kernels concurrently, and must print the same bytes
//! each time | minutes |

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::setup::Toolchain;
use crate::workspace::{self, Profile};
use crate::{build, lit, process};

/// Options of the checks.
#[derive(clap::Args)]
pub struct SanitizeOptions {
    /// Use valgrind's memcheck instead of the address sanitizer.
    #[arg(long)]
    valgrind: bool,
    /// Files or folders for lit [default: everything, and threaded pipelines].
    paths: Vec<PathBuf>,
}

/// Runs lit under a checker, then the check of threads. Memcheck uses the tools that are built for users.
///
/// # Errors
/// If something is found or cannot run.
pub fn run(toolchain: &Toolchain, options: &SanitizeOptions) -> Result<()> {
    if options.valgrind {
        build::tools(toolchain, Profile::Release)?;
        memcheck(toolchain, &options.paths)?;
    } else {
        address(toolchain, &options.paths)?;
    }
    if options.paths.is_empty() { threads(toolchain) } else { Ok(()) }
}

/// Runs passes on 400 functions and 400 kernels concurrently, 50 times; the output must be the same each time.
fn threads(toolchain: &Toolchain) -> Result<()> {
    let mut tests = toolchain.cargo();
    tests.args(["test", "--release", "-p", "tile-passes", "--test", "threads", "--", "--ignored"]);
    process::run(&mut tests)
}

/// The target triple; with an explicit target, cargo does not sanitize build scripts and macros.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The tools that lit runs.
const TOOLS: [&str; 8] = [
    "tile-opt",
    "tile-translate",
    "tile-run",
    "tile-bench",
    "tile-conformance",
    "tile-programs",
    "tile-tune",
    "tile-lsp-server",
];

/// Libraries that are loaded by processes without the sanitizer's runtime, so those that are built for users are used.
const LIBRARIES: [&str; 2] = ["libtile_plugin.so", "libtile_runtime.so"];

/// The sanitizer's options. In headers that our C++ includes, LLVM's allocators poison memory that they have not handed
/// out; libMLIR, which shares a context's allocators but is not sanitized, never unpoisons it.
const OPTIONS: &str = "detect_leaks=0:detect_odr_violation=0:allow_user_poisoning=0";

/// Checks the tools with the address sanitizer in all of our Rust and C++, and for undefined behaviour in the C++.
///
/// rustc's sanitizer runtime is linked; libMLIR and libLLVM allocate through it, but their accesses are not checked.
///
/// Builds the sanitized tools, runs lit on files or folders ([`folders`] if none is given), and reports the sanitizer's
/// output.
///
/// # Errors
/// If a tool cannot be built, a test fails, or the sanitizer has found something.
fn address(toolchain: &Toolchain, paths: &[PathBuf]) -> Result<()> {
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

/// Builds the sanitized tools. The build scripts see that Rust is sanitized, and compile the C++ likewise.
///
/// A stable rustc accepts `-Z` flags only with `RUSTC_BOOTSTRAP`; it ships the same runtime.
fn build(toolchain: &Toolchain, target: &Path) -> Result<()> {
    let mut cargo = toolchain.cargo();
    cargo.args(["build", "--quiet", "--release", "--target", TARGET]);
    cargo.args(TOOLS.iter().flat_map(|tool| ["-p", tool]));
    cargo.env("CARGO_TARGET_DIR", target).env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
    process::run(&mut cargo)
}

/// Links [`LIBRARIES`] into the folder of the sanitized tools, where lit looks for them.
fn link_libraries(toolchain: &Toolchain, bin: &Path) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    for name in LIBRARIES {
        let link = bin.join(name);
        let _ = fs::remove_file(&link);
        symlink(build::tool(name), &link).with_context(|| format!("cannot link {}", link.display()))?;
    }
    Ok(())
}

/// The folders of test/ whose tests run our tools, without those for the plugin and for programs that embed the
/// library.
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

/// Runs the lit tests' tools under valgrind's memcheck.
///
/// Memcheck sees every access to the heap, including those of libMLIR and libLLVM, whereas a sanitizer sees only code
/// that is compiled with it. A run of a tool takes about 10 seconds, and all of test/ hours of one core.
///
/// Fails if memcheck reports something about a tool, or a test fails.
fn memcheck(toolchain: &Toolchain, paths: &[PathBuf]) -> Result<()> {
    let Some(valgrind) = process::which("valgrind") else { bail!("valgrind is not on PATH; install the package") };
    let logs = workspace::target().join("valgrind");
    let _ = fs::remove_dir_all(&logs);
    fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", logs.display()))?;
    let wrapper = logs.join("run.sh");
    fs::write(&wrapper, script(&valgrind, &logs))?;
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755))?;
    let passed = lit::run_with(toolchain, paths, &[("wrapper", wrapper)]);
    let mut reports = Vec::new();
    for entry in fs::read_dir(&logs)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "log") {
            reports.push(format!("{}\n{}", path.display(), fs::read_to_string(&path)?));
        }
    }
    if !reports.is_empty() {
        bail!("valgrind reports {} runs:\n{}", reports.len(), reports.join("\n"));
    }
    passed
}

/// A shell script that runs a tool, and the tools that it starts, under memcheck, and keeps non-empty logs.
fn script(valgrind: &Path, logs: &Path) -> String {
    format!(
        r#"#!/bin/sh
log="{logs}/$$"
"{valgrind}" --quiet --vgdb=no --trace-children=yes --log-file="$log.%p" "$@"
status=$?
for part in "$log".*; do
  if [ -s "$part" ]; then echo "in: $*" >> "$part" && mv "$part" "$part.log"; else rm -f "$part"; fi
done
exit $status
"#,
        logs = logs.display(),
        valgrind = valgrind.display(),
    )
}
