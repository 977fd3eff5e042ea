//! Tables that the functions of a module share: variables, signatures, opcode names.

use std::collections::{BTreeSet, HashMap};

use super::frames::Frames;
use super::provenance::Origin;
use crate::code::{Symbol, Within};
use crate::parse::ast::Variable;
use crate::parse::{ParseError, Result};

/// The calling interface of a device function.
#[derive(Debug, Clone)]
pub(crate) struct Signature {
    /// (offset in the call parameters, size in bytes) of each parameter.
    pub(crate) params: Vec<(u64, u64)>,
    pub(crate) returns: Vec<(u64, u64)>,
    /// Index of its first instruction; while functions that call each other are decoded, their frames will have it.
    pub(crate) entry: u32,
    pub(crate) frame: Option<FrameOf>,
}

/// The frame of a recursive function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameOf {
    /// Index into the program's frames.
    pub(crate) index: u32,
    /// The index of the first frame of the functions that call each other.
    pub(crate) first: u32,
    /// The first offset of the memory of these functions.
    pub(crate) start: u64,
}

#[derive(Default)]
pub(crate) struct Table {
    pub(crate) symbols: Vec<Declared>,
    /// For each function name, its index in the module and, once it is decoded, its signature.
    pub(crate) functions: HashMap<String, (usize, Option<Signature>)>,
    /// The file names of source locations.
    pub(crate) files: HashMap<u64, String>,
    /// Whether an instruction reads the address of the memory through which a grid synchronizes.
    pub(crate) cooperates: bool,
    /// The functions whose addresses the module takes.
    pub(crate) taken: BTreeSet<usize>,
    pub(crate) opcodes: Vec<String>,
    opcode_index: HashMap<String, u32>,
    /// The locations that `.loc` has named.
    pub(crate) frames: Frames,
    /// Sets of shared variables.
    pub(crate) variables: Vec<Vec<u32>>,
}

impl Table {
    /// Adds a variable; returns its symbol index.
    pub(crate) fn declare(&mut self, v: &Variable, scope_is_module: bool) -> Result<u32> {
        let symbol = Symbol {
            name: v.name.clone(),
            space: v.space,
            align: v.align,
            size: v.size,
            init: v.init.clone(),
            relocations: v.relocations.clone(),
        };
        if scope_is_module && self.symbols.iter().any(|s| s.scope_is_module && s.symbol.name == v.name) {
            return Err(ParseError::new(v.at, format!("`{}` is declared twice", v.name)));
        }
        self.symbols.push(Declared { symbol, scope_is_module });
        Ok((self.symbols.len() - 1) as u32)
    }

    /// The functions that a call through an address may reach, in the order of the text.
    pub(crate) fn addressed(&self) -> Vec<(usize, Signature)> {
        let decoded = |(index, signature): &(usize, Option<Signature>)| Some((*index, signature.clone()?));
        let mut functions: Vec<_> = self.functions.values().filter_map(decoded).collect();
        functions.retain(|(index, _)| self.taken.contains(index));
        functions.sort_unstable_by_key(|(index, _)| *index);
        functions
    }

    /// The number of an opcode for the counters.
    pub(crate) fn opcode(&mut self, text: String) -> u32 {
        let next = self.opcodes.len() as u32;
        *self.opcode_index.entry(text).or_insert_with_key(|text| {
            self.opcodes.push(text.clone());
            next
        })
    }

    /// Converts an origin to the form that addresses use.
    pub(crate) fn within(&mut self, origin: Origin) -> Within {
        let Origin::From(symbols) = origin else { return Within::Any };
        let symbols: Vec<u32> = symbols.into_iter().collect();
        if let [one] = symbols[..] {
            return Within::One(one);
        }
        let known = self.variables.iter().position(|set| *set == symbols);
        Within::Set(known.unwrap_or_else(|| {
            self.variables.push(symbols);
            self.variables.len() - 1
        }) as u32)
    }
}

/// A module-level symbol during decoding.
pub(crate) struct Declared {
    pub(crate) symbol: Symbol,
    /// Whether it is declared at module level, so that every function sees it.
    pub(crate) scope_is_module: bool,
}
