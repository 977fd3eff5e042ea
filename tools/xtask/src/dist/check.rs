//! Tries the files of a release as a user has them: LLVM and the checkout are hidden.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process;
use crate::setup::Toolchain;
use crate::setup::cuda::Retry;
use crate::setup::numpy;
use crate::workspace;

/// What is done in the hidden place.
const SCRIPT: &str = include_str!("../../dist/check.sh");

/// Runs the script in a folder of its own, in a mount namespace where LLVM and the checkout are empty folders.
pub fn run(toolchain: &Toolchain, output: &Path, wheel: &Path, tarball: &Path) -> Result<()> {
    let packages =
        numpy::find_or_fetch(Retry::Always).context("the tests of the wheel need numpy, ml_dtypes and pytest")?;
    let place = std::env::temp_dir().join(format!("tile-dist-{}", std::process::id()));
    super::remove(&place)?;
    copy_sources(&place.join("checkout"))?;
    if packages.exists() {
        copy(&packages, &place.join("packages"))?;
    }
    for file in [wheel, tarball, &output.join("SHA256SUMS")] {
        copy(file, &place.join(file.file_name().context("a file without a name")?))?;
    }
    fs::write(place.join("check.sh"), SCRIPT)?;
    let mut unshare = process::command("unshare");
    // As an ordinary user, who becomes root of the namespace; root needs no other.
    unshare.args(["--map-root-user", "--mount", "bash", "check.sh"]).current_dir(&place);
    unshare.arg(&toolchain.prefix).arg(workspace::root());
    process::run(&mut unshare).with_context(|| format!("in {}", place.display()))?;
    super::remove(&place)
}

/// Copies the tracked files of the checkout: tests and pages are not in the package.
fn copy_sources(to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    let names = process::stdout(process::command("git").args(["ls-files", "-z"]))?;
    let present = names.split_terminator('\0').filter(|name| workspace::root().join(name).is_file());
    process::output(process::command("cp").arg("--parents").args(present).arg(to)).map(drop)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    process::output(process::command("cp").arg("-r").arg(from).arg(to)).map(drop)
}
