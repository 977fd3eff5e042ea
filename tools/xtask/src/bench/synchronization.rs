//! `cargo xtask bench synchronization`: how the time of the synchronization passes grows, and how many barriers they
//! insert.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::{measure, timing};
use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::table::Table;
use crate::workspace::{self, Profile};

/// Numbers of operations in a kernel, smallest first.
const SIZES: [u32; 3] = [100, 1_000, 10_000];
/// Runs of each pass; the fastest is reported.
const RUNS: usize = 5;

/// The structure of a kernel, and the synchronization of its copies.
#[derive(Clone, Copy)]
enum Kind {
    /// Straight-line copies, with a barrier after each.
    Straight,
    /// The same, in loops of ten copies in and ten copies out.
    Loops,
    /// Straight-line copies without barriers.
    Bare,
    /// Copies without barriers, in loops of ten copies in and ten copies out.
    BareLoops,
    /// Copies without barriers, in branches with as many copies.
    BareBranches,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Straight => "straight",
            Kind::Loops => "loops",
            Kind::Bare => "bare",
            Kind::BareLoops => "bare loops",
            Kind::BareBranches => "bare branches",
        }
    }

    /// The loop or branch around ten copies in and ten copies out.
    fn around(self, turn: u32) -> Option<String> {
        match self {
            Kind::Loops | Kind::BareLoops => Some(format!("scf.for %i{turn} = %c0 to %n step %c1")),
            Kind::BareBranches => Some("scf.if %f".to_owned()),
            Kind::Straight | Kind::Bare => None,
        }
    }

    /// Whether there is a barrier after each copy.
    fn is_ordered(self) -> bool {
        matches!(self, Kind::Straight | Kind::Loops)
    }
}

/// The passes, each with the kind of kernels that it runs on.
const PASSES: [(&str, Kind); 7] = [
    ("--tile-check-sync", Kind::Straight),
    ("--tile-check-sync", Kind::Loops),
    ("--tile-insert-sync", Kind::Bare),
    ("--tile-insert-sync", Kind::BareLoops),
    ("--tile-insert-sync", Kind::BareBranches),
    ("--tile-insert-sync=remove-redundant=true", Kind::Straight),
    ("--tile-plan-memory", Kind::Straight),
];

/// Measures everything, printing each result immediately.
pub fn run(toolchain: &Toolchain, kernels: u32) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    super::warn_when_busy();
    println!("Operations of one kernel: milliseconds of the pass, fastest of {RUNS} runs; goal 2000 for the largest\n");
    let mut table = Table::new(&["pass", "kernel", "100", "1000", "10000", "growth"]);
    for (pass, kind) in PASSES {
        let times = SIZES.map(|size| fastest(toolchain, pass, kind, size)).into_iter().collect::<Result<Vec<_>>>()?;
        let [_, middle, last] = times[..] else { continue };
        let mut row = vec![pass.to_owned(), kind.name().to_owned()];
        row.extend(times.iter().map(|seconds| format!("{:.1}", seconds * 1e3)));
        row.push(format!("{:.1}", last / middle));
        table.row(&row);
    }
    println!("{table}");
    println!("Barriers of {kernels} generated kernels\n");
    let mut count = toolchain.command("python3");
    count.arg("test/tools/sync_counts.py").arg(build::tool("tile-opt")).args(["0", &kernels.to_string()]);
    process::run(&mut count)
}

fn fastest(toolchain: &Toolchain, pass: &str, kind: Kind, size: u32) -> Result<f64> {
    let folder = workspace::target().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let file = folder.join(format!("sync-{}-{size}.mlir", kind.name().replace(' ', "-")));
    fs::write(&file, kernel(kind, size)).with_context(|| format!("cannot write {}", file.display()))?;
    let mut command: Command = toolchain.command(build::tool("tile-opt"));
    command.arg(file).arg(pass).args(["--mlir-timing", "--mlir-output-format=json", "--mlir-disable-threading"]);
    let one = |_| Ok(timing::parse(&measure::once(&mut command)?.stderr)?.pipeline());
    let times = (0..RUNS).map(one).collect::<Result<Vec<f64>>>()?;
    times.into_iter().min_by(f64::total_cmp).context("no runs")
}

/// A kernel of `size` copies and barriers: tiles go through four buffers, which are written in bands of 8 rows and read
/// in bands of 16.
fn kernel(kind: Kind, size: u32) -> String {
    let mut text = String::from(HEAD);
    let (mut made, mut turn) = (0, 0);
    while made < size {
        let around = kind.around(turn);
        if let Some(around) = around.as_ref().filter(|_| turn % 10 == 0) {
            let _ = writeln!(text, "    {around} {{");
        }
        let (s, row, from) = (turn % 4, turn % 8 * 8, (turn * 3 + 1) % 4 * 16);
        let _ = writeln!(text, "    tile.copy %a[{row}, 0] [8, 32] to %s{s}[{row}, 0] [8, 32] scope(cta) : !g to !s");
        if kind.is_ordered() {
            text += "    gpu.barrier\n";
            made += 1;
        }
        let _ =
            writeln!(text, "    tile.copy %s{s}[{from}, 0] [16, 32] to %b[{from}, 0] [16, 32] scope(cta) : !s to !g");
        made += 2;
        turn += 1;
        if around.is_some() && (turn % 10 == 0 || made >= size) {
            if kind.is_ordered() {
                text += "    gpu.barrier\n";
                made += 1;
            }
            text += "    }\n";
        }
    }
    text + "    gpu.return\n  }\n}\n"
}

const HEAD: &str = "!g = !tile.buffer<64x32xf32, global>
!s = !tile.buffer<64x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {
  gpu.func @long(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %n: index, %f: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !g
    %b = tile.view %B : memref<64x32xf32> to !g
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s0 = tile.alloc : !s
    %s1 = tile.alloc : !s
    %s2 = tile.alloc : !s
    %s3 = tile.alloc : !s
";
