//! The programs that are measured: kernels in which each block copies its own tile of a buffer of 1 GiB. Their PTX is
//! written into a folder, together with that of the scans, and read from there.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tile_run::say;
use tile_run::source::{Translation, translate};

use crate::scans;

/// Bytes of each buffer.
pub const BUFFER: usize = 1 << 30;
/// Threads of a block, in all programs.
pub const THREADS: u32 = 256;

/// A file of kernels.
#[derive(Debug)]
pub struct Program {
    /// The file's name without its extension.
    pub name: &'static str,
    /// The MLIR.
    pub source: &'static str,
    /// The kernels in it.
    pub kernels: &'static [Kernel],
}

/// A kernel `(const T *from, T *to)`.
#[derive(Debug)]
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// Bytes that one block copies.
    pub tile: usize,
}

impl Kernel {
    /// The number of blocks that copy a whole buffer.
    pub fn blocks(&self) -> u32 {
        (BUFFER / self.tile) as u32
    }
}

macro_rules! program {
    ($name:literal: $($kernel:literal $tile:expr),+) => {
        Program {
            name: $name,
            source: include_str!(concat!("../programs/", $name, ".mlir")),
            kernels: &[$(Kernel { name: $kernel, tile: $tile }),+],
        }
    };
}

const KIB: usize = 1024;

/// All programs, in the order in which they are measured.
pub const ALL: [Program; 8] = [
    program!("smem_4k": "smem_4k_f32" 4 * KIB, "smem_4k_f16" 4 * KIB, "smem_4k_u8" 4 * KIB),
    program!("smem_16k": "smem_16k_f32" 16 * KIB, "smem_16k_f16" 16 * KIB, "smem_16k_u8" 16 * KIB),
    program!("reg_coalesced": "reg_coalesced_f32" 4 * KIB, "reg_coalesced_f16" 4 * KIB, "reg_coalesced_u8" 4 * KIB),
    program!("reg_rows":
        "reg_rows32_f32" 8 * KIB, "reg_rows32_f16" 8 * KIB, "reg_rows32_u8" 8 * KIB, "reg_rows64_f32" 16 * KIB,
        "reg_rows128_f32" 32 * KIB, "reg_rows16_f16" 4 * KIB),
    program!("ldgsts": "ldgsts_4k_f32" 4 * KIB, "ldgsts_16k_f32" 16 * KIB, "ldgsts_swizzled_16k_f32" 16 * KIB),
    program!("bulk":
        "bulk_4k_f32" 4 * KIB, "bulk_16k_f32" 16 * KIB, "bulk_32k_f32" 32 * KIB, "bulk_rows_16k_f32" 16 * KIB,
        "bulk_swizzled_16k_f32" 16 * KIB),
    program!("tiles_4x6":
        "tiles_4x6_f32" 1024 * KIB, "tiles_4x6_ring_f32" 1024 * KIB, "tiles_4x6_one_thread_f32" 1024 * KIB),
    program!("rows_8192":
        "rows_8192_static_f16" 128 * KIB, "rows_8192_run_time_f16" 128 * KIB, "rows_8192_run_time_by_2_f16" 128 * KIB),
];

/// Writes every program and its PTX into a folder, which is created if it is missing.
pub fn emit(folder: &Path, chip: Option<&str>) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for program in &ALL {
        let source = folder.join(program.name).with_extension("mlir");
        write(&source, program.source)?;
        let ptx = translate(&source, &Translation { chip, ..Default::default() })?;
        write(&source.with_extension("ptx"), &ptx)?;
        say!("{}: {} kernels", source.with_extension("ptx").display(), program.kernels.len());
    }
    for scan in scans::ALL {
        let source = folder.join(scan.name).with_extension("mlir");
        write(&source, &scan.source(chip.unwrap_or(SCAN_CHIP)))?;
        let ptx = translate(&source, &Translation { chip, ..Default::default() })?;
        write(&source.with_extension("ptx"), &ptx)?;
        say!("{}", source.with_extension("ptx").display());
    }
    Ok(())
}

/// The default chip of scans.
const SCAN_CHIP: &str = "sm_90a";

/// The PTX of a program that [`emit`] has written into a folder.
pub fn read(folder: &Path, program: &Program) -> Result<String> {
    let file = folder.join(program.name).with_extension("ptx");
    fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; `tile-bench emit {}` writes it", file.display(), folder.display()))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after `start` up to `end`.
    fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
        let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
        rest.split_once(end).unwrap().0
    }

    /// The bytes of `rows x columns x type`, and those of a row.
    fn bytes(shape: &str) -> (usize, usize) {
        let [rows, columns, ty] = shape.split('x').collect::<Vec<_>>()[..] else { panic!("{shape}") };
        let size = [("f32", 4), ("f16", 2), ("i8", 1)].iter().find(|(name, _)| *name == ty).unwrap().1;
        let row = columns.parse::<usize>().unwrap() * size;
        (rows.parse::<usize>().unwrap() * row, row)
    }

    #[test]
    fn the_table_is_what_the_programs_say() {
        for program in &ALL {
            assert_eq!(program.source.matches("gpu.func @").count(), program.kernels.len(), "{}", program.name);
            for kernel in program.kernels {
                let body = between(program.source, &format!("gpu.func @{}(", kernel.name), "gpu.return");
                let (buffer, row) = bytes(between(body, "memref<", ">"));
                let height: usize = between(body, "%height = arith.constant ", " :").parse().unwrap();
                assert_eq!((buffer, row * height), (BUFFER, kernel.tile), "{}", kernel.name);
                assert_eq!(between(body, "array<i32: ", ","), THREADS.to_string(), "{}", kernel.name);
            }
        }
    }

    #[test]
    fn tiles_divide_the_buffer_and_grids_fit() {
        for kernel in ALL.iter().flat_map(|p| p.kernels) {
            assert_eq!(kernel.blocks() as usize * kernel.tile, BUFFER, "{}", kernel.name);
        }
    }
}
