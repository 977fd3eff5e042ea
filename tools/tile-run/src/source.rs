//! The PTX of a file: the file itself, or the output of `tile-translate` for MLIR.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

/// The tool that prints PTX.
const TRANSLATE: &str = "tile-translate";

/// Why there is no PTX.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The name ends in neither `.ptx` nor `.mlir`.
    #[error("got file `{0}`, expected a name that ends in .ptx or .mlir")]
    Name(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The translator cannot be started.
    #[error("cannot start {path}, which prints the PTX of MLIR files: {error}\n{HINT}")]
    Start {
        /// The translator.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The translator has rejected the file, and printed the reason on standard error.
    #[error("tile-translate printed no PTX for {0}")]
    Translate(PathBuf),
    /// The same for SPIR-V.
    #[error("tile-translate wrote no SPIR-V for {0}")]
    SpirV(PathBuf),
    /// The name ends in neither `.spv` nor `.mlir`.
    #[error("got file `{0}`, expected a name that ends in .spv or .mlir")]
    SpirVName(PathBuf),
}

const HINT: &str = "`cargo xtask build` builds it next to this tool; PATH is searched, too";

/// Reads or generates the PTX of a file.
///
/// The translator's messages go to standard error.
pub fn ptx(path: &Path, translation: &Translation<'_>) -> Result<String, SourceError> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("ptx") => std::fs::read_to_string(path).map_err(|error| SourceError::Read { path: path.into(), error }),
        Some("mlir") => translate(path, translation),
        _ => Err(SourceError::Name(path.into())),
    }
}

/// Reads or generates the SPIR-V of a file for a portable target; `kernel` selects one of several.
///
/// # Errors
/// Another kind of file, or one that the translator rejects.
pub fn spirv(path: &Path, target: Option<&str>, kernel: Option<&str>) -> Result<Vec<u8>, SourceError> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("spv") => std::fs::read(path).map_err(|error| SourceError::Read { path: path.into(), error }),
        Some("mlir") => {
            let tool = translator();
            let mut command = Command::new(&tool);
            command.arg("--tile-to-spirv").arg(path).args(target.map(|target| format!("--chip={target}")));
            command.args(kernel.map(|kernel| format!("--kernel={kernel}")));
            let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
            let output = output.map_err(|error| SourceError::Start { path: tool, error })?;
            if output.status.success() { Ok(output.stdout) } else { Err(SourceError::SpirV(path.into())) }
        }
        _ => Err(SourceError::SpirVName(path.into())),
    }
}

/// What of an MLIR file is translated to PTX, and how; `None` leaves it to the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Translation<'a> {
    /// The chip.
    pub chip: Option<&'a str>,
    /// The only kernel that is compiled, of several.
    pub kernel: Option<&'a str>,
    /// The passes that compile it.
    pub passes: Option<&'a str>,
}

/// Runs the translator on an MLIR file.
pub fn translate(path: &Path, translation: &Translation<'_>) -> Result<String, SourceError> {
    let tool = translator();
    let mut command = Command::new(&tool);
    command.args(["--tile-to-ptx", "--line-info", "--declarations"]).arg(path);
    let Translation { chip, kernel, passes } = translation;
    for (name, value) in [("chip", chip), ("kernel", kernel), ("passes", passes)] {
        command.args(value.map(|value| format!("--{name}={value}")));
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| SourceError::Start { path: tool, error })?;
    match String::from_utf8(output.stdout) {
        Ok(ptx) if output.status.success() => Ok(ptx),
        _ => Err(SourceError::Translate(path.into())),
    }
}

/// The translator.
fn translator() -> PathBuf {
    tool(TRANSLATE)
}

/// The path of a tool next to this program, if it exists; else its bare name, to be found through `PATH`.
pub fn tool(name: &str) -> PathBuf {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(&name)));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_and_missing_ones_are_refused() {
        let error = |path: &str| ptx(Path::new(path), &Translation::default()).unwrap_err().to_string();
        assert_eq!(error("a.cu"), "got file `a.cu`, expected a name that ends in .ptx or .mlir");
        assert!(error("no/such.ptx").starts_with("cannot read no/such.ptx: "));
        let error = spirv(Path::new("a.ptx"), None, None).unwrap_err().to_string();
        assert_eq!(error, "got file `a.ptx`, expected a name that ends in .spv or .mlir");
    }
}
