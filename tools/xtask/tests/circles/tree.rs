//! The modules of a crate, and the names that each defines and imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree};

use crate::mentions::{self, Mention};

/// A module, which may be the root of a crate.
pub struct Module {
    /// Its full name, such as `crate::read::problem`.
    pub name: String,
    /// The file that contains it.
    pub file: PathBuf,
    /// The module that declares it; `None` for the root.
    pub parent: Option<usize>,
    /// The modules that it declares.
    pub children: BTreeMap<String, usize>,
    /// The items that it defines, except its children.
    pub items: BTreeSet<String>,
    /// The names that it imports, with the paths that they refer to.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The modules and enums from which it imports all names.
    pub globs: Vec<Vec<String>>,
    /// The paths in its text.
    pub mentions: Vec<Mention>,
}

/// All modules of a crate; the first is its root.
#[derive(Default)]
pub struct Tree {
    /// The modules, each after its parent.
    pub modules: Vec<Module>,
}

impl Tree {
    /// The crate whose root is the file `root`.
    pub fn read(root: &Path) -> Tree {
        let mut tree = Tree::default();
        let folder = root.parent().expect("a file is in a folder").to_path_buf();
        tree.add_file("crate".to_owned(), None, root.to_path_buf(), &folder);
        tree
    }

    /// The ancestors of a module, itself first.
    pub fn ancestors(&self, module: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(module), |&module| self.modules[module].parent)
    }

    fn add_file(&mut self, name: String, parent: Option<usize>, file: PathBuf, folder: &Path) -> usize {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add(name, parent, file, folder, &parsed.items)
    }

    fn add(&mut self, name: String, parent: Option<usize>, file: PathBuf, folder: &Path, items: &[Item]) -> usize {
        let id = self.modules.len();
        self.modules.push(Module {
            name,
            file,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            mentions: mentions::of(items),
        });
        for item in items.iter().filter(|item| !is_of_tests(attributes(item))) {
            match item {
                Item::Mod(module) => self.declare(id, module, folder),
                Item::Use(import) => self.import(id, &import.tree, &mut Vec::new()),
                other => self.modules[id].items.extend(defined(other)),
            }
        }
        id
    }

    fn declare(&mut self, id: usize, module: &syn::ItemMod, folder: &Path) {
        let (word, file) = (module.ident.to_string(), self.modules[id].file.clone());
        let (name, inner) = (format!("{}::{word}", self.modules[id].name), folder.join(&word));
        let child = match &module.content {
            Some((_, items)) => self.add(name, Some(id), file, &inner, items),
            None => {
                let usual = folder.join(format!("{word}.rs"));
                let usual = if usual.exists() { usual } else { inner.join("mod.rs") };
                let named = module.attrs.iter().find_map(path).map(|path| file.with_file_name(path));
                self.add_file(name, Some(id), named.unwrap_or(usual), &inner)
            }
        };
        self.modules[id].children.insert(word, child);
    }

    fn import(&mut self, id: usize, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(id, &path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) => self.bind(id, name.ident.to_string(), name.ident.to_string(), prefix),
            UseTree::Rename(rename) => self.bind(id, rename.rename.to_string(), rename.ident.to_string(), prefix),
            UseTree::Glob(_) => self.modules[id].globs.push(prefix.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(id, tree, prefix)),
        }
    }

    /// `use prefix::last as name`; `use prefix::self` binds the prefix.
    fn bind(&mut self, id: usize, name: String, last: String, prefix: &[String]) {
        let itself = last == "self";
        let name = if itself && name == last { prefix.last().cloned().unwrap_or(name) } else { name };
        let path = prefix.iter().cloned().chain((!itself).then_some(last)).collect();
        self.modules[id].imports.insert(name, path);
    }
}

/// The path in `#[path = "…"]`.
fn path(attribute: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(given) = &attribute.meta else { return None };
    match &given.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) if given.path.is_ident("path") => {
            Some(path.value())
        }
        _ => None,
    }
}

/// Whether the attributes include `#[cfg(test)]`.
pub fn is_of_tests(attributes: &[Attribute]) -> bool {
    let test = |attribute: &Attribute| attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"));
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && test(attribute))
}

/// The attributes of the kinds of items that may be only for tests.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
