//! `cargo xtask install`: installs the compiler, in the form that other compilers use, into one folder.
//!
//! ```text
//!   bin           the tools
//!   lib           libTile.so, the plugin of a stock mlir-opt, the runtime of host programs
//!   lib/cmake     find_package(Tile), find_package(TileCompiler)
//!   include       tile/*.h, tile-c/*.h, tile/td/*.td
//! ```
//! The package may be moved: no file contains the path of the folder. Files do contain the path of the LLVM
//! installation that it was linked with, where the loader and CMake look first.

mod files;
mod library;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::setup::Toolchain;
use crate::workspace::{self, Profile};
use files::Tree;

/// The tools in `bin`.
pub const TOOLS: [&str; 5] = ["tile-opt", "tile-translate", "tile-lsp-server", "tile-run", "tile-layout"];

/// Libraries in `lib` beside `libTile.so`: the plugin, and what host programs call.
const LIBRARIES: [&str; 2] = ["libtile_plugin.so", "libtile_runtime.so"];

/// Public headers, below the checkout.
const HEADERS: [(&str, &str); 4] = [
    ("dialects/tile/include/tile", "include/tile"),
    ("passes/include/tile", "include/tile"),
    ("bindings/c/include/tile-c", "include/tile-c"),
    ("dialects/tile/td", "include/tile/td"),
];

/// CMake files and their folders.
const CMAKE: [(&str, &str); 5] = [
    ("TileConfig.cmake", "tile"),
    ("TileConfigVersion.cmake", "tile"),
    ("TileMLIR.cmake", "tile"),
    ("TileTargets.cmake", "tile"),
    ("TileCompilerConfig.cmake", "tilecompiler"),
];

/// The default prefix, with which the tests are configured.
pub fn default_prefix() -> PathBuf {
    workspace::target().join("tile")
}

/// Installs the release build into a prefix.
pub fn into(toolchain: &Toolchain, prefix: &Path) -> Result<()> {
    let prefix = &std::env::current_dir()?.join(prefix);
    let (root, built) = (workspace::root(), workspace::bin(Profile::Release));
    let tree = Tree::new(prefix);
    for (from, to) in HEADERS {
        tree.copy_all(&root.join(from), to)?;
    }
    // The build script of bindings/c gathers these.
    let generated = built.join("tile-include");
    tree.copy_all(&generated.join("tile"), "include/tile")?;
    for tool in TOOLS {
        tree.copy(&built.join(tool), &format!("bin/{tool}"))?;
    }
    for library in LIBRARIES {
        tree.copy(&built.join(library), &format!("lib/{library}"))?;
    }
    tree.copy(&root.join("LICENSE"), "share/tile/LICENSE")?;
    library::link(toolchain, &built, &tree)?;
    let family = read(&generated.join("family"))?;
    write_cmake(toolchain, &tree, family.trim())
}

/// Installs the archive of the same library beside it.
pub fn archive_into(prefix: &Path) -> Result<()> {
    let tree = Tree::new(&std::env::current_dir()?.join(prefix));
    tree.copy(&workspace::bin(Profile::Release).join("libtile_capi.a"), "lib/libTile.a")
}

/// Writes the CMake files, filling in the values of this build.
fn write_cmake(toolchain: &Toolchain, tree: &Tree, family: &str) -> Result<()> {
    let mlir = toolchain.version()?;
    let prefix = toolchain.prefix.display().to_string();
    let (minor, _) = library::version();
    let known = [
        ("@TILE_VERSION@", env!("CARGO_PKG_VERSION")),
        ("@TILE_SOVERSION@", &library::soversion()),
        ("@TILE_MINOR@", &minor.to_string()),
        ("@MLIR_VERSION@", &mlir),
        ("@MLIR_PREFIX@", &prefix),
        ("@COMPILER_FAMILY@", family),
    ];
    for (name, folder) in CMAKE {
        let plain = workspace::root().join("cmake").join(name);
        let template = plain.with_extension("cmake.in");
        let mut text = read(if template.exists() { &template } else { &plain })?;
        for (variable, value) in known {
            text = text.replace(variable, value);
        }
        tree.write(&format!("lib/cmake/{folder}/{name}"), text.as_bytes())?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
