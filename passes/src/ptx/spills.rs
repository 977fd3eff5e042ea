//! Whether ptxas keeps registers of kernels in memory that deny `spills`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_ops::interface;
use tile_plan::contract::Denial;

use super::kernels::lowered;
use super::ptxas_report::Spilled;
use crate::contracts;

/// Checks the PTX of the kernels in a module; `false` after an error at one that denies spills, and has some. Where ptxas is not on
/// the `PATH`, or refuses the text, a warning says that nothing was checked.
pub(super) fn check(module: OperationRef<'_, '_>, ptx: &str, chip: &str) -> bool {
    let mut keeps = true;
    for kernel in lowered(module) {
        let (by, name) = (contracts::denier(kernel, Denial::Spills), interface::symbol_name(kernel));
        let Some((by, name)) = by.zip(name) else { continue };
        match spilled(&name, ptx, chip) {
            Ok(Spilled { stores: 0, loads: 0 }) => {}
            Ok(Spilled { stores, loads }) => {
                let got = format_args!("{stores} bytes of stores and {loads} of loads");
                keeps = contracts::report(kernel, by, &Denial::Spills.broken(got, "none"));
            }
            Err(why) => Diagnostic::warning(format!("denies spills, which are not counted: {why}")).emit(kernel),
        }
    }
    keeps
}

/// # Errors
/// Why they are not known.
fn spilled(kernel: &str, ptx: &str, chip: &str) -> Result<Spilled, String> {
    let ptxas = on_path("ptxas").ok_or("there is no ptxas on the PATH")?;
    let input = PtxFile::new(ptx).map_err(|error| format!("the PTX cannot be written for ptxas: {error}"))?;
    let run = Command::new(ptxas).args(["-v", "-o", null(), "-arch", chip]).arg(&input.0).output();
    let output = run.map_err(|error| format!("ptxas cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("ptxas refuses the PTX: {}", text.lines().next().unwrap_or("without a word")));
    }
    Spilled::read(kernel, &text).ok_or_else(|| format!("ptxas says nothing of the registers of `{kernel}`"))
}

fn on_path(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

fn null() -> &'static str {
    if cfg!(windows) { "NUL" } else { "/dev/null" }
}

/// A file of PTX, which is removed in the end.
struct PtxFile(PathBuf);

impl PtxFile {
    fn new(ptx: &str) -> std::io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tile-{}-{number}.ptx", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        let input = PtxFile(path);
        file.write_all(ptx.as_bytes())?;
        Ok(input)
    }
}

impl Drop for PtxFile {
    fn drop(&mut self) {
        let path: &Path = &self.0;
        // A file that is left is of no use to anybody, and harms nobody.
        let _ = std::fs::remove_file(path);
    }
}
