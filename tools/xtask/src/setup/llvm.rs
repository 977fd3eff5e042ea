//! Finds the LLVM 22 prefix and checks that it is complete; and finds libclang, which bindgen loads when mlir-sys is
//! built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use super::packages::{self, PREFIX};
use crate::process;

/// The prefix of Debian's packages.
const DEBIAN: &str = "/usr/lib/llvm-22";
/// The major version that the crates are bound to.
pub const MAJOR: u32 = 22;
/// The variable with which a user names an installation of the next major version.
const NEXT_PREFIX: &str = "TILE_NEXT_LLVM";

/// Files without which a build fails, each with what needs it.
const NEEDED: [(&str, &str); 7] = [
    ("bin/llvm-config", "llvm-sys, mlir-sys"),
    ("bin/mlir-tblgen", "the dialect's build"),
    ("lib/libLLVM.so", "every tool"),
    ("lib/libMLIR.so", "every tool"),
    ("lib/libMLIRCAPIIR.a", "every tool"),
    ("include/mlir-c/IR.h", "mlir-sys"),
    ("include/mlir/IR/OpBase.td", "the dialect's build"),
];

/// Files without which a test fails, too.
const NEEDED_BY_TESTS: [(&str, &str); 4] = [
    ("bin/mlir-opt", "the plugin's tests"),
    ("bin/FileCheck", "lit tests"),
    ("bin/lit", "lit tests"),
    ("bin/not", "lit tests"),
];

/// What an installation of LLVM is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To build the tools and run them.
    Build,
    /// To make a release, too.
    Release,
    /// To run the tests, too.
    Test,
}

impl Purpose {
    /// The packages that it takes.
    fn packages(self) -> &'static [&'static [&'static str]] {
        match self {
            Purpose::Build => &[packages::BUILD],
            Purpose::Release => &[packages::BUILD, packages::PYTHON, packages::RELEASE],
            Purpose::Test => &[packages::BUILD, packages::PYTHON, packages::TESTS],
        }
    }
}

/// The prefix named by the environment, else Debian's, which is installed if it is missing.
///
/// A prefix that the user named is never changed: if it lacks something, that is an error.
pub fn find_or_install(purpose: Purpose, force: bool) -> Result<PathBuf> {
    let prefix = env::var_os(PREFIX).map_or_else(|| PathBuf::from(DEBIAN), PathBuf::from);
    let mut lacking = lacks(&prefix, MAJOR, purpose);
    if prefix != Path::new(DEBIAN) {
        if !lacking.is_empty() {
            bail!(
                "{PREFIX} is {}, which is not a complete LLVM {MAJOR} with MLIR:\n{}",
                prefix.display(),
                lacking.join("\n")
            );
        }
        return Ok(prefix);
    }
    lacking.extend(lacks_clang(&prefix));
    if !lacking.is_empty() || force {
        packages::ensure_installed(purpose.packages())?;
        let mut still = lacks(&prefix, MAJOR, purpose);
        still.extend(lacks_clang(&prefix));
        if !still.is_empty() {
            bail!("the packages are installed, yet {DEBIAN} is not complete:\n{}", still.join("\n"));
        }
    }
    Ok(prefix)
}

/// The LLVM of the next major version: what the environment names, else Debian's usual folder; or a sentence that says
/// that there is none.
///
/// # Errors
/// If there is one that lacks something.
pub fn find_next() -> Result<Result<PathBuf, String>> {
    let next = MAJOR + 1;
    let named = env::var_os(NEXT_PREFIX).map(PathBuf::from);
    let usual = || PathBuf::from(DEBIAN.replace(&MAJOR.to_string(), &next.to_string()));
    let prefix = match named {
        Some(prefix) => prefix,
        None if usual().exists() => usual(),
        None => {
            let usual = usual();
            return Ok(Err(format!("LLVM {next} is neither in {} nor named by {NEXT_PREFIX}", usual.display())));
        }
    };
    match lacks(&prefix, next, Purpose::Test) {
        lacking if lacking.is_empty() => Ok(Ok(prefix)),
        lacking => bail!("{} is not a complete LLVM {next} with MLIR:\n{}", prefix.display(), lacking.join("\n")),
    }
}

/// What `prefix` lacks as an LLVM of a major version, one line each; empty if it can be used. The version is the one that
/// `llvm-config` states, which the crates that bind LLVM compare with theirs.
fn lacks(prefix: &Path, expected: u32, purpose: Purpose) -> Vec<String> {
    let tests = if purpose == Purpose::Test { NEEDED_BY_TESTS.as_slice() } else { &[] };
    let mut lines: Vec<String> = NEEDED
        .iter()
        .chain(tests)
        .filter(|(file, _)| !prefix.join(file).exists())
        .map(|(file, user)| format!("  {file} is missing (needed by {user})"))
        .collect();
    lines.extend(lacks_static_libraries(prefix));
    match process::stdout(Command::new(prefix.join("bin/llvm-config")).arg("--version")) {
        Ok(version) if major(&version) == Some(expected) => {}
        Ok(version) => lines.push(format!("  it is version {}, expected {expected}", version.trim_end())),
        Err(error) => lines.push(format!("  its version is unknown: {error:#}")),
    }
    lines
}

/// Checks that clang is there. Debian's LLVM is built by clang, and our C++ must be compiled by the same family of
/// compilers (dialects/tile/build/compiler.rs says why). An LLVM that was built by GCC does not need clang.
fn lacks_clang(prefix: &Path) -> Option<String> {
    let missing = !prefix.join("bin/clang++").exists();
    missing.then(|| "  bin/clang++ is missing (needed by the C++ of the dialect and the passes)".to_owned())
}

