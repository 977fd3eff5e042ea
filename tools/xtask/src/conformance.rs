//! `cargo xtask conformance`: compares decisions recorded from the reference implementation with ours.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::workspace;

/// Runs tile-conformance on the given case files, or on all of test/Conformance. The tools must be built.
pub fn run(toolchain: &Toolchain, files: &[PathBuf]) -> Result<()> {
    let files = if files.is_empty() { cases()? } else { files.to_vec() };
    process::run(toolchain.command(build::tool("tile-conformance")).args(files))
}

/// The files of recorded cases.
pub fn cases() -> Result<Vec<PathBuf>> {
    let folder = workspace::root().join("test/Conformance");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> =
        paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    if files.is_empty() {
        bail!("{} has no .json file", folder.display());
    }
    files.sort();
    Ok(files)
}
