//! libclang, which bindgen loads when it builds mlir-sys.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Where distributions put it when it is not in LLVM's own prefix.
const SYSTEM: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];

/// The folder that holds libclang: the prefix's `lib`, else `LIBCLANG_PATH`, else the system's.
pub fn find(prefix: &Path) -> Result<PathBuf> {
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

/// The file names under which bindgen finds it: `libclang.so`, `libclang.so.22`, `libclang-22.so.1`, `libclang.dylib`.
fn is_libclang(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let rest = rest.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    rest == ".so" || rest.starts_with(".so.") || rest == ".dylib"
}

#[cfg(test)]
mod tests {
    use super::*;

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
