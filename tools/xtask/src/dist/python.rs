//! The programs of PyPI that make and judge a wheel, and the wheel.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::setup::numpy;
use crate::workspace;

/// A compiler that links against an old glibc, what judges the symbols that a wheel needs, and pip's build back end.
const WHEELS: [&str; 6] =
    ["--no-deps", "ziglang>=0.13", "auditwheel>=6", "pyelftools>=0.30", "packaging>=24", "setuptools>=70.1"];

/// The versions of glibc that a program may be linked for.
pub enum Glibc {
    /// What the tools need.
    Tools,
    /// What a program needs that says so where the tools do not run.
    Oldest,
}

/// What auditwheel must say of the wheel.
const PLATFORM: &str = "manylinux_2_28_x86_64";

/// The programs, in a folder for `PYTHONPATH`.
pub struct Tools {
    folder: PathBuf,
}

/// Fetches the programs, unless they are there.
pub fn fetch(folder: &Path) -> Result<Tools> {
    let tools = Tools { folder: folder.to_owned() };
    let import = || process::output(&mut tools.python(&["-c", "import auditwheel, setuptools, ziglang"]));
    if import().is_err() {
        println!("Fetching a compiler for an old glibc from PyPI into {}", workspace::shown(folder));
        numpy::install(folder, &WHEELS)?;
        import()?;
    }
    Ok(tools)
}

/// Makes the wheel with the bundle inside, and with the commands.
pub fn wheel(tools: &Tools, bundle: &Path, commands: &Path, output: &Path) -> Result<PathBuf> {
    let (source, wheels) = (output.join("source"), output.join("wheel"));
    super::remove(&source)?;
    super::remove(&wheels)?;
    // A build writes beside its sources.
    process::output(process::command("cp").arg("-r").arg(workspace::root().join("python")).arg(&source))?;
    let mut pip = tools.python(&["-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]);
    pip.arg("--wheel-dir").arg(&wheels).arg(&source).env("TILE_BUNDLE", bundle).env("TILE_COMMANDS", commands);
    pip.env("PIP_ROOT_USER_ACTION", "ignore").env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    process::output(&mut pip)?;
    let made = fs::read_dir(&wheels)?.next().context("pip made no wheel")??;
    let wheel = output.join(made.file_name());
    fs::rename(made.path(), &wheel)?;
    super::remove(&source)?;
    super::remove(&wheels)?;
    Ok(wheel)
}

impl Tools {
    /// A C compiler and linker for a version of glibc.
    pub fn compiler(&self, glibc: Glibc) -> Command {
        let target = match glibc {
            Glibc::Tools => "x86_64-linux-gnu.2.28",
            Glibc::Oldest => "x86_64-linux-gnu.2.17",
        };
        self.python(&["-m", "ziglang", "cc", "-target", target])
    }

    /// Fails where a wheel needs more than its tag promises.
    pub fn audit(&self, wheel: &Path) -> Result<()> {
        let verdict = process::stdout(self.python(&["-m", "auditwheel", "show"]).arg(wheel))?;
        let words = verdict.split_whitespace().collect::<Vec<_>>().join(" ");
        if !words.contains(&format!("following platform tag: \"{PLATFORM}\"")) {
            bail!("auditwheel says of {}, expected {PLATFORM}: {words}", workspace::shown(wheel));
        }
        Ok(())
    }

    fn python(&self, arguments: &[&str]) -> Command {
        let mut python = process::command("python3");
        python.args(arguments).env("PYTHONPATH", &self.folder);
        python
    }
}
