//! `cargo xtask web`: the page of layouts as one file, with `tile-layout` in it as WebAssembly.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::process;
use crate::setup::Toolchain;
use crate::workspace;

const TARGET: &str = "wasm32-unknown-unknown";

/// Where the page has its script, and where the module.
const SCRIPT: &str = "<script src=\"layouts.js\"></script>";
const MODULE: &str = "<script id=\"module\" type=\"application/wasm;base64\"></script>";

/// The folder of the page, in which it is the only file.
pub fn folder() -> PathBuf {
    workspace::target().join("web")
}

/// Whether rustc can compile for the web; where it cannot, rustup is asked for the standard library.
pub fn is_possible(toolchain: &Toolchain) -> bool {
    has_target(toolchain)
        || process::which("rustup").is_some()
            && process::output(toolchain.command("rustup").args(["target", "add", TARGET])).is_ok()
            && has_target(toolchain)
}

fn has_target(toolchain: &Toolchain) -> bool {
    let printed = process::stdout(toolchain.command("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    printed.is_ok_and(|folder| PathBuf::from(folder.trim()).is_dir())
}

/// Writes the page.
///
/// # Errors
/// A missing target, a failed build, and a page without the places for both.
pub fn write(toolchain: &Toolchain) -> Result<PathBuf> {
    ensure!(
        is_possible(toolchain),
        "rustc has no standard library for {TARGET}; expected `rustup target add {TARGET}` to work"
    );
    let arguments = ["build", "--quiet", "--profile", "web", "--package", "layout-web", "--target", TARGET];
    process::run(toolchain.cargo().args(arguments))?;
    let read = |path: PathBuf| fs::read(&path).with_context(|| format!("cannot read {}", workspace::shown(&path)));
    let source =
        |name: &str| -> Result<String> { Ok(String::from_utf8(read(workspace::root().join("docs/web").join(name))?)?) };
    let module = STANDARD.encode(read(workspace::target().join(TARGET).join("web/layout_web.wasm"))?);
    let page = source("layouts.html")?;
    let page = filled(&page, MODULE, &MODULE.replace("></", &format!(">{module}</")))?;
    let page = filled(&page, SCRIPT, &format!("<script>\n{}</script>", source("layouts.js")?))?;
    fs::create_dir_all(folder())?;
    let path = folder().join("layouts.html");
    fs::write(&path, page)?;
    Ok(path)
}

/// The page with a part replaced that it has once.
fn filled(page: &str, part: &str, by: &str) -> Result<String> {
    let count = page.matches(part).count();
    ensure!(count == 1, "docs/web/layouts.html has {part} {count} times, expected once");
    Ok(page.replace(part, by))
}
