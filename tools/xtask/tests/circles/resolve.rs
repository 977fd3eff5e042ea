//! Resolves a path in a module's text to the modules that it leads through.

use crate::tree::Tree;

/// What a path refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// A module.
    Module(usize),
    /// An item of a module.
    Item(usize),
}

/// The modules of the crate that `path`, in the text of `module`, needs: those that re-export what it names, and the
/// one that defines it. Empty for what comes from another crate.
pub fn needed(tree: &Tree, module: usize, path: &[String]) -> Vec<usize> {
    let mut resolver = Resolver { tree, passed: Vec::new(), depth: 0 };
    let target = resolver.path(module, path);
    resolver.passed.extend(target.map(|(Found::Module(module) | Found::Item(module))| module));
    resolver.passed
}

struct Resolver<'a> {
    tree: &'a Tree,
    /// The modules whose imports were followed.
    passed: Vec<usize>,
    depth: usize,
}

impl Resolver<'_> {
    fn path(&mut self, module: usize, path: &[String]) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut target = match first.as_str() {
            "crate" => Found::Module(0),
            "self" => Found::Module(module),
            "super" => Found::Module(self.tree.modules[module].parent?),
            name => self.name(module, name)?,
        };
        for segment in rest {
            target = match target {
                Found::Module(inside) if segment == "super" => Found::Module(self.tree.modules[inside].parent?),
                Found::Module(inside) => self.name(inside, segment)?,
                // The rest is a variant or a function of a type.
                Found::Item(_) => break,
            };
        }
        Some(target)
    }

    /// Resolves a name in a module. The depth is limited because modules may import from each other.
    fn name(&mut self, module: usize, name: &str) -> Option<Found> {
        if self.depth > 16 {
            return None;
        }
        self.depth += 1;
        let target = self.look_up(module, name);
        self.depth -= 1;
        target
    }

    fn look_up(&mut self, module: usize, name: &str) -> Option<Found> {
        let here = &self.tree.modules[module];
        if let Some(&child) = here.children.get(name) {
            return Some(Found::Module(child));
        }
        if here.items.contains(name) {
            return Some(Found::Item(module));
        }
        if let Some(path) = here.imports.get(name) {
            let itself = path.len() == 1 && path[0] == name;
            self.passed.push(module);
            return if itself { None } else { self.path(module, path) };
        }
        here.globs.iter().find_map(|path| match self.path(module, path)? {
            Found::Module(inside) if inside != module => self.name(inside, name),
            _ => None,
        })
    }
}
