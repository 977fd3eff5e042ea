//! `cargo xtask setup`: finds or installs what the project builds on, and passes the paths to child processes.

pub mod cuda;
mod llvm;
pub mod numpy;
mod packages;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace;

use llvm::Purpose;
pub use llvm::{MAJOR, find_next as next_llvm};
pub use packages::PREFIX;

/// The toolchain that was found. Every child process of xtask receives the same variables from it, so that cargo always
/// sees the same environment, and never rebuilds because another command was run before.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The LLVM 22 installation: `bin`, `lib`, `include`.
    pub prefix: PathBuf,
    /// The folder of libclang, which bindgen loads.
    pub libclang: PathBuf,
}

/// The cargo that started xtask.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

impl Toolchain {
    /// Finds an LLVM 22 with MLIR, or installs Debian's, and what else a build takes. With `force`, each package is checked even if all
    /// files seem to be there.
    pub fn find(force: bool) -> Result<Self> {
        Toolchain::find_for(Purpose::Build, force)
    }

    /// The same, and what a release takes. LLVM being there says nothing of the other packages, so each is checked.
    pub fn for_release() -> Result<Self> {
        Toolchain::find_for(Purpose::Release, true)
    }

    /// What a build and the tests take.
    pub fn for_tests(force: bool) -> Result<Self> {
        Toolchain::find_for(Purpose::Test, force)
    }

    fn find_for(purpose: Purpose, force: bool) -> Result<Self> {
        let prefix = llvm::find_or_install(purpose, force)?;
        let libclang = llvm::find_libclang(&prefix)?;
        packages::need_compiler()?;
        Ok(Self { prefix, libclang })
    }

    /// The version of LLVM, such as `22.1.8`.
    pub fn version(&self) -> Result<String> {
        llvm::version(&self.prefix)
    }

    /// A program of LLVM's, such as `mlir-tblgen`.
    pub fn llvm_tool(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// A command in the environment of this toolchain.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = process::command(program);
        command.envs(self.variables());
        command
    }

    /// A cargo command in the environment of this toolchain, with the cargo that started xtask.
    pub fn cargo(&self) -> Command {
        self.command(cargo())
    }

    fn variables(&self) -> [(&'static str, OsString); 6] {
        [
            ("MLIR_SYS_220_PREFIX", self.prefix.clone().into()),
            ("LLVM_SYS_221_PREFIX", self.prefix.clone().into()),
            ("TABLEGEN_220_PREFIX", self.prefix.clone().into()),
            ("MLIR_SYS_LINK_SHARED", "1".into()),
            ("LIBCLANG_PATH", self.libclang.clone().into()),
            ("CARGO_TARGET_DIR", workspace::target().into()),
        ]
    }
}

/// Does the set-up, and prints what was found.
pub fn setup(force: bool) -> Result<Toolchain> {
    let toolchain = Toolchain::for_tests(force)?;
    println!("LLVM/MLIR  {} ({})", toolchain.prefix.display(), llvm::version(&toolchain.prefix)?);
    println!("libclang   {}", toolchain.libclang.display());
    match cuda::find_or_fetch(cuda::Retry::Always) {
        Some(dir) => println!("ptxas      {}", dir.display()),
        None => println!("ptxas      none: lit leaves out the tests that need it"),
    }
    match packages::cmake() {
        Some(cmake) => println!("cmake      {}", cmake.display()),
        None => println!("cmake      none: lit leaves out the tests that need it"),
    }
    for (name, found) in ["spirv-val ", "chromium  "].into_iter().zip(packages::portable()) {
        match found {
            Some(path) => println!("{name} {}", path.display()),
            None => println!("{name} none: lit leaves out the tests that need it"),
        }
    }
    match numpy::find_or_fetch(cuda::Retry::Always) {
        Some(_) => println!("numpy      found"),
        None => println!("numpy      none: lit leaves out the tests that need it"),
    }
    numpy::fetch_tensor_layouts();
    Ok(toolchain)
}
