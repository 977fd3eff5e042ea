//! The modifiers of an opcode, taken in order; what is not taken is an error.

/// Modifiers that are still to be read.
#[derive(Debug)]
pub(crate) struct Mods<'a> {
    all: &'a [String],
    next: usize,
}

impl<'a> Mods<'a> {
    pub(crate) fn new(all: &'a [String]) -> Self {
        Self { all, next: 0 }
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.all.get(self.next).map(String::as_str)
    }

    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let found = self.peek();
        self.next += usize::from(found.is_some());
        found
    }

    /// Takes the next modifier where it is `name`.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        let hit = self.peek() == Some(name);
        self.next += usize::from(hit);
        hit
    }

    /// Takes the next modifier where `f` knows it.
    pub(crate) fn take_map<T>(&mut self, f: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let found = f(self.peek()?)?;
        self.next += 1;
        Some(found)
    }

    /// Takes the first of `names` that comes next, as its index.
    pub(crate) fn take_one(&mut self, names: &[&str]) -> Option<usize> {
        self.take_map(|m| names.iter().position(|&n| n == m))
    }
}
