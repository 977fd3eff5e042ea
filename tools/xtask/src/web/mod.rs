//! `cargo xtask web`: pages as one file each, with a tool in them as WebAssembly.

mod examples;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::process;
use crate::setup::Toolchain;
use crate::workspace;

/// A page of docs/web, and the module in it.
struct Page {
    name: &'static str,
    /// The scripts that become part of it.
    scripts: &'static [&'static str],
    /// What rustc calls the machine that the module is for.
    target: &'static str,
    /// What cargo builds, and the file that it writes.
    package: &'static [&'static str],
    module: &'static str,
}

/// The page of layouts: `tile-layout`, called as a function.
const LAYOUTS: Page = Page {
    name: "layouts",
    scripts: &["layouts.js"],
    target: "wasm32-unknown-unknown",
    package: &["--package", "layout-web"],
    module: "layout_web.wasm",
};

/// The page of kernels: `tile-run`, as a program without a GPU.
const PLAYGROUND: Page = Page {
    name: "playground",
    scripts: &["wasi.js", "playground.js"],
    target: "wasm32-wasip1",
    package: &["--package", "tile-run", "--bin", "tile-run", "--no-default-features"],
    module: "tile-run.wasm",
};

/// Where a page has its module, and where its examples.
const MODULE: &str = "<script id=\"module\" type=\"application/wasm;base64\"></script>";
const EXAMPLES: &str = "<script id=\"examples\" type=\"application/json\"></script>";

/// The folder of the pages, in which nothing else is.
pub fn folder() -> PathBuf {
    workspace::target().join("web")
}

/// Whether both pages have been written.
pub fn are_written() -> bool {
    [LAYOUTS, PLAYGROUND].iter().all(|page| page.path().is_file())
}

/// Whether rustc can compile for the web; where it cannot, rustup is asked for the standard libraries.
pub fn is_possible(toolchain: &Toolchain) -> bool {
    [LAYOUTS, PLAYGROUND].iter().all(|page| page.is_possible(toolchain))
}

/// Builds the modules of both pages.
///
/// # Errors
/// A missing target, and a failed build.
pub fn build(toolchain: &Toolchain) -> Result<()> {
    [LAYOUTS, PLAYGROUND].iter().try_for_each(|page| page.build(toolchain))
}

/// Writes both pages. The examples of kernels are compiled by the tools, which must have been built.
///
/// # Errors
/// A missing target, a failed build, and a page without the places for what it gets.
pub fn write(toolchain: &Toolchain) -> Result<[PathBuf; 2]> {
    Ok([LAYOUTS.write(toolchain, &[])?, PLAYGROUND.write(toolchain, &[(EXAMPLES, examples::compiled()?)])?])
}

impl Page {
    fn is_possible(&self, toolchain: &Toolchain) -> bool {
        self.has_target(toolchain)
            || process::which("rustup").is_some()
                && process::output(toolchain.command("rustup").args(["target", "add", self.target])).is_ok()
                && self.has_target(toolchain)
    }

    fn has_target(&self, toolchain: &Toolchain) -> bool {
        let mut rustc = toolchain.command("rustc");
        let printed = process::stdout(rustc.args(["--print", "target-libdir", "--target", self.target]));
        printed.is_ok_and(|folder| PathBuf::from(folder.trim()).is_dir())
    }

    /// Writes the page with its module, its scripts, and the contents of other elements.
    fn write(&self, toolchain: &Toolchain, contents: &[(&str, String)]) -> Result<PathBuf> {
        let mut page = self.with_scripts()?;
        for (element, content) in [(MODULE, self.module(toolchain)?)].iter().chain(contents) {
            page = self.filled(&page, element, &element.replace("></", &format!(">{content}</")))?;
        }
        fs::create_dir_all(folder())?;
        fs::write(self.path(), page)?;
        Ok(self.path())
    }

    fn path(&self) -> PathBuf {
        folder().join(format!("{}.html", self.name))
    }

    fn build(&self, toolchain: &Toolchain) -> Result<()> {
        let target = self.target;
        let expected =
            || format!("rustc has no standard library for {target}; expected `rustup target add {target}` to work");
        ensure!(self.is_possible(toolchain), expected());
        let mut cargo = toolchain.cargo();
        process::run(cargo.args(["build", "--quiet", "--profile", "web", "--target", target]).args(self.package))
    }

    /// The module, in base64.
    fn module(&self, toolchain: &Toolchain) -> Result<String> {
        self.build(toolchain)?;
        let path = workspace::target().join(self.target).join("web").join(self.module);
        Ok(STANDARD.encode(fs::read(&path).with_context(|| format!("cannot read {}", workspace::shown(&path)))?))
    }

    /// The page of docs/web with its scripts in it.
    fn with_scripts(&self) -> Result<String> {
        let read = |name: &str| {
            let path = workspace::root().join("docs/web").join(name);
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", workspace::shown(&path)))
        };
        let mut page = read(&format!("{}.html", self.name))?;
        for script in self.scripts {
            page =
                self.filled(&page, &format!(" src=\"{script}\"></script>"), &format!(">\n{}</script>", read(script)?))?;
        }
        Ok(page)
    }

    /// The page with a part replaced that it has once.
    fn filled(&self, page: &str, part: &str, by: &str) -> Result<String> {
        let count = page.matches(part).count();
        ensure!(count == 1, "docs/web/{}.html has {part} {count} times, expected once", self.name);
        Ok(page.replace(part, by))
    }
}
