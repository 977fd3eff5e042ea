//! Prints the PTX of the programs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::programs::{ALL, Program};
use crate::scans;
use tile_run::say;

/// Writes every program and its PTX into a folder, which is made where it is missing.
pub fn all(folder: &Path, chip: Option<&str>) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for program in &ALL {
        let source = folder.join(program.name).with_extension("mlir");
        write(&source, program.source)?;
        let ptx = tile_run::source::translate(&source, chip)?;
        write(&source.with_extension("ptx"), &ptx)?;
        say!("{}: {} kernels", source.with_extension("ptx").display(), program.kernels.len());
    }
    for scan in scans::ALL {
        let source = folder.join(scan.name).with_extension("mlir");
        write(&source, &scan.source(chip.unwrap_or(SCAN_CHIP)))?;
        let ptx = tile_run::source::translate(&source, chip)?;
        write(&source.with_extension("ptx"), &ptx)?;
        say!("{}", source.with_extension("ptx").display());
    }
    Ok(())
}

/// The chip of scans, where none is named.
const SCAN_CHIP: &str = "sm_90a";

/// The PTX of a program that [`all`] has left in a folder.
pub fn read(folder: &Path, program: &Program) -> Result<String> {
    let file = folder.join(program.name).with_extension("ptx");
    fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; `tile-bench emit {}` writes it", file.display(), folder.display()))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
