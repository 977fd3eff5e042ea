//! Whether ptxas keeps registers of kernels in memory that deny `spills`.
//!
//! ```text
//! ptxas info    : Function properties for copy
//!     24 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads
//! ```

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

/// Bytes that a thread stores to memory, and loads from it, since it has too few registers.
struct Spilled {
    stores: u64,
    loads: u64,
}

/// # Errors
/// Why they are not known.
fn spilled(kernel: &str, ptx: &str, chip: &str) -> Result<Spilled, String> {
    let ptxas = on_path("ptxas").ok_or("there is no ptxas on the PATH")?;
    let input = Input::new(ptx).map_err(|error| format!("the PTX cannot be written for ptxas: {error}"))?;
    let run = Command::new(ptxas).args(["-v", "-o", null(), "-arch", chip]).arg(&input.0).output();
    let output = run.map_err(|error| format!("ptxas cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("ptxas refuses the PTX: {}", said.lines().next().unwrap_or("without a word")));
    }
    properties(kernel, &said).ok_or_else(|| format!("ptxas says nothing of the registers of `{kernel}`"))
}

/// What ptxas says of a kernel.
fn properties(kernel: &str, said: &str) -> Option<Spilled> {
    let heading = format!("Function properties for {kernel}");
    let (_, numbers) = said.lines().zip(said.lines().skip(1)).find(|(line, _)| line.ends_with(&heading))?;
    let bytes = |what: &str| {
        let part = numbers.split(',').find(|part| part.ends_with(what))?;
        part.trim().split(' ').next()?.parse().ok()
    };
    Some(Spilled { stores: bytes("bytes spill stores")?, loads: bytes("bytes spill loads")? })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

fn null() -> &'static str {
    if cfg!(windows) { "NUL" } else { "/dev/null" }
}

/// A file of PTX, which is removed in the end.
struct Input(PathBuf);

impl Input {
    fn new(ptx: &str) -> std::io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tile-{}-{number}.ptx", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        let input = Input(path);
        file.write_all(ptx.as_bytes())?;
        Ok(input)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        let path: &Path = &self.0;
        // A file that is left is of no use to anybody, and harms nobody.
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_the_kernel_that_is_asked_for_are_read() {
        let said = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Function properties for other\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Function properties for copy\n    24 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n";
        let found = properties("copy", said).map(|found| (found.stores, found.loads));
        assert_eq!(found, Some((16, 20)));
        assert_eq!(properties("other", said).map(|found| found.stores), Some(0));
        assert!(properties("py", "").is_none());
    }
}
