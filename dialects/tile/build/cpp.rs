//! Compiles the C++ of a crate, for the build scripts of all crates that have C++.
//!
//! All sources of a folder are one translation unit, because each of them takes 2 to 15 seconds for MLIR's headers and
//! little for itself. So names that are local to a file must differ from those of the other files, and a file that lacks
//! an `#include` may compile thanks to an earlier one.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The compilation of one crate's C++: its flags and header folders so far.
pub struct Cpp {
    build: cc::Build,
}

impl Cpp {
    /// The flags common to all crates, for the LLVM at `prefix`; the compiler is the `cc` crate's choice unless one is
    /// named.
    pub fn new(prefix: &Path, compiler: Option<&str>) -> Self {
        let mut build = cc::Build::new();
        // This is glue between Rust and MLIR: -O3 would double the build time.
        build.opt_level(1);
        if env::var("CARGO_CFG_SANITIZE").unwrap_or_default().contains("address") {
            // Undefined behaviour traps, which needs no runtime; `vptr` needs RTTI, which LLVM is built without.
            build
                .flag("-fsanitize=address,undefined")
                .flag("-fno-sanitize=vptr")
                .flag("-fsanitize-undefined-trap-on-error");
        }
        build
            .cpp(true)
            .std("c++17")
            .flag("-fno-rtti")
            .flag("-fno-exceptions")
            .flag("-Wall")
            .flag("-Wno-unused-parameter");
        if let Some(compiler) = compiler {
            build.compiler(compiler);
        }
        // MLIR's own headers do not compile without warnings.
        build.flag("-isystem").flag(prefix.join("include").to_str().expect("the prefix is a Unicode path"));
        Self { build }
    }

    /// Adds a folder of headers.
    pub fn include(&mut self, folder: impl AsRef<Path>) -> &mut Self {
        self.build.include(folder);
        self
    }

    /// Compiles all sources of a folder into the library `name`, and has cargo link it. Returns the compiler.
    pub fn compile(&self, folder: &Path, name: &str) -> cc::Tool {
        let compiler = self.build.get_compiler();
        if is_clippy() {
            return compiler;
        }
        let folder = folder.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut unit = String::from("// Written by the build script.\n");
        for source in sources(&folder) {
            writeln!(unit, "#include \"{}\"", source.display()).expect("a string takes all that is written");
        }
        let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says OUT_DIR to build scripts"));
        let path = out.join(name).with_extension("cpp");
        fs::write(&path, unit).expect("OUT_DIR can be written");
        self.build.clone().file(path).compile(name);
        compiler
    }
}

/// Whether clippy runs the build script, which links nothing. Because of this wrapper cargo keeps clippy's artefacts of
/// the workspace separate from the compiler's, so no build will miss the library.
fn is_clippy() -> bool {
    env::var("RUSTC_WORKSPACE_WRAPPER").is_ok_and(|wrapper| wrapper.contains("clippy-driver"))
}

/// The sources of a folder, sorted by name.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    sources.sort();
    assert!(!sources.is_empty(), "{} has no C++", folder.display());
    sources
}
