//! Names in nested scopes (PTX ISA 4.3, 5.4): registers, predicates, variables, labels.

use std::collections::HashMap;

use crate::code::{Pred, Reg};
use crate::parse::{ParseError, Position, Result, Type};

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A module-level (or function-scope static) variable: an index into the program's symbols.
    Symbol(u32),
    /// Offset in the thread's local memory.
    Local(u64),
    /// Offset in the thread's call parameters.
    CallParam(u64),
    /// Offset in the kernel's parameters.
    KernelParam(u64),
}

/// What a name means.
#[derive(Debug, Clone)]
pub(crate) enum Binding {
    Register {
        index: Reg,
        ty: Type,
    },
    Predicate(Pred),
    Variable {
        place: Place,
        size: u64,
    },
    Label(u32),
    /// The label names of a `.branchtargets` list.
    Targets(Vec<String>),
}

/// The scopes that are open, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    open: Vec<HashMap<String, Binding>>,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        self.open.push(HashMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    pub(crate) fn declare(&mut self, name: &str, binding: Binding, at: Position) -> Result<()> {
        let Some(scope) = self.open.last_mut() else {
            return Err(ParseError::new(at, "a declaration outside a function"));
        };
        match scope.insert(name.to_string(), binding) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(at, format!("`{name}` is declared twice in this scope"))),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Binding> {
        self.open.iter().rev().find_map(|scope| scope.get(name))
    }
}
