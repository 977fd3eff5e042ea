//! Memory, undefined behaviour and threads: attacks on what no ordinary test sees.
//!
//! | | sees | costs |
//! | --- | --- | --- |
//! | `address` | accesses of our own Rust and C++, undefined behaviour of our C++ | a build of its own, then twice the time of lit |
//! | `memcheck` | every access to the heap, those of libMLIR and libLLVM among them | 10 seconds for each run of a tool: hours for all |
//! | `threads` | pipelines on hundreds of functions and kernels concurrently: the same bytes each time | minutes |

mod address;
mod memcheck;

use std::path::PathBuf;

use anyhow::Result;

use crate::process;
use crate::setup::Toolchain;

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
        crate::build::tools(toolchain, crate::workspace::Profile::Release)?;
        memcheck::run(toolchain, &options.paths)?;
    } else {
        address::run(toolchain, &options.paths)?;
    }
    if options.paths.is_empty() { threads(toolchain) } else { Ok(()) }
}

/// Passes on 400 functions and 400 kernels concurrently, 50 times: the same bytes.
fn threads(toolchain: &Toolchain) -> Result<()> {
    let mut tests = toolchain.cargo();
    tests.args(["test", "--release", "-p", "tile-passes", "--test", "threads", "--", "--ignored"]);
    process::run(&mut tests)
}
