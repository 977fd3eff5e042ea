//! `cargo xtask bench examples`: the example kernels over rows on a GPU, beside the driver's copy, torch and Triton.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::setup::Toolchain;
use crate::workspace::{self, Profile};
use crate::{build, process};

/// The files of docs/examples whose kernels are measured.
const EXAMPLES: [&str; 6] = ["softmax", "softmax_long", "layer_norm", "layer_norm_rows", "argmax", "scale_rows"];

/// Measures on the GPU of this machine, and writes the table to `record`; with a folder to prepare, collects there what another machine
/// needs, which has Python with torch but no Rust.
pub fn run(toolchain: &Toolchain, prepare: Option<&Path>, record: Option<&Path>) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    let folder = prepare.map_or_else(|| workspace::target().join("examples"), Path::to_path_buf);
    fs::create_dir_all(&folder)?;
    for name in EXAMPLES {
        let source = workspace::root().join(format!("docs/examples/{name}.mlir"));
        let mut translate = toolchain.command(build::tool("tile-translate"));
        translate.arg("--tile-to-ptx").arg(source).arg("-o").arg(folder.join(format!("{name}.ptx")));
        process::run(&mut translate)?;
    }
    let script = workspace::root().join("tools/tile-bench/examples.py");
    if prepare.is_some() {
        fs::copy(script, folder.join("examples.py"))?;
        println!("there: python3 {0}/examples.py {0} [RECORD]", folder.display());
        return Ok(());
    }
    process::run(process::command("python3").arg(script).arg(folder).args(record))
}
