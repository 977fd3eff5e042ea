//! Runs the tools themselves as processes, with commands that a user would type.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::corpus::InputKind;
use super::finding::{Finding, of_end};
use super::watch;
use crate::fuzz::Rng;
use crate::setup::Toolchain;
use crate::{build, process};

/// Flags of tile-opt: for reading and printing, each pass, pipelines, nested pipelines.
const OPT: &[&[&str]] = &[
    &[],
    &["--mlir-print-op-generic"],
    &["--emit-bytecode"],
    &["--split-input-file", "--verify-diagnostics"],
    &["--tile-align-layouts"],
    &["--tile-vectorize-copy"],
    &["--tile-expand-copy"],
    &["--lower-tile-scan"],
    &["--tile-to-nvvm"],
    &["--lower-tile-copy", "--remarks-filter=.*", "--remark-format=emitRemark"],
    &["--lower-tile-copy=chip=sm_100a variants=gmem_smem,reg", "--mlir-print-ir-after-all"],
    &[
        "--tile-align-layouts",
        "--canonicalize",
        "--cse",
        "--tile-vectorize-copy",
        "--tile-expand-copy",
        "--tile-to-nvvm",
    ],
    &["--pass-pipeline=builtin.module(gpu.module(gpu.func(lower-tile-copy)))"],
    &["--pass-pipeline=builtin.module(gpu.module(lower-tile-copy{chip=sm_90a},tile-to-nvvm))"],
    &["--pass-pipeline=builtin.module(func.func(lower-tile-copy))"],
    &["--pass-pipeline=builtin.module(any(lower-tile-copy))"],
    &["--lower-tile-scan", "--lower-tile-copy", "--loop-invariant-code-motion", "--inline", "--tile-to-nvvm"],
];

/// Runs one random command; returns its command line, and the finding, if any.
pub fn run(toolchain: &Toolchain, kind: InputKind, file: &Path, rng: &mut Rng) -> Result<(String, Option<Finding>)> {
    let (mut command, input) = command(toolchain, kind, file, rng)?;
    let log = file.with_extension("said");
    let out = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    command.stdin(input.map_or_else(Stdio::null, Stdio::from)).stdout(out.try_clone()?).stderr(out);
    command.env("LLVM_SYMBOLIZER_PATH", toolchain.llvm_tool("llvm-symbolizer"));
    let line = process::line(&command);
    let mut child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
    let end = watch::wait(&mut child)?;
    let output = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    Ok((line, of_end(end, &output, &tool(&command))))
}

fn tool(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A random command, and its standard input, if it reads that.
fn command(toolchain: &Toolchain, kind: InputKind, file: &Path, rng: &mut Rng) -> Result<(Command, Option<File>)> {
    let tool = |name: &str| toolchain.command(build::tool(name));
    let mut command = match kind {
        InputKind::Messages => tool("tile-lsp-server"),
        InputKind::Cases => tool("tile-conformance"),
        InputKind::Ptx => tool("tile-run"),
        InputKind::Ir | InputKind::Bytecode => match rng.below(8) {
            0 => tool("tile-translate"),
            1 => tool("tile-run"),
            2 => toolchain.command(toolchain.llvm_tool("mlir-opt")),
            _ => tool("tile-opt"),
        },
    };
    match self::tool(&command).as_str() {
        "tile-lsp-server" => {
            let input = File::open(file)?;
            command.arg("-lit-test");
            return Ok((command, Some(input)));
        }
        "tile-translate" => drop(command.arg("--tile-to-ptx").arg(file)),
        "tile-run" => drop(command.arg(file).args(launch(kind, file, rng))),
        "mlir-opt" => {
            let plugin = build::tool("libtile_plugin.so");
            let plugin = plugin.display();
            command.arg(format!("--load-dialect-plugin={plugin}")).arg(format!("--load-pass-plugin={plugin}"));
            command.arg("--pass-pipeline=builtin.module(lower-tile-copy{chip=sm_90a},tile-to-nvvm)").arg(file);
        }
        "tile-opt" => drop(command.args(rng.pick(OPT).copied().unwrap_or_default()).arg(file)),
        _ => drop(command.arg(file)),
    }
    Ok((command, None))
}

/// Flags for the launch of the first kernel; for MLIR, those that fit most of the demonstration programs.
fn launch(kind: InputKind, file: &Path, rng: &mut Rng) -> Vec<String> {
    let mut flags: Vec<String> = ["--max-steps", "100000", "--schedule"].map(str::to_owned).to_vec();
    flags.push(["fair", "random", "all"][rng.below(3)].to_owned());
    let text = if kind == InputKind::Ptx { std::fs::read(file).unwrap_or_default() } else { Vec::new() };
    let text = String::from_utf8_lossy(&text).into_owned();
    let Some((_, kernel)) = text.split_once(".entry") else {
        flags.extend(["--arg=f32[32x32]=random", "--arg=f32[32x32]=poison", "--expect-equal=0,1"].map(str::to_owned));
        return flags;
    };
    let (name, rest) = kernel.split_once('(').unwrap_or((kernel, ""));
    let parameters = rest.split(')').next().unwrap_or_default();
    flags.extend(["--entry".to_owned(), name.trim().to_owned()]);
    for parameter in parameters.split(',').filter(|parameter| !parameter.trim().is_empty()).take(64) {
        let wide = parameter.contains("64");
        flags.push(if wide { "--arg=f32[4096]=random" } else { "--arg=i32=3" }.to_owned());
    }
    if !kernel.contains(".reqntid") {
        flags.push("--block=64".to_owned());
    }
    flags
}
