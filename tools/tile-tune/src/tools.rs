//! The compiler, as processes.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tile_plan::linalg::ProductCandidate;
use tile_run::source;

use crate::error::TuneError;

/// Where LLVM is, if nothing says otherwise: the variable that the bindings read, and the place of Debian's packages.
const PREFIX: &str = "MLIR_SYS_220_PREFIX";
const INSTALLED: &str = "/usr/lib/llvm-22";

/// The programs that make kernels.
#[derive(Debug, clap::Args)]
pub struct CompilerTools {
    /// LLVM's mlir-opt [default: that of MLIR_SYS_220_PREFIX, of /usr/lib/llvm-22, or in PATH].
    #[arg(long, value_name = "FILE")]
    mlir_opt: Option<PathBuf>,
    /// The plugin [default: libtile_plugin next to this tool, or in lib beside its folder].
    #[arg(long, value_name = "FILE")]
    plugin: Option<PathBuf>,
}

impl CompilerTools {
    fn mlir_opt(&self) -> PathBuf {
        let name = format!("mlir-opt{}", env::consts::EXE_SUFFIX);
        let prefixes = env::var_os(PREFIX).into_iter().chain([OsString::from(INSTALLED)]);
        let mut installed = prefixes.map(|prefix| Path::new(&prefix).join("bin").join(&name));
        self.mlir_opt.clone().or_else(|| installed.find(|path| path.is_file())).unwrap_or_else(|| name.into())
    }

    fn plugin(&self) -> Result<PathBuf, TuneError> {
        let name = format!("libtile_plugin{}", env::consts::DLL_SUFFIX);
        let beside = source::tool(&name);
        let installed = || Some(env::current_exe().ok()?.parent()?.parent()?.join("lib").join(&name));
        let default = || if beside.is_file() { beside.clone() } else { installed().unwrap_or(beside.clone()) };
        let plugin = self.plugin.clone().unwrap_or_else(default);
        plugin.canonicalize().map_err(|_| TuneError::NoPlugin(plugin))
    }

    /// Runs the passes of a pipeline on a file, in a folder, from which the names in the pipeline count. Returns what they print.
    ///
    /// # Errors
    /// mlir-opt cannot be started, or refuses the file.
    pub fn run_passes(&self, pipeline: &str, file: &Path, folder: &Path, output: &str) -> Result<String, TuneError> {
        let (program, plugin) = (self.mlir_opt(), self.plugin()?);
        let mut command = Command::new(&program);
        for option in ["--load-dialect-plugin=", "--load-pass-plugin="] {
            let mut word = OsString::from(option);
            word.push(&plugin);
            command.arg(word);
        }
        command.arg(format!("--pass-pipeline={pipeline}")).arg(file).args(["-o", output]);
        let finished = command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let finished = finished.map_err(|error| TuneError::Start { path: program, error })?;
        let printed = String::from_utf8_lossy(&finished.stdout).into_owned();
        if finished.status.success() { Ok(printed) } else { Err(TuneError::Refused(file.into())) }
    }

    /// The schedules of a file's products that are worth timing, at most so many of each.
    ///
    /// # Errors
    /// As [`Self::run_passes`], or the passes are of another version than this tool.
    pub fn candidates(&self, file: &Path, chip: &str, most: u32) -> Result<Vec<ProductCandidate>, TuneError> {
        let pipeline = format!("builtin.module(tile-list-products{{chip={chip} candidates={most}}})");
        let lines = self.run_passes(&pipeline, file, Path::new("."), "/dev/null")?;
        lines.lines().map(|line| serde_json::from_str(line).map_err(TuneError::List)).collect()
    }
}
