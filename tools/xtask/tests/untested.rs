//! Finds tests that would never run. Targets that are not built as tests (`test = false`, `doctest = false`) must have
//! no tests and examples, except in modules that a program in `tests/` compiles through `#[path]`. If the manifest
//! names the programs in `tests/` (`autotests = false`), each file there must be one of these or a module of one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn manifests(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() && !path.ends_with("target") {
            manifests(&path, paths);
        } else if path.ends_with("Cargo.toml") {
            paths.push(path);
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// The roots of the crate's libraries and programs whose section in the manifest has the given line.
fn roots(manifest: &Path, line: &str) -> Vec<PathBuf> {
    let text = text(manifest);
    let sections = text.split("\n[").filter(|section| section.lines().any(|other| other == line));
    let path = |section: &str| {
        let given =
            section.lines().find_map(|line| Some(line.strip_prefix("path = \"")?.trim_end_matches('"').to_owned()));
        let usual = if section.starts_with("lib]") { "src/lib.rs" } else { "src/main.rs" };
        manifest.with_file_name(given.as_deref().unwrap_or(usual))
    };
    sections.map(path).collect()
}

/// A file and those of its modules.
fn files(root: &Path, paths: &mut Vec<PathBuf>) {
    let name = root.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let folder = match name {
        "lib" | "main" | "mod" => root.with_file_name(""),
        _ => root.with_extension(""),
    };
    for line in text(root).lines() {
        let Some((_, module)) = line.strip_suffix(';').and_then(|line| line.trim().rsplit_once("mod ")) else {
            continue;
        };
        let candidates = [folder.join(module).with_extension("rs"), folder.join(module).join("mod.rs")];
        candidates.iter().filter(|path| path.exists()).for_each(|path| files(path, paths));
    }
    paths.push(root.to_owned());
}

/// Whether a test program of the crate compiles this file of the library.
fn is_compiled_by_tests(file: &Path, manifest: &Path) -> bool {
    let Ok(inside) = file.strip_prefix(manifest.with_file_name("")) else { return false };
    let (folder, module) = (inside.with_file_name(""), inside.with_extension(""));
    let module = module.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let one = format!("#[path = \"../{}\"]\nmod {module};", inside.display());
    let all = format!("#[path = \"../{}\"]\n", folder.display().to_string().trim_end_matches('/'));
    let line = format!(" mod {module};");
    let compiles = |test: &str| {
        let rest = test.split_once(&all).map(|(_, rest)| rest.split("\n}").next().unwrap_or_default());
        test.contains(&one) || rest.is_some_and(|modules| modules.contains(&line))
    };
    entries(&manifest.with_file_name("tests")).iter().any(|test| compiles(&text(test)))
}

/// Whether documentation has an example that is compiled.
fn has_examples(text: &str) -> bool {
    let comments =
        text.lines().map(str::trim_start).filter_map(|line| line.get(3..).filter(|_| line.starts_with("//")));
    let mut fences = comments.filter_map(|comment| comment.trim_start().strip_prefix("```"));
    // The first fence of each pair names the language; the default is Rust.
    std::iter::from_fn(|| Some((fences.next()?, fences.next()))).any(|(language, _)| !language.starts_with("text"))
}

/// All manifests of the workspace's crates.
fn all_manifests() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the checkout");
    let mut paths = Vec::new();
    for folder in ["bindings", "dialects", "passes", "tools"] {
        manifests(&root.join(folder), &mut paths);
    }
    paths
}

/// All files of the targets with the given line in their manifest, each with the manifest.
fn of_targets(line: &str) -> Vec<(PathBuf, PathBuf)> {
    let mut all = Vec::new();
    for manifest in all_manifests() {
        for root in roots(&manifest, line) {
            assert!(root.exists(), "{} of {}", root.display(), manifest.display());
            let mut of_root = Vec::new();
            files(&root, &mut of_root);
            all.extend(of_root.into_iter().map(|file| (file, manifest.clone())));
        }
    }
    all
}

#[test]
fn what_is_not_tested_has_no_tests() {
    let files = of_targets("test = false");
    assert!(files.len() > 100, "{files:?}");
    let mut elsewhere = 0;
    for (file, manifest) in &files {
        if text(file).contains("#[test]") {
            let compiled = is_compiled_by_tests(file, manifest);
            assert!(compiled, "{} has tests, but its manifest says test = false", file.display());
            elsewhere += 1;
        }
    }
    assert!(elsewhere > 0, "no program in tests/ is found that compiles a file of the library");
}

/// `cargo xtask test` names the packages whose unit tests it runs.
#[test]
fn unit_tests_of_every_package_run() {
    let workspace = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workspace.rs"));
    let (_, list) = workspace.split_once("\npub const UNITS: ").expect("the list of packages");
    let (list, _) = list.split_once("];").expect("its end");
    let named: BTreeSet<&str> = list.split("(\"").skip(1).filter_map(|entry| entry.split('"').next()).collect();
    let untested: Vec<PathBuf> = of_targets("test = false").into_iter().map(|(file, _)| file).collect();
    let manifests: Vec<_> = all_manifests().into_iter().map(|manifest| (manifest.clone(), text(&manifest))).collect();
    let mut with_tests = BTreeSet::new();
    for (manifest, given) in &manifests {
        let mut of_package = Vec::new();
        for root in ["src/lib.rs", "src/main.rs"].map(|root| manifest.with_file_name(root)) {
            if root.exists() {
                files(&root, &mut of_package);
            }
        }
        if of_package.iter().any(|file| !untested.contains(file) && text(file).contains("#[test]")) {
            let (_, name) = given.split_once("name = \"").expect("the package's name");
            with_tests.extend(name.split('"').next());
        }
    }
    assert_eq!(named, with_tests);
}

#[test]
fn what_is_not_tested_has_no_examples() {
    let files = of_targets("doctest = false");
    assert!(files.len() > 50, "{files:?}");
    for (file, _) in &files {
        assert!(!has_examples(&text(file)), "{} has examples, but its manifest says doctest = false", file.display());
    }
    assert!(
        has_examples("/// ```\n/// f();\n/// ```")
            && has_examples("//! ```text\n//! ```\n    /// ```no_run\n    /// ```")
    );
    assert!(!has_examples("/// ```text\n/// f();\n/// ```\nfn f() {}"));
}

#[test]
fn every_file_of_tests_is_in_a_program() {
    let named = all_manifests().into_iter().filter(|file| text(file).lines().any(|line| line == "autotests = false"));
    let mut crates = 0;
    for manifest in named {
        let (given, folder) = (text(&manifest), manifest.with_file_name("tests"));
        let programs: Vec<&str> =
            given.lines().filter_map(|line| line.strip_prefix("path = \"tests/")?.strip_suffix('"')).collect();
        let modules: Vec<String> = programs.iter().map(|program| text(&folder.join(program))).collect();
        let is_code = |path: &PathBuf| is_rust(path) || entries(path).iter().any(|file| is_rust(file));
        for path in entries(&folder).into_iter().filter(is_code) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name of letters");
            let module = format!("\nmod {};\n", name.trim_end_matches(".rs"));
            let is_program = |program: &&str| *program == name || program.split('/').next() == Some(name);
            let known = programs.iter().any(is_program) || modules.iter().any(|source| source.contains(&module));
            assert!(known, "{} is in no program that {} names", path.display(), manifest.display());
        }
        crates += 1;
    }
    assert!(crates > 5, "{crates} crates name their test programs");
}
