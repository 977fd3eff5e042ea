//! Finds or fetches ptxas and nvdisasm, which assemble the printed PTX and show the machine code. They need no GPU.
//!
//! They are searched in the folder `TILE_CUDA_TOOLS`, on `PATH`, and in NVIDIA's PyPI wheels, which are fetched once
//! into the target folder. Without them everything still builds, and lit leaves out the tests marked `REQUIRES: ptxas`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow, bail};

use crate::process;
use crate::workspace;

/// The variable that names the folder of the user's own copy.
const VARIABLE: &str = "TILE_CUDA_TOOLS";
/// The tools that tests use.
const TOOLS: [&str; 2] = ["ptxas", "nvdisasm"];
/// The oldest CUDA release whose ptxas assembles PTX 8.8 (256-bit loads of sm_100).
const OLDEST: (u32, u32) = (12, 9);
/// ptxas 13.0 is the release of driver 580, and accepts the newest PTX that LLVM 22 prints (9.0). nvdisasm has wheels
/// since 13.2, and reads older machine code. `--no-deps`: nvcc's dependencies (0.2 GB) are only needed to compile CUDA
/// C++.
const WHEELS: [&str; 2] = ["nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-nvdisasm==13.2.86"];
/// The folder of the wheels' programs, below pip's target folder.
const WHEEL_BIN: &str = "nvidia/cu13/bin";

/// Whether to ask PyPI again after a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Yes: the user has requested the set-up.
    Always,
    /// No: one message per checkout is enough.
    Never,
}

/// The folder with the tools; `None`, with a message the first time, if they are not available.
pub fn find_or_fetch(retry: Retry) -> Option<PathBuf> {
    let cache = workspace::target().join("cuda-tools");
    if let Some(usable) = places(&cache).into_iter().find(|dir| is_usable(dir)) {
        return Some(usable);
    }
    let failed_before = cache.join("unavailable");
    if retry == Retry::Never && failed_before.exists() {
        return None;
    }
    match fetch(&cache) {
        Ok(dir) => Some(dir),
        Err(error) => {
            let (major, minor) = OLDEST;
            println!("No ptxas: {error:#}");
            println!(
                "Tests that need it are left out. Set {VARIABLE} to a folder that has it (CUDA {major}.{minor} or later),"
            );
            println!("or type `cargo xtask setup` to try again.");
            let noted = fs::create_dir_all(&cache).and_then(|()| fs::write(failed_before, format!("{error:#}\n")));
            if let Err(error) = noted {
                println!("(this message comes again: {error})");
            }
            None
        }
    }
}

fn places(cache: &Path) -> Vec<PathBuf> {
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let on_path = process::which(TOOLS[0]).and_then(|path| path.parent().map(Path::to_path_buf));
    named.into_iter().chain(on_path).chain([cache.join(WHEEL_BIN)]).collect()
}

fn is_usable(dir: &Path) -> bool {
    let ptxas = dir.join(TOOLS[0]);
    TOOLS.iter().all(|tool| process::is_executable(&dir.join(tool)))
        && process::stdout(Command::new(ptxas).arg("--version"))
            .is_ok_and(|text| release(&text).is_some_and(|version| version >= OLDEST))
}

/// The release in `ptxas --version`: `Cuda compilation tools, release 13.0, V13.0.88` is (13, 0).
fn release(version: &str) -> Option<(u32, u32)> {
    let (_, rest) = version.split_once("release ")?;
    let (major, rest) = rest.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn fetch(cache: &Path) -> Result<PathBuf> {
    if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
        bail!("NVIDIA has no wheels for this system");
    }
    println!("Fetching ptxas from PyPI into {}", workspace::shown(cache));
    let mut pip = process::command("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"]).arg(cache).args(WHEELS);
    pip.env("PIP_ROOT_USER_ACTION", "ignore").env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    process::output(&mut pip).map_err(|error| anyhow!("pip: {}", last_line(&format!("{error:#}"))))?;
    let dir = cache.join(WHEEL_BIN);
    if !is_usable(&dir) {
        bail!("the wheels put no working {} into {}", TOOLS.join(" and "), dir.display());
    }
    Ok(dir)
}

/// The last line of pip's output, which has the reason of a failure; the lines before are its retries.
pub(super) fn last_line(text: &str) -> &str {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_is_read_and_compared() {
        let text = "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 13.0, V13.0.88\n";
        assert_eq!(release(text), Some((13, 0)));
        assert!(release("release 12.10, V12.10.1").is_some_and(|found| found >= OLDEST));
        assert!(release("release 12.4, V12.4.99").is_some_and(|found| found < OLDEST));
        assert_eq!(release("no version here"), None);
    }

    #[test]
    fn a_folder_without_the_tools_is_not_usable() {
        assert!(!is_usable(Path::new("/no/such/folder")));
    }
}