/// The static libraries that llvm-config names but that are missing, in one line. The crate tblgen, on which melior's
/// macros depend, links all of them; if llvm-config says that there are only shared ones, tblgen links those.
fn lacks_static_libraries(prefix: &Path) -> Option<String> {
    let mut config = Command::new(prefix.join("bin/llvm-config"));
    let named = process::stdout(config.args(["--link-static", "--libnames"])).ok()?;
    absent(&prefix.join("lib"), &named)
}

fn absent(folder: &Path, names: &str) -> Option<String> {
    let missing: Vec<&str> = names.split_whitespace().filter(|name| !folder.join(name).exists()).collect();
    let first = missing.first()?;
    Some(format!("  lib/{first} is missing, one of {} that llvm-config names (needed by tblgen)", missing.len()))
}

/// The version that the installed headers state, such as `22.1.8`.
pub fn version(prefix: &Path) -> Result<String> {
    let header = prefix.join("include/llvm/Config/llvm-config.h");
    let text = fs::read_to_string(&header).with_context(|| format!("cannot read {}", header.display()))?;
    parse_version(&text).with_context(|| format!("{} defines no LLVM_VERSION_STRING", header.display()))
}

fn parse_version(header: &str) -> Option<String> {
    let value = header.lines().find_map(|line| line.trim().strip_prefix("#define LLVM_VERSION_STRING"))?;
    let version = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    major(version).map(|_| version.to_owned())
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// The folders in which distributions install libclang if it is not in LLVM's own prefix.
const SYSTEM: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];

/// The folder with libclang: the prefix's `lib`, else `LIBCLANG_PATH`, else one of the system's.
pub fn find_libclang(prefix: &Path) -> Result<PathBuf> {
    let named = env::var_os("LIBCLANG_PATH").map(PathBuf::from);
    let places = std::iter::once(prefix.join("lib")).chain(named).chain(SYSTEM.map(PathBuf::from));
    match places.into_iter().find(|place| holds_libclang(place)) {
        Some(place) => Ok(place),
        None => bail!(
            "no libclang in {} or the system's library folders; bindgen needs it: install it (Debian: libclang-22-dev) \
             or set LIBCLANG_PATH to its folder",
            prefix.join("lib").display()
        ),
    }
}

fn holds_libclang(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| is_libclang(&entry.file_name().to_string_lossy()))
}

/// Whether bindgen finds libclang under a file name: `libclang.so`, `libclang.so.22`, `libclang-22.so.1`,
/// `libclang.dylib`.
fn is_libclang(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let rest = rest.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    rest == ".so" || rest.starts_with(".so.") || rest == ".dylib"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_read_from_the_header() {
        let header =
            "#define LLVM_VERSION_MAJOR 22\n/* LLVM version string */\n#define LLVM_VERSION_STRING \"22.1.8\"\n";
        assert_eq!(parse_version(header), Some("22.1.8".into()));
        assert_eq!(parse_version("#define LLVM_VERSION_MAJOR 22\n"), None);
        assert_eq!(parse_version("#define LLVM_VERSION_STRING 22"), None);
        assert_eq!(parse_version("#define LLVM_VERSION_STRING \"trunk\""), None);
    }

    #[test]
    fn an_empty_prefix_lacks_everything_and_a_full_one_nothing() {
        let prefix = env::temp_dir().join(format!("xtask-prefix-{}", std::process::id()));
        assert_eq!(lacks(&prefix, MAJOR, Purpose::Build).len(), NEEDED.len() + 1);
        assert_eq!(lacks(&prefix, MAJOR, Purpose::Test).len(), NEEDED.len() + NEEDED_BY_TESTS.len() + 1);
        assert!(lacks_clang(&prefix).is_some_and(|line| line.contains("bin/clang++ is missing")));
        fs::create_dir_all(&prefix).unwrap();
        let config = prefix.join("config");
        fs::write(&config, "#!/bin/sh\n[ $1 = --version ] && echo 22.9.1").unwrap();
        for (file, _) in NEEDED.iter().chain(&NEEDED_BY_TESTS) {
            // Another process writes the program, so that no other test's child holds it open while it is executed.
            process::run(Command::new("install").arg("-D").arg(&config).arg(prefix.join(file))).unwrap();
        }
        assert_eq!(lacks(&prefix, MAJOR, Purpose::Test), Vec::<String>::new());

        let libraries = absent(&prefix.join("lib"), "libLLVM.so libPolly.a libPollyISL.a\n");
        fs::remove_file(prefix.join("bin/not")).unwrap();
        assert_eq!(lacks(&prefix, MAJOR, Purpose::Build), Vec::<String>::new());
        let lines = lacks(&prefix, MAJOR + 1, Purpose::Test);
        fs::remove_dir_all(&prefix).unwrap();
        let expected = "  lib/libPolly.a is missing, one of 2 that llvm-config names (needed by tblgen)";
        assert_eq!(libraries.as_deref(), Some(expected));
        assert_eq!(lines, ["  bin/not is missing (needed by lit tests)", "  it is version 22.9.1, expected 23"]);
    }

    #[test]
    fn only_libclang_itself_counts() {
        for name in ["libclang.so", "libclang.so.22", "libclang-22.so.1", "libclang-22.so", "libclang.dylib"] {
            assert!(is_libclang(name), "{name}");
        }
        for name in ["libclang-cpp.so.22.1", "libclangAST.a", "libclang.a", "clang.so"] {
            assert!(!is_libclang(name), "{name}");
        }
    }
}
