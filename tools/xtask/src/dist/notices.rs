//! The licences of everything that is linked into the library: of the crates, by the lock file, and of the static libraries, by the
//! packages that they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;
use crate::setup::Toolchain;
use crate::workspace;

/// The crate that is linked.
const LINKED: &str = "tile-capi";

/// The text of the file.
pub fn text(toolchain: &Toolchain, archives: &[PathBuf]) -> Result<String> {
    let mut text =
        "libTile.so, which all of these tools use, has parts of other projects inside. Their licences:\n".to_owned();
    for (package, licence) in packages(archives)? {
        section(&mut text, &package, &licence);
    }
    for (licence, crates) in crates(toolchain)? {
        section(&mut text, &crates.into_iter().collect::<Vec<_>>().join(", "), &licence);
    }
    Ok(text)
}

fn section(text: &mut String, title: &str, licence: &str) {
    let line = "=".repeat(80);
    let _ = write!(text, "\n{line}\n{title}\n{line}\n\n{}\n", licence.trim());
}

/// The Debian packages of the archives, each with its copyright file.
fn packages(archives: &[PathBuf]) -> Result<BTreeMap<String, String>> {
    let mut owners = BTreeMap::new();
    let listed = process::stdout(process::command("dpkg-query").arg("--search").args(archives))
        .context("the licences of static libraries are taken from Debian's packages")?;
    for line in listed.lines() {
        let Some((package, _)) = line.split_once(": ") else { continue };
        let name = package.split(':').next().unwrap_or(package);
        let path = Path::new("/usr/share/doc").join(name).join("copyright");
        let licence = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        owners.insert(name.to_owned(), String::from_utf8_lossy(&licence).into_owned());
    }
    Ok(owners)
}

/// Each text of a licence with the crates that have it: all that the library is built of on this platform.
fn crates(toolchain: &Toolchain) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut cargo = toolchain.cargo();
    cargo.args(["metadata", "--format-version=1", "--locked", "--filter-platform=x86_64-unknown-linux-gnu"]);
    let metadata: Value = serde_json::from_str(&process::stdout(&mut cargo)?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let is_linked = |package: &&Value| package["name"] == LINKED && package["source"].is_null();
    let linked = packages.iter().find(is_linked).with_context(|| format!("cargo metadata has no {LINKED}"))?;
    for id in dependencies(&metadata, string(linked, "id"))? {
        let package =
            packages.iter().find(|package| package["id"] == id).context("cargo metadata has no such package")?;
        if package["source"].is_null() {
            continue; // A crate of this workspace.
        }
        let name = format!("{} {}", string(package, "name"), string(package, "version"));
        let folder = Path::new(string(package, "manifest_path")).parent().context("a manifest without a folder")?;
        for licence in licences(folder, string(package, "license"))? {
            texts.entry(licence).or_default().insert(name.clone());
        }
    }
    Ok(texts)
}

/// The identifiers of the crates that a crate depends on, itself included, except those that only build scripts and tests use.
fn dependencies(metadata: &Value, root: &str) -> Result<BTreeSet<String>> {
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata resolves nothing")?;
    let mut todo = vec![root];
    let mut reached = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if !reached.insert(id.to_owned()) {
            continue;
        }
        let node =
            nodes.iter().find(|node| node["id"] == id).with_context(|| format!("cargo metadata resolves no {id}"))?;
        for dependency in node["deps"].as_array().into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            if kinds.into_iter().any(|kind| kind["kind"].is_null()) {
                todo.push(string(dependency, "pkg"));
            }
        }
    }
    Ok(reached)
}

/// The licence files of a crate; where it has none, the name of its licence.
fn licences(folder: &Path, name: &str) -> Result<Vec<String>> {
    let is_licence = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start))
    };
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file() && is_licence(path)).collect();
    paths.sort();
    let texts = paths.iter().map(fs::read).collect::<std::io::Result<Vec<_>>>()?;
    let texts: Vec<String> = texts.iter().map(|text| String::from_utf8_lossy(text).trim().to_owned()).collect();
    if !texts.is_empty() {
        return Ok(texts);
    }
    if name.is_empty() {
        bail!("{} states no licence, and has no file with one", workspace::shown(folder));
    }
    Ok(vec![format!("Licensed under {name}.")])
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_only_builds_is_not_linked() {
        let dependency = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let node = |id: &str, deps: Vec<Value>| json!({"id": id, "deps": deps});
        let root = node("root", vec![dependency("a", Value::Null), dependency("built", json!("build"))]);
        let metadata = json!({"resolve": {"nodes": [
            root,
            node("a", vec![dependency("b", Value::Null), dependency("root", Value::Null)]),
            node("b", vec![dependency("tests", json!("dev"))]),
            node("built", vec![]),
            node("tests", vec![]),
        ]}});
        let reached = dependencies(&metadata, "root").unwrap();
        assert_eq!(reached.into_iter().collect::<Vec<_>>(), ["a", "b", "root"]);
        assert!(dependencies(&metadata, "c").is_err());
    }
}
