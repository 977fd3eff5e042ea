//! `cargo xtask docs`: reference pages from the TableGen definitions and the registry of variants, and pictures of layouts,
//! kept in docs/generated.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::setup::Toolchain;
use crate::workspace;
use crate::{build, process};

/// A page and the source that it is generated from.
struct Page {
    source: Source,
    /// The file below docs/generated.
    name: &'static str,
    /// The heading, where the generator writes none.
    title: Option<&'static str>,
}

/// The source of a page's text.
enum Source {
    /// The options of mlir-tblgen, and the TableGen file. The page of a dialect has its operations, attributes, types
    /// and enums.
    TableGen(&'static [&'static str], &'static str),
    /// The output of an example in one of the packages that the tools are built from. The build selects all of these
    /// packages, because for a single one cargo would choose other features, and rebuild what has been built.
    Example(&'static str),
    /// The picture that `tile-layout` draws for these arguments.
    Picture(&'static [&'static str]),
}

const PAGES: [Page; 5] = [
    Page {
        source: Source::TableGen(&["-gen-dialect-doc", "-dialect=tile"], "dialects/tile/td/Tile.td"),
        name: "TileDialect.md",
        title: None,
    },
    Page {
        source: Source::TableGen(&["-gen-pass-doc"], "passes/td/Passes.td"),
        name: "TilePasses.md",
        title: Some("# Passes\n\n"),
    },
    Page {
        source: Source::Example("variants"),
        name: "Variants.md",
        title: Some(
            "# Variants\n\nIn the order in which they are tried: the one with the highest priority that takes a copy does it.\n\n",
        ),
    },
    Page {
        source: Source::Picture(&["show", "(8, 4, 2) : (4@laneid, 1@laneid, 1)", "--shape", "8x8"]),
        name: "lanes.svg",
        title: None,
    },
    Page {
        source: Source::Picture(&[
            "banks",
            "(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>",
            "--lanes",
            "(8, 8) : (1@laneid, 1)",
        ]),
        name: "banks.svg",
        title: None,
    },
];

/// The include folders of the definitions, besides LLVM's.
const INCLUDE: [&str; 2] = ["dialects/tile/td", "passes/td"];

/// Writes all pages.
pub fn write(toolchain: &Toolchain) -> Result<()> {
    for page in &PAGES {
        let text = page.generate(toolchain)?;
        let path = page.path();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", workspace::shown(&path));
    }
    Ok(())
}

/// Fails with the first differing line of each page that is not what its definitions generate.
pub fn check(toolchain: &Toolchain) -> Result<()> {
    let mut stale = Vec::new();
    for page in &PAGES {
        let path = page.path();
        let kept = fs::read_to_string(&path).unwrap_or_default();
        if let Some(difference) = first_difference(&kept, &page.generate(toolchain)?) {
            stale.push(format!("{}:{difference}", workspace::shown(&path)));
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    bail!("generated pages are stale; type `cargo xtask docs` and commit them\n{}", stale.join("\n"))
}

impl Page {
    fn path(&self) -> PathBuf {
        workspace::root().join("docs/generated").join(self.name)
    }

    fn generate(&self, toolchain: &Toolchain) -> Result<String> {
        let mut command = match self.source {
            Source::TableGen(generator, source) => {
                let mut tblgen = toolchain.command(toolchain.llvm_tool("mlir-tblgen"));
                tblgen.args(generator).arg(source).arg("-I").arg(toolchain.prefix.join("include"));
                for folder in INCLUDE.iter().filter(|folder| workspace::root().join(folder).is_dir()) {
                    tblgen.arg("-I").arg(folder);
                }
                tblgen
            }
            Source::Example(example) => {
                built(toolchain, "--example", example)?;
                process::command(build::tool("examples").join(example))
            }
            Source::Picture(arguments) => {
                built(toolchain, "--bin", "tile-layout")?;
                let mut draw = process::command(build::tool("tile-layout"));
                draw.args(arguments).args(["--format", "svg"]);
                draw
            }
        };
        let text = tidy(&process::stdout(&mut command)?);
        Ok(format!("{}{text}", self.title.unwrap_or_default()))
    }
}

fn built(toolchain: &Toolchain, kind: &str, name: &str) -> Result<()> {
    let mut cargo = toolchain.cargo();
    process::run(cargo.args(["build", "--quiet", "--release", kind, name]).args(build::PACKAGES))
}

/// A page without the marker of a table of contents, which only LLVM's site replaces, and without trailing blanks.
fn tidy(page: &str) -> String {
    let kept: Vec<&str> = page.lines().map(str::trim_end).filter(|line| *line != "[TOC]").collect();
    let mut text = String::new();
    let mut blank = false;
    for line in kept {
        if !(blank && line.is_empty()) {
            text.push_str(line);
            text.push('\n');
        }
        blank = line.is_empty();
    }
    format!("{}\n", text.trim_end())
}

/// The first line, counted from 1, in which two texts differ: `7: got "…", expected "…"`.
fn first_difference(kept: &str, generated: &str) -> Option<String> {
    let (mut old, mut new) = (kept.lines(), generated.lines());
    for number in 1.. {
        let (got, expected) = (old.next(), new.next());
        match (got, expected) {
            (None, None) => break,
            (got, expected) if got == expected => {}
            (got, expected) => {
                let shown = |line: Option<&str>| line.map_or("the end".to_owned(), |text| format!("{text:?}"));
                return Some(format!("{number}: got {}, expected {}", shown(got), shown(expected)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some("2: got \"b\", expected \"c\"".into()));
        assert_eq!(first_difference("", "a\n"), Some("1: got the end, expected \"a\"".into()));
        assert_eq!(first_difference("a\nb", "a"), Some("2: got \"b\", expected the end".into()));
    }

    #[test]
    fn a_page_is_tidied_but_keeps_its_paragraphs() {
        assert_eq!(tidy("# T\n\n[TOC]\n\n\ntext \n\nmore\n\n\n"), "# T\n\ntext\n\nmore\n");
    }
}
