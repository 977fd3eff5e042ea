//! `cargo xtask dist`: what users install who build nothing, as files in `target/dist`.
//!
//! ```text
//!   mlir_tile-….whl            for pip: the Python package, with all below inside
//!   mlir-tile-….tar.xz         bin       the tools
//!                              lib       libTile.so, with LLVM inside; it needs glibc 2.28 and nothing else
//!                              include   the headers of its C functions
//!                              share     licences
//!   SHA256SUMS
//! ```
//! Both are made for x86-64 and for glibc 2.28 (the tag `manylinux_2_28`), from the static libraries of Debian's LLVM. The plugin for a
//! stock `mlir-opt` and the C++ package need the shared LLVM that they run with, and are not in them.

mod check;
mod headers;
mod link;
mod notices;
mod python;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process;
use crate::setup::Toolchain;
use crate::workspace;
use crate::{build, install};

/// Options of `cargo xtask dist`.
#[derive(Args)]
pub struct DistOptions {
    /// Only make the files: do not try them where LLVM and the checkout are hidden.
    #[arg(long)]
    no_check: bool,
}

/// Makes the files, and tries them.
pub fn run(toolchain: &Toolchain, options: &DistOptions) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("dist makes packages for Linux on x86-64 only, and on such a machine");
    }
    let output = workspace::target().join("dist");
    let tools = python::fetch(&output.join("python"))?;
    build::tools(toolchain, workspace::Profile::Release)?;
    let bundle = output.join("bundle");
    remove(&bundle)?;
    let archives = link::library(toolchain, &tools, &bundle)?;
    link::launchers(&tools, &bundle, &install::TOOLS)?;
    headers::copy(toolchain, &bundle.join("include"))?;
    let share = bundle.join("share/tile");
    fs::create_dir_all(&share)?;
    fs::copy(workspace::root().join("LICENSE"), share.join("LICENSE"))?;
    fs::write(share.join("THIRD-PARTY-NOTICES"), notices::text(toolchain, &archives)?)?;

    let commands = output.join("commands");
    remove(&commands)?;
    link::commands(&tools, &commands, &install::TOOLS)?;
    let wheel = python::wheel(&tools, &bundle, &commands, &output)?;
    tools.audit(&wheel)?;
    let tarball = tarball(&bundle, &output)?;
    for file in sums(&output, &[&wheel, &tarball])? {
        println!("{}", workspace::shown(&file));
    }
    if options.no_check { Ok(()) } else { check::run(toolchain, &output, &wheel, &tarball) }
}

/// Packs the bundle, whose folder in the tarball has the tarball's name.
fn tarball(bundle: &Path, output: &Path) -> Result<PathBuf> {
    let name = format!("mlir-tile-{}-linux-x86_64", env!("CARGO_PKG_VERSION"));
    let file = output.join(format!("{name}.tar.xz"));
    let mut tar = process::command("tar");
    tar.args(["--create", "--xz", "--owner=0", "--group=0", "--sort=name", "--file"]).arg(&file);
    tar.arg(format!("--transform=s,^[.],{name},")).arg("-C").arg(bundle).arg(".").env("XZ_OPT", "-6 -T0");
    process::output(&mut tar)?;
    Ok(file)
}

/// Writes the checksums of the files; the files and that of the checksums.
fn sums(output: &Path, files: &[&PathBuf]) -> Result<Vec<PathBuf>> {
    let names = files.iter().filter_map(|file| file.file_name());
    let sums = process::stdout(process::command("sha256sum").args(names).current_dir(output))?;
    let path = output.join("SHA256SUMS");
    fs::write(&path, sums)?;
    Ok(files.iter().map(|file| file.to_path_buf()).chain([path]).collect())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
