//! Finds or fetches numpy, with which the examples' tests compute expected results, ml_dtypes, which adds small floats to it, and the
//! packages that build and test the Python package.
//!
//! Python's own packages are used if it has them, else wheels from PyPI, which are fetched once into the target folder.
//! Without them lit leaves out the tests marked `REQUIRES: numpy` and `REQUIRES: pytest`. tensor-layouts, an independent
//! implementation of CuTe's algebra, is fetched into a folder of its own; without it one test of layout-tool is skipped.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::cuda::{Retry, last_line};
use crate::process;
use crate::workspace;

/// numpy, ml_dtypes and pytest, in the oldest releases that the scripts work with; pytest's dependencies; and pip's build back
/// end.
const WHEELS: [&str; 9] = [
    "--no-deps",
    "numpy>=1.24",
    "ml_dtypes>=0.4",
    "pytest>=8",
    "iniconfig>=1",
    "packaging>=22",
    "pluggy>=1.5,<2",
    "pygments>=2.7",
    "setuptools>=70.1",
];

/// The folder for `PYTHONPATH`, which may be empty if Python itself has the packages; `None`, with a message the first
/// time, if they are not available.
pub fn find_or_fetch(retry: Retry) -> Option<PathBuf> {
    let cache = workspace::target().join("numpy");
    if is_usable(&cache) {
        return Some(cache);
    }
    let failed_before = workspace::target().join("numpy-unavailable");
    if retry == Retry::Never && failed_before.exists() {
        return None;
    }
    match fetch(&cache) {
        Ok(()) => Some(cache),
        Err(error) => {
            println!("No numpy or no pytest: {error:#}");
            println!(
                "Tests that need them are left out. Install them for python3, or type `cargo xtask setup` to try again."
            );
            if let Err(error) = fs::write(failed_before, format!("{error:#}\n")) {
                println!("(this message comes again: {error})");
            }
            None
        }
    }
}

/// Fetches tensor-layouts, which needs a newer Python than numpy; a message if it is not available.
pub fn fetch_tensor_layouts() {
    let folder = workspace::target().join("tensor-layouts");
    let usable = || {
        let mut python = process::command("python3");
        process::output(python.args(["-c", "import tensor_layouts"]).env("PYTHONPATH", &folder)).is_ok()
    };
    if usable() {
        return;
    }
    match install(&folder, &["--no-deps", "tensor-layouts>=0.3"]) {
        Ok(()) if usable() => {}
        Ok(()) => println!("tensor-layouts in {} cannot be imported", folder.display()),
        Err(error) => println!("No tensor-layouts, against which CuTe's algebra is checked: {error:#}"),
    }
}

fn is_usable(folder: &Path) -> bool {
    let mut python = process::command("python3");
    process::output(python.args(["-c", "import setuptools, numpy, ml_dtypes, pytest"]).env("PYTHONPATH", folder))
        .is_ok()
}

fn fetch(cache: &Path) -> Result<()> {
    println!("Fetching numpy, ml_dtypes and pytest from PyPI into {}", workspace::shown(cache));
    install(cache, &WHEELS)?;
    if is_usable(cache) { Ok(()) } else { Err(anyhow!("the wheels in {} cannot be imported", cache.display())) }
}

/// Installs wheels from PyPI into a folder, with what they depend on unless an argument is `--no-deps`.
pub fn install(folder: &Path, arguments: &[&str]) -> Result<()> {
    let mut pip = process::command("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]).arg(folder).args(arguments);
    pip.env("PIP_ROOT_USER_ACTION", "ignore").env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    process::output(&mut pip).map(drop).map_err(|error| anyhow!("pip: {}", last_line(&format!("{error:#}"))))
}
