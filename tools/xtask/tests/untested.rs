//! Targets that are not built as tests (`test = false`) have no tests, which would never run.

use std::fs;
use std::path::{Path, PathBuf};

fn manifests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            manifests(&path, found);
        } else if path.ends_with("Cargo.toml") {
            found.push(path);
        }
    }
}

fn has_tests(folder: &Path) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).any(|path| {
        if path.is_dir() {
            has_tests(&path)
        } else {
            fs::read_to_string(&path).is_ok_and(|text| text.contains("#[test]"))
        }
    })
}

#[test]
fn what_is_not_tested_has_no_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the checkout");
    let mut found = Vec::new();
    for folder in ["bindings", "dialects", "passes", "tools"] {
        manifests(&root.join(folder), &mut found);
    }
    let untested = |path: &&PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("\ntest = false"));
    let untested: Vec<_> = found.iter().filter(untested).collect();
    assert!(untested.len() > 5, "{untested:?}");
    for manifest in untested {
        let sources = manifest.with_file_name("src");
        assert!(!has_tests(&sources), "{} has tests, but its manifest says test = false", sources.display());
    }
}
