//! Runs LLVM's lit over test/. Settings of the tests are passed as parameters to test/lit.cfg.py.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::setup::{Toolchain, cuda, numpy};
use crate::workspace::{self, Profile};
use crate::{install, process, web};

/// Runs lit on files or folders, or on all of test/ if none is given. The tools must be built.
pub fn run(toolchain: &Toolchain, paths: &[PathBuf]) -> Result<()> {
    run_with(toolchain, paths, &[])
}

/// The same with more parameters of test/lit.cfg.py.
pub fn run_with(toolchain: &Toolchain, paths: &[PathBuf], more: &[(&'static str, PathBuf)]) -> Result<()> {
    let mut lit = toolchain.command(toolchain.llvm_tool("lit"));
    // Only failures are printed, each with its commands and their output.
    lit.args(["--print-result-after=failed", "--test-output=failed"]);
    for (name, value) in parameters(toolchain).iter().chain(more) {
        let mut parameter = OsString::from(format!("{name}="));
        parameter.push(value);
        lit.arg("-D").arg(parameter);
    }
    if paths.is_empty() {
        lit.arg("test")
    } else {
        lit.args(paths)
    };
    process::run(&mut lit)
}

/// The parameters of test/lit.cfg.py.
fn parameters(toolchain: &Toolchain) -> Vec<(&'static str, PathBuf)> {
    let mut parameters = vec![
        ("tile_bin", workspace::bin(Profile::Release)),
        ("llvm_prefix", toolchain.prefix.clone()),
        ("tile_package", install::default_prefix()),
        ("exec_root", workspace::target().join("test")),
    ];
    if web::are_written() {
        parameters.push(("web", web::folder()));
    }
    if let Some(cuda) = cuda::find_or_fetch(cuda::Retry::Never) {
        parameters.push(("cuda_bin", cuda));
    }
    if let Some(numpy) = numpy::find_or_fetch(cuda::Retry::Never) {
        parameters.push(("numpy", numpy));
    }
    parameters
}
