//! `cargo xtask next-llvm`: builds with the LLVM after the supported one, if it is installed, and runs the tests.
//!
//! The crates that bind MLIR and LLVM read the installed headers, but refuse an LLVM whose `llvm-config` states another
//! version than theirs. So they get a folder that refers to the installation, with an `llvm-config` of its own that
//! states the supported version. What was renamed or removed since then does not compile, and what behaves differently
//! fails a test.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::setup::{MAJOR, PREFIX, next_llvm};
use crate::{process, workspace};

/// Runs every check except the lints, in a target folder of its own. If no such LLVM is installed, this is said, and
/// nothing fails.
pub fn check() -> Result<()> {
    let prefix = match next_llvm()? {
        Ok(prefix) => prefix,
        Err(absent) => {
            println!("{absent}: nothing was tried");
            return Ok(());
        }
    };
    let target = workspace::target().join("next-llvm");
    let view = target.join("prefix");
    disguise(&prefix, &view)?;
    println!("Testing with {}", prefix.display());
    let mut test = process::this_program();
    test.args(["test", "--no-lint"]).env(PREFIX, view).env("CARGO_TARGET_DIR", target);
    process::run(&mut test)
}

/// Makes `view` a folder that has everything of the installation `prefix`, except that its `llvm-config` states the
/// supported version.
fn disguise(prefix: &Path, view: &Path) -> Result<()> {
    let prefix = prefix.canonicalize().with_context(|| format!("cannot resolve {}", prefix.display()))?;
    if view.exists() {
        fs::remove_dir_all(view).with_context(|| format!("cannot remove {}", view.display()))?;
    }
    let bin = view.join("bin");
    fs::create_dir_all(&bin).with_context(|| format!("cannot make {}", bin.display()))?;
    link(&entries(&prefix)?, view, "bin")?;
    link(&entries(&prefix.join("bin"))?, &bin, CONFIG)?;
    let config = bin.join(CONFIG);
    fs::write(&config, script(&prefix.join("bin").join(CONFIG)))
        .and_then(|()| fs::set_permissions(&config, fs::Permissions::from_mode(0o755)))
        .with_context(|| format!("cannot write {}", config.display()))
}

/// The program that states the version.
const CONFIG: &str = "llvm-config";

fn script(real: &Path) -> String {
    format!(
        "#!/bin/sh\n\
         # Build scripts of bindings ask for the version, and refuse all but their own.\n\
         for argument; do\n  \
           case $argument in --version) echo {MAJOR}.1.0; exit ;; esac\n\
         done\n\
         exec '{}' \"$@\"\n",
        real.display()
    )
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let paths: std::io::Result<_> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    paths.with_context(|| format!("cannot list {}", folder.display()))
}

/// Links to the files in `folder`, except to the one named `except`.
fn link(files: &[PathBuf], folder: &Path, except: &str) -> Result<()> {
    for file in files {
        match file.file_name() {
            Some(name) if name != except => symlink(file, folder.join(name))
                .with_context(|| format!("cannot link to {} in {}", file.display(), folder.display()))?,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_has_all_files_and_states_the_supported_version() {
        let folder = std::env::temp_dir().join(format!("xtask-next-llvm-{}", std::process::id()));
        let (prefix, view) = (folder.join("installed"), folder.join("view"));
        for inner in ["bin", "lib"] {
            fs::create_dir_all(prefix.join(inner)).unwrap();
        }
        fs::write(prefix.join("bin/mlir-tblgen"), "").unwrap();
        fs::write(prefix.join("lib/libMLIR.so"), "").unwrap();
        symlink("/bin/echo", prefix.join("bin/llvm-config")).unwrap();
        // A second time, so that what is left of the first does not matter.
        for _ in 0..2 {
            disguise(&prefix, &view).unwrap();
        }
        let asked = |words: &[&str]| {
            process::stdout(process::command("sh").arg(view.join("bin/llvm-config")).args(words)).unwrap()
        };
        let answers = [asked(&["--version"]), asked(&["--libdir", "--libnames"])];
        let found = ["bin/mlir-tblgen", "lib/libMLIR.so"].map(|file| view.join(file).exists());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(answers, [format!("{MAJOR}.1.0\n"), "--libdir --libnames\n".to_owned()]);
        assert_eq!(found, [true, true]);
    }
}
