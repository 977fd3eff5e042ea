//! Counts the barriers of random kernels: put by `--tile-insert-sync`, behind every write, and those of these that
//! upstream's `gpu-eliminate-barriers` leaves once copies are lowered.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace;

/// The seed of the kernels.
const SEED: &str = "1";

/// The counts of the first `kernels` kernels, apart from those in which only some warps take a branch.
pub fn table(toolchain: &Toolchain, kernels: u32) -> Result<Table> {
    let file = workspace::target().join("bench/barriers.mlir");
    let (mut counted, mut sums) = (0, [0; 3]);
    for number in 0..kernels {
        if let Some(counts) = counts(toolchain, number, &file)? {
            counted += 1;
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    let mut table = Table::new(&[&format!("{counted} kernels"), "barriers"]);
    let names = ["behind every write", "left by gpu-eliminate-barriers", "put by --tile-insert-sync"];
    names.iter().zip(sums).for_each(|(name, sum)| table.row(&[(*name).to_owned(), sum.to_string()]));
    Ok(table)
}

/// The counts of a kernel, which has no barriers of its own; `None` if only some warps take a branch, or if a tool
/// refuses it.
fn counts(toolchain: &Toolchain, number: u32, file: &Path) -> Result<Option<[usize; 3]>> {
    let mut draw = toolchain.command(build::tool("tile-programs"));
    draw.args(["--kind", "tiles-removed", "--seed", SEED, "--print", &number.to_string()]);
    let bare = process::stdout(&mut draw)?;
    let everywhere = behind_writes(&bare);
    if bare.contains("arith.cmpi ult, %thread") {
        return Ok(None);
    }
    let Some(launched) = launched(&everywhere) else { return Ok(None) };
    let left = barriers(toolchain, file, &launched, &["--lower-tile-copy=chip=sm_90a", "--gpu-eliminate-barriers"])?;
    let put = barriers(toolchain, file, &bare, &["--tile-insert-sync"])?;
    let all = barriers(toolchain, file, &everywhere, &[])?;
    Ok(all.zip(left).zip(put).map(|((all, left), put)| [all, left, put]))
}

/// The number of barriers behind some passes; `None` if one refuses the kernel.
fn barriers(toolchain: &Toolchain, file: &Path, text: &str, passes: &[&str]) -> Result<Option<usize>> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    let output = toolchain.command(build::tool("tile-opt")).args(passes).arg(file).output();
    let output = output.context("cannot start tile-opt")?;
    let is_barrier = |line: &&str| {
        ["gpu.barrier", "nvvm.bar.warp.sync", "nvvm.barrier"].iter().any(|name| line.trim_start().starts_with(name))
    };
    let count = String::from_utf8_lossy(&output.stdout).lines().filter(is_barrier).count();
    Ok(output.status.success().then_some(count))
}

/// The text with a barrier behind every write to shared or global memory.
fn behind_writes(text: &str) -> String {
    let writes = |line: &str| {
        let op = line.trim_start();
        let copies = ["tile.copy ", "tile.copy_async ", "tile.fill "].iter().any(|name| op.starts_with(name));
        // Registers have numbered names.
        copies && !op.contains(" to %v")
    };
    let barrier = |line| if writes(line) { "gpu.barrier\n" } else { "" };
    text.lines().map(|line| format!("{line}\n{}", barrier(line))).collect()
}

/// The kernel as a `gpu.launch` in a `func.func`, which upstream's pass needs.
fn launched(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("gpu.func @k(")?;
    let (parameters, rest) = rest.split_once(")\n")?;
    let (head, body) = rest.split_once("{\n")?;
    let threads = head.split_once("array<i32: ")?.1.split_once(',')?.0;
    let (module, globals) = (before.find("gpu.module @kernels")?, before.find("{\n")?);
    let body = body.replace("    gpu.return\n  }", "    gpu.terminator\n    }\n    return\n  }");
    Some(format!(
        "{}module {}func.func @k({parameters}) {{\n\
         %one_block = arith.constant 1 : index\n\
         %threads = arith.constant {threads} : index\n\
         gpu.launch blocks(%bx, %by, %bz) in (%gx = %one_block, %gy = %one_block, %gz = %one_block)\n    \
         threads(%tx, %ty, %tz) in (%nx = %threads, %ny = %one_block, %nz = %one_block) {{\n{body}",
        &before[..module],
        &before[globals..]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: &str = "gpu.module @kernels [#target] {\n  gpu.func @k(%a: index)\n      kernel attributes {size = \
                          array<i32: 64, 1, 1>} {\n    tile.copy %a to %v1 : x\n    tile.copy %v1 to %b : x\n    \
                          gpu.return\n  }\n}\n";

    #[test]
    fn writes_to_memory_are_followed_by_barriers() {
        assert_eq!(behind_writes(KERNEL).matches("to %b : x\ngpu.barrier\n").count(), 1);
        assert_eq!(behind_writes(KERNEL).matches("gpu.barrier").count(), 1);
    }

    #[test]
    fn a_kernel_becomes_a_launch() {
        let launched = launched(KERNEL).unwrap();
        assert!(launched.starts_with("module {\n  func.func @k(%a: index) {\n"), "{launched}");
        assert!(launched.contains("%threads = arith.constant 64 : index"), "{launched}");
        assert!(launched.ends_with("    gpu.terminator\n    }\n    return\n  }\n}\n"), "{launched}");
    }
}
