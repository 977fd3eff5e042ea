//! Checks that no two modules of a crate need each other, apart from a module and those inside it.
//!
//! A folder is treated as one module with everything in it: if `read/copy.rs` uses `expand::index` and
//! `expand/access.rs` uses `read::sizes`, then `read` and `expand` form a circle. A module needs the definitions of the
//! paths in its text, and the modules that re-export them. Tests are left out; they may use anything.

mod mentions;
mod resolve;
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use tree::Tree;

/// Uses of one module by another: the location and text of the first, and their number.
struct Uses {
    first: String,
    count: usize,
}

/// The uses between sibling modules, by the module that declares them.
type Edges = BTreeMap<usize, BTreeMap<(usize, usize), Uses>>;

/// The sibling modules that contain `from` and `to`, preceded by the module that declares them; `None` if one is inside
/// the other.
fn siblings(tree: &Tree, from: usize, to: usize) -> Option<(usize, usize, usize)> {
    let way = |module| tree.ancestors(module).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>();
    let (from, to) = (way(from), way(to));
    let fork = from.iter().zip(&to).position(|(from, to)| from != to)?;
    Some((from[fork - 1], from[fork], to[fork]))
}

fn edges(tree: &Tree, root: &Path) -> Edges {
    let mut edges = Edges::new();
    for (id, module) in tree.modules.iter().enumerate() {
        let file = module.file.strip_prefix(root).unwrap_or(&module.file).display();
        let mut known = HashMap::new();
        for mention in &module.mentions {
            let needed = known.entry(&mention.path).or_insert_with(|| resolve::needed(tree, id, &mention.path));
            for (parent, from, to) in needed.iter().filter_map(|&needed| siblings(tree, id, needed)) {
                let first = || format!("{file}:{}: {}", mention.line, mention.path.join("::"));
                let uses = edges.entry(parent).or_default().entry((from, to));
                uses.or_insert_with(|| Uses { first: first(), count: 0 }).count += 1;
            }
        }
    }
    edges
}

/// A description of each circle: its modules, and one use for each pair of modules of which one needs the other.
fn circles(tree: &Tree, root: &Path) -> Vec<String> {
    let mut messages = Vec::new();
    for edges in edges(tree, root).values() {
        let graph = DiGraph::<(), (), usize>::from_edges(edges.keys().copied());
        for circle in tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1) {
            let circle: Vec<_> = circle.into_iter().map(|node| node.index()).collect();
            let name = |module: usize| tree.modules[module].name.as_str();
            let mut modules: Vec<_> = circle.iter().map(|&module| name(module)).collect();
            modules.sort_unstable();
            let mut text = format!("{} need each other:", modules.join(", "));
            for (&(from, to), uses) in
                edges.iter().filter(|((from, to), _)| circle.contains(from) && circle.contains(to))
            {
                let more = if uses.count > 1 { format!(" and {} more", uses.count - 1) } else { String::new() };
                text += &format!("\n  {} needs {}: {}{more}", name(from), name(to), uses.first);
            }
            messages.push(text);
        }
    }
    messages
}

/// The roots of all crates of the workspace: libraries, programs, build scripts.
fn roots(root: &Path) -> Vec<PathBuf> {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace has a manifest");
    let members = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']')).expect("members").0;
    let members = members.split('"').skip(1).step_by(2).map(|member| root.join(member));
    let files = members
        .flat_map(|member| ["src/lib.rs", "src/main.rs", "build/main.rs", "build.rs"].map(|file| member.join(file)));
    files.filter(|file| file.exists()).collect()
}

#[test]
fn no_two_modules_need_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the workspace");
    let roots = roots(root);
    assert!(roots.len() > 20, "the crates are found: {roots:?}");
    let circles: Vec<_> = roots
        .iter()
        .flat_map(|file| {
            let shown = file.strip_prefix(root).unwrap_or(file).display();
            circles(&Tree::read(file), root)
                .into_iter()
                .map(move |circle| format!("{shown}: {circle}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(circles.is_empty(), "{} circles:\n\n{}", circles.len(), circles.join("\n\n"));
}

/// Writes a crate with the given files into a separate folder, and returns the path of its root.
fn written(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }
    folder.join("lib.rs")
}

#[test]
fn circles_are_found_through_imports_folders_and_macros() {
    let root = written(
        "circle",
        &[
            ("lib.rs", "mod base; mod emit; mod read; pub use emit::index::Index;"),
            ("base.rs", "pub fn one() -> u32 { 1 }"),
            ("read.rs", "pub mod sizes { pub fn of() -> u32 { vec![crate::Index::first(), crate::base::one()][0] } }"),
            ("emit/mod.rs", "pub mod index;\npub mod access;"),
            ("emit/index.rs", "pub struct Index; impl Index { pub fn first() -> u32 { 0 } }"),
            ("emit/access.rs", "use crate::base;\nuse crate::read::{sizes, sizes::of as all};\nfn f() { all(); }"),
        ],
    );
    let [circle] = circles(&Tree::read(&root), root.parent().unwrap()).try_into().expect("one circle");
    assert!(circle.starts_with("crate::emit, crate::read need each other:"), "{circle}");
    assert!(
        circle.contains("crate::emit needs crate::read: emit/access.rs:2: crate::read::sizes and 2 more"),
        "{circle}"
    );
    assert!(circle.contains("crate::read needs crate::emit: read.rs:1: crate::Index::first"), "{circle}");
}

#[test]
fn a_module_and_those_inside_it_may_need_each_other() {
    let root = written(
        "parent",
        &[
            ("lib.rs", "mod family; fn all() { family::each() }"),
            ("family/mod.rs", "mod one; mod two; pub trait Family {}\npub fn each() { one::One; two::two(); }"),
            ("family/one.rs", "use super::Family; pub struct One; impl Family for One {}"),
            ("family/two.rs", "pub fn two() {} #[cfg(test)] mod tests { use super::super::one::One; }"),
        ],
    );
    assert_eq!(circles(&Tree::read(&root), root.parent().unwrap()), Vec::<String>::new());
}
