//! `cargo xtask demo`: shows one file at each stage of the compiler, with the commands that a user would type.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::build;
use crate::process;
use crate::setup::Toolchain;
use crate::workspace::{self, Profile};

/// Options of the demo.
#[derive(clap::Args)]
pub struct DemoOptions {
    /// The file to lower.
    #[arg(default_value = "test/Seeds/gmem_smem.mlir")]
    file: PathBuf,
    /// Leave out the PTX.
    #[arg(long)]
    no_ptx: bool,
}

/// Builds the tools, then shows input, remarks, lowered IR and PTX of a file.
pub fn show(toolchain: &Toolchain, options: &DemoOptions) -> Result<()> {
    if !build::tool("tile-opt").exists() {
        println!("Building the tools: about 5 minutes, this time only");
    }
    build::tools(toolchain, Profile::Release)?;
    let file = options.file.as_path();
    let text = std::fs::read_to_string(workspace::root().join(file))
        .with_context(|| format!("cannot read {}", file.display()))?;
    heading(&file.display().to_string());
    // The lines after the program are lit and FileCheck directives.
    let program = text.split("// RUN:").next().unwrap_or(&text);
    println!("{}", program.trim_end());

    let scans: &[&str] = if program.contains("tile.scan ") { &["--lower-tile-scan"] } else { &[] };
    step(toolchain.command(build::tool("tile-opt")).arg(file).args(scans).arg("--lower-tile-copy"))?;

    let mut remarks = toolchain.command(build::tool("tile-opt"));
    remarks.arg(file).args(scans).args([
        "--lower-tile-copy",
        "--remarks-filter=.*",
        "--remark-format=emitRemark",
        "-o",
        "/dev/null",
    ]);
    step(&mut remarks)?;

    if options.no_ptx {
        return Ok(());
    }
    step(toolchain.command(build::tool("tile-translate")).arg(file).arg("--tile-to-ptx"))
}

/// Shows a command and its output on both streams.
fn step(command: &mut Command) -> Result<()> {
    heading(&shown(command));
    let output = process::output(command)?;
    for stream in [&output.stderr, &output.stdout] {
        let text = String::from_utf8_lossy(stream);
        if !text.trim().is_empty() {
            println!("{}", text.trim_end());
        }
    }
    Ok(())
}

/// The command without the folder of the built tools.
fn shown(command: &Command) -> String {
    let folder = format!("{}/", workspace::bin(Profile::Release).display());
    process::line(command).replace(&folder, "")
}

fn heading(title: &str) {
    println!("\n━━ {title} {}\n", "━".repeat(96_usize.saturating_sub(title.chars().count())));
}
