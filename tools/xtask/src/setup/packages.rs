//! Debian's packages: those that are needed, those that are missing, and their installation.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;

/// The variable with which a user names an installation other than the packages' (mlir-sys reads it, too).
pub const PREFIX: &str = "MLIR_SYS_220_PREFIX";

/// The packages that a build from source needs besides Rust. On Debian 12, LLVM's are in bookworm-security.
pub const BUILD: &[&str] = &[
    "llvm-22-dev",
    "libmlir-22-dev",
    "mlir-22-tools",
    "clang-22",
    "libclang-22-dev",
    "libpolly-22-dev",
    "zlib1g-dev",
    "libzstd-dev",
    "libxml2-dev",
    "g++",
];

/// Python, and what fetches the rest from PyPI: numpy, ptxas.
pub const PYTHON: &[&str] = &["python3", "python3-pip"];

/// The packages that only a release needs.
pub const RELEASE: &[&str] = &["libffi-dev", "python3-venv", "xz-utils"];

/// The packages that only tests need.
pub const TESTS: &[&str] =
    &["llvm-22-tools", "cmake", "ninja-build", "libvulkan1", "mesa-vulkan-drivers", "spirv-tools", "chromium"];

/// Installs those of the packages that are missing.
///
/// # Errors
/// If there is no apt, or it may not be run; the message then has the command to type.
pub fn ensure_installed(packages: &[&[&'static str]]) -> Result<()> {
    if process::which("apt-get").is_none() || process::which("dpkg-query").is_none() {
        bail!(
            "LLVM 22 with MLIR was not found and this is not Debian: install it with shared libLLVM and libMLIR, \
             libclang and the C++ compiler that built it, and set {} to its prefix (the folder that has bin/mlir-tblgen)",
            PREFIX
        );
    }
    let missing: Vec<&str> = packages.concat().into_iter().filter(|name| !is_installed(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let Some(root) = become_root() else {
        bail!("packages are missing; type\n  {}\nor set {} to an LLVM 22 of your own", line_to_type(&missing), PREFIX)
    };
    println!("Installing {}", missing.join(" "));
    apt(&root, &["update"])?;
    apt(&root, &[&["install", "-y", "--no-install-recommends"], missing.as_slice()].concat()).with_context(|| {
        format!(
            "if this distribution has no LLVM 22 packages, install LLVM 22 with MLIR yourself and set {} to its prefix",
            PREFIX
        )
    })
}

/// CMake, which builds programs that use the compiler. Only tests need it: if it is missing and cannot be installed,
/// the reason is printed.
pub fn cmake() -> Option<PathBuf> {
    program("cmake")
}

/// The programs that check and run kernels for portable targets: Khronos' validator of SPIR-V, and a browser with
/// WebGPU. As with CMake, only tests need them, and the Vulkan driver, which comes from the same packages.
pub fn portable() -> [Option<PathBuf>; 2] {
    ["spirv-val", "chromium"].map(program)
}

fn program(name: &str) -> Option<PathBuf> {
    if process::which(name).is_none()
        && let Err(error) = ensure_installed(&[BUILD, PYTHON, TESTS])
    {
        println!("No {name}: {error:#}");
    }
    process::which(name)
}

/// Fails if there is no C++ compiler at all, because the dialect's generated code is C++. The dialect's build script
/// checks the compiler's family.
pub fn need_compiler() -> Result<()> {
    let named = env::var("CXX").ok();
    let tried: Vec<&str> = named.as_deref().into_iter().chain(["clang++-22", "c++", "g++", "clang++"]).collect();
    if tried.iter().any(|name| process::which(name).is_some()) {
        return Ok(());
    }
    bail!("no C++ compiler (tried {}): install one (Debian: clang-22) or set CXX", tried.join(", "))
}

fn is_installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f=${db:Status-Status}", package]).stderr(Stdio::null());
    query.output().is_ok_and(|output| output.stdout == b"installed")
}

/// The words before a command that make it run as root: none for root itself, `sudo -n` if sudo needs no password;
/// `None` if neither works.
fn become_root() -> Option<Vec<&'static str>> {
    if fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0) {
        return Some(Vec::new());
    }
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    sudo.status().is_ok_and(|status| status.success()).then(|| vec!["sudo", "-n"])
}

fn apt(root: &[&str], arguments: &[&str]) -> Result<()> {
    let words = [root, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"], arguments].concat();
    let (program, rest) = words.split_first().context("an empty command")?;
    process::run(process::command(program).args(rest))
}

fn line_to_type(missing: &[&str]) -> String {
    format!("sudo apt-get update && sudo apt-get install -y {}", missing.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_to_type_names_only_what_is_missing() {
        assert_eq!(
            line_to_type(&["g++", "zlib1g-dev"]),
            "sudo apt-get update && sudo apt-get install -y g++ zlib1g-dev"
        );
    }

    #[test]
    fn an_unknown_package_is_not_installed() {
        assert!(!is_installed("no-such-package-as-this"));
    }
}
