//! What upstream's own lowering makes of kernels: `mlir-opt` lowers them, `mlir-runner` executes them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::kernel::Kernel;
use super::text;

/// Where LLVM is installed; without it, its tools are found by their names.
const PREFIX: &str = "MLIR_SYS_220_PREFIX";

/// The lowering. Masks may be larger than 32 bits hold.
const PASSES: [&str; 13] = [
    "--convert-vector-to-scf",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm=force-32bit-vector-indices=0",
    "--convert-ub-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--lower-affine",
    "--convert-arith-to-llvm",
    "--reconcile-unrealized-casts",
];

/// The cells of each memory after a kernel has run.
pub type Cells = Vec<Vec<u64>>;

/// Words of an error of upstream's lowering, which makes invalid IR of some transfers with a mask and a permutation, and the
/// name of the refusal.
pub const NOT_LOWERED: (&str, &str) = ("inferred mask type", "upstream-lowers-no-such-mask");

/// What a kernel leaves in memory.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The cells of each memory, where undefined values are 5.
    pub first: Cells,
    /// Where they are 7.
    pub second: Cells,
}

impl Expected {
    /// Whether the kernel leaves other memory than it found.
    pub fn changes(&self, kernel: &Kernel) -> bool {
        let initial = |(_, _, at): (usize, &_, text::Memory)| -> Vec<u64> {
            (0..at.cells as u64).map(|cell| at.element.initial(cell, at.salt)).collect()
        };
        text::memories(kernel).map(initial).ne(self.first.iter().cloned())
    }
}

/// Executes kernels; for each, what it leaves, or why it cannot be executed.
pub fn execute(kernels: &[&Kernel]) -> Vec<Result<Expected, String>> {
    match run(kernels) {
        Ok(expected) => expected.into_iter().map(Ok).collect(),
        Err(why) if kernels.len() == 1 => vec![Err(why)],
        Err(_) => kernels.iter().flat_map(|kernel| execute(&[kernel])).collect(),
    }
}

fn run(kernels: &[&Kernel]) -> Result<Vec<Expected>, String> {
    let mut module = text::prelude();
    let mut main = "func.func @main() {\n".to_owned();
    for (number, kernel) in kernels.iter().enumerate() {
        for first in [true, false].into_iter().filter(|first| *first || kernel.undefined.is_some()) {
            let name = format!("k{number}_{}", i32::from(!first));
            module += &text::host(kernel, &name, first);
            main += &format!("  func.call @run_{name}() : () -> ()\n");
        }
    }
    let module = format!("{module}{main}  return\n}}\n");
    let lowered = tool("mlir-opt", &PASSES, &module)?;
    let libraries = ["mlir_c_runner_utils", "mlir_runner_utils"].map(library).join(",");
    let shared = format!("--shared-libs={libraries}");
    let printed = tool("mlir-runner", &["-e", "main", "-entry-point-result=void", "-O0", &shared], &lowered)?;
    let mut numbers = printed.lines().map(|line| line.parse::<i64>().map(|number| number as u64));
    let mut cells = |kernel: &Kernel| -> Result<Cells, String> {
        let memory = |count: usize| numbers.by_ref().take(count).collect::<Result<Vec<u64>, _>>();
        let all = text::memories(kernel).map(|(_, _, at)| at.cells).map(memory).collect::<Result<Cells, _>>();
        let all = all.map_err(|error| format!("mlir-runner printed what is no number: {error}"))?;
        let complete = all.iter().zip(text::memories(kernel)).all(|(got, (_, _, memory))| got.len() == memory.cells);
        if complete { Ok(all) } else { Err("mlir-runner printed too little".to_owned()) }
    };
    let one = |kernel: &&Kernel| {
        let first = cells(kernel)?;
        let second = if kernel.undefined.is_some() { cells(kernel)? } else { first.clone() };
        Ok(Expected { first, second })
    };
    kernels.iter().map(one).collect()
}

fn prefix() -> Option<PathBuf> {
    std::env::var_os(PREFIX).map(PathBuf::from)
}

fn library(name: &str) -> String {
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    prefix().map_or_else(|| file.clone(), |prefix| prefix.join("lib").join(&file).display().to_string())
}

/// Runs a tool of LLVM, and returns what it prints.
fn tool(name: &str, arguments: &[&str], input: &str) -> Result<String, String> {
    let path = prefix().map_or_else(|| PathBuf::from(name), |prefix| prefix.join("bin").join(name));
    let say = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut command = Command::new(&path);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(say)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(say)?;
    }
    let output = child.wait_with_output().map_err(say)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name}: {}: {}", output.status, stderr.lines().take(3).collect::<Vec<_>>().join(" ")))
}
