//! The paths in the text of a module: in its imports, its code, and its macro arguments.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use crate::tree::is_of_tests;

/// A path that the text mentions.
pub struct Mention {
    /// Its segments; `*` is left out.
    pub path: Vec<String>,
    /// The line in which it starts.
    pub line: usize,
}

/// The paths in `items`, without those in the modules that they declare.
pub fn of(items: &[Item]) -> Vec<Mention> {
    let mut finder = Finder(Vec::new());
    items.iter().for_each(|item| finder.visit_item(item));
    finder.0
}

struct Finder(Vec<Mention>);

impl Finder {
    fn push(&mut self, path: &[&Ident]) {
        let Some(first) = path.first() else { return };
        let line = first.span().start().line;
        self.0.push(Mention { path: path.iter().map(|ident| ident.to_string()).collect(), line });
    }

    fn import<'a>(&mut self, tree: &'a UseTree, prefix: &mut Vec<&'a Ident>) {
        let last = match tree {
            UseTree::Path(path) => {
                prefix.push(&path.ident);
                self.import(&path.tree, prefix);
                prefix.pop();
                return;
            }
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.import(tree, prefix)),
            UseTree::Glob(_) => None,
            UseTree::Name(name) => Some(&name.ident),
            UseTree::Rename(rename) => Some(&rename.ident),
        };
        let path: Vec<_> = prefix.iter().copied().chain(last.filter(|last| *last != "self")).collect();
        self.push(&path);
    }

    /// Finds paths in macro arguments, which are unparsed tokens: `a::b::c` among them is a path.
    fn tokens(&mut self, tokens: &TokenStream) {
        let (mut path, mut colons) = (Vec::<Ident>::new(), 0);
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.push(&std::mem::take(&mut path).iter().collect::<Vec<_>>());
                    }
                    path.push(ident);
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => colons += 1,
                other => {
                    self.push(&std::mem::take(&mut path).iter().collect::<Vec<_>>());
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(&group.stream());
                    }
                }
            }
        }
        self.push(&path.iter().collect::<Vec<_>>());
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        let of_tests = match item {
            Item::Mod(_) => true,
            Item::Fn(item) => is_of_tests(&item.attrs),
            Item::Impl(item) => is_of_tests(&item.attrs),
            Item::Use(item) => is_of_tests(&item.attrs),
            _ => false,
        };
        if !of_tests {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.push(&path.segments.iter().map(|segment| &segment.ident).collect::<Vec<_>>());
        visit::visit_path(self, path);
    }

    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(&call.tokens);
    }

    /// Attributes are skipped: documentation may mention anything.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}
