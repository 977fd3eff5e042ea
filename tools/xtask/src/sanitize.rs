//! Memory, undefined behaviour and threads: attacks on what no ordinary test sees.
//!
//! | | sees | costs |
//! | --- | --- | --- |
//! | `address` | accesses of our own Rust and C++, undefined behaviour of our C++ | a build of its own, then twice the time of lit |
//! | `memcheck` | every access to the heap, those of libMLIR and libLLVM among them | 10 seconds for each run of a tool: hours for all |
//! | `threads` | pipelines on hundreds of functions and kernels concurrently: the same bytes each time | minutes |

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::setup::Toolchain;
use crate::workspace::{self, Profile};
use crate::{build, lit, process};

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// valgrind's memcheck instead of the address sanitizer.
    #[arg(long)]
    valgrind: bool,
    /// Files or folders for lit; everything, and threaded pipelines, when none is given.
    paths: Vec<PathBuf>,
}

/// Runs lit under a checker, then threads. Memcheck uses the tools that are built for users.
///
/// # Errors
/// When something is found or cannot run.
pub fn run(toolchain: &Toolchain, options: &Options) -> Result<()> {
    if options.valgrind {
        build::tools(toolchain, Profile::Release)?;
        memcheck(toolchain, &options.paths)?;
    } else {
        address(toolchain, &options.paths)?;
    }
    if options.paths.is_empty() { threads(toolchain) } else { Ok(()) }
}

/// Passes on 400 functions and 400 kernels concurrently, 50 times: the same bytes.
fn threads(toolchain: &Toolchain) -> Result<()> {
    let mut tests = toolchain.cargo();
    tests.args(["test", "--release", "-p", "tile-passes", "--test", "threads", "--", "--ignored"]);
    process::run(&mut tests)
}

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

/// The tools with the address sanitizer in all Rust and C++ of ours, and checks for undefined behaviour in the C++.
///
/// rustc's own runtime is linked; libMLIR and libLLVM allocate through it, but their accesses are not checked.
///
/// Builds the tools so, runs lit on files or folders ([`folders`] when none is given), and reports what the sanitizer wrote.
///
/// # Errors
/// When a tool cannot be built, a test fails, or the sanitizer has found something.
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

/// The lit tests' tools under valgrind's memcheck.
///
/// Memcheck sees every access to the heap, also those of libMLIR and libLLVM, which a sanitizer that the compiler puts into
/// our own code does not. A run of a tool takes some 10 seconds of it, the whole of test/ hours of one core.
///
/// An error when memcheck has something to say of a tool, or a test fails.
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

/// A shell script that runs a tool and the tools that it starts, and leaves a log where there is something in it.
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
