//! `cargo xtask site`: the documentation as a website. mkdocs.yml says how it looks; links that lead nowhere and misspelt
//! words are errors.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::build;
use crate::process;
use crate::setup::{Toolchain, numpy};
use crate::web;
use crate::workspace::{self, Profile};

/// The generator, its highlighting of MLIR, what keeps the versions of a site, and the checker of spelling.
const WHEELS: [&str; 5] =
    ["mkdocs>=1.6,<2", "mkdocs-material>=9.5,<10", "mlir-pygments>=1,<2", "mike>=2.1,<3", "codespell>=2.3,<3"];

/// The options of the checker. The words are Rust's, and a buffer's.
const SPELLING: [&str; 3] = ["--builtin=clear,rare", "--ignore-words-list=crate,mut,ws", "--"];

/// Options of `cargo xtask site`.
#[derive(Args)]
pub struct SiteOptions {
    /// Push it to the branch gh-pages as this version, and under the names that follow, such as `latest`.
    #[arg(long, num_args = 1.., value_name = "VERSION")]
    publish: Vec<String>,
}

/// Builds the site in target/site, or publishes it.
pub fn run(toolchain: &Toolchain, options: &SiteOptions) -> Result<()> {
    let tools = workspace::target().join("site-tools");
    fetch(&tools)?;
    let pages = process::stdout(process::command("git").args(["ls-files", "*.md"]))?;
    process::run(program(&tools, "codespell")?.args(SPELLING).args(pages.lines()))?;
    build::tools(toolchain, Profile::Release)?;
    web::write(toolchain)?;
    let written = web::folder();
    let Some(version) = options.publish.first() else {
        process::run(program(&tools, "mkdocs")?.args(["build", "--quiet"]).env("WEB_PAGES", written))?;
        println!("target/site/index.html");
        return Ok(());
    };
    let mut mike = program(&tools, "mike")?;
    mike.args(["deploy", "--push", "--update-aliases"]).args(&options.publish).env("WEB_PAGES", written);
    process::run(&mut mike)?;
    // Before the first release, the address without a version leads to what there is.
    let released = process::output(program(&tools, "mike")?.args(["list", "latest"])).is_ok();
    let default = if released { "latest" } else { version.as_str() };
    process::run(program(&tools, "mike")?.args(["set-default", "--push", default]))
}

/// Fetches the programs, unless they are there.
fn fetch(folder: &Path) -> Result<()> {
    let import = || {
        let mut python = process::command("python3");
        python.args(["-c", "import codespell_lib, material, mike, mlir_pygments"]).env("PYTHONPATH", folder);
        process::output(&mut python)
    };
    if import().is_err() {
        println!("Fetching MkDocs Material from PyPI into {}", workspace::shown(folder));
        numpy::install(folder, &WHEELS)?;
        import()?;
    }
    Ok(())
}

/// One of the programs, which find each other.
fn program(folder: &Path, name: &str) -> Result<Command> {
    let bin = folder.join("bin");
    let mut command = process::command(bin.join(name));
    let others = env::var_os("PATH").unwrap_or_default();
    let paths: Vec<PathBuf> = [bin].into_iter().chain(env::split_paths(&others)).collect();
    command.env("PATH", env::join_paths(paths).context("a folder of PATH has a colon in its name")?);
    // The generator announces its successor at each start.
    command.env("PYTHONPATH", folder).env("NO_MKDOCS_2_WARNING", "1");
    Ok(command)
}
