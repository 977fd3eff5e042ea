//! The grammar for editors names the ops, types and attributes that the dialect has, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the checkout");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&read(&format!("tools/tile-lsp-server/editor/{name}"))).unwrap()
}

/// The names of the pattern that begins so.
fn listed(grammar: &Value, start: &str) -> BTreeSet<String> {
    let patterns = grammar["patterns"].as_array().unwrap().iter().map(|pattern| pattern["match"].as_str().unwrap());
    let list = patterns.filter_map(|pattern| pattern.strip_prefix(start)?.split_once(')')).next();
    list.unwrap_or_else(|| panic!("no pattern begins with {start}")).0.split('|').map(str::to_owned).collect()
}

/// The names that follow a marker in the reference of the dialect.
fn documented(marker: &str) -> BTreeSet<String> {
    let page = read("docs/generated/TileDialect.md");
    let end = |rest: &str| rest.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(rest.len());
    page.split(marker).skip(1).map(|rest| rest[..end(rest)].to_owned()).collect()
}

#[test]
fn names_are_those_of_the_dialect() {
    let grammar = json("tile.tmLanguage.json");
    assert_eq!(listed(&grammar, r"\btile\.(?:"), documented("### `tile."));
    assert_eq!(listed(&grammar, r"!tile\.(?:"), documented("!tile."));
    assert_eq!(listed(&grammar, r"#tile\.(?:"), documented("#tile."));
}

#[test]
fn the_extension_has_the_grammar() {
    let (grammar, extension) = (json("tile.tmLanguage.json"), json("package.json"));
    let contributed = &extension["contributes"]["grammars"][0];
    assert_eq!(contributed["scopeName"], grammar["scopeName"]);
    assert_eq!(contributed["path"], "./tile.tmLanguage.json");
    assert_eq!(extension["version"], env!("CARGO_PKG_VERSION"));
}
