//! From values to terms. Values wait on a list for the ones that they are made of, so that chains may have any length.

use melior::ir::{OperationRef, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use tile_isa::WARP;
use tile_plan::bounds::{MAX_ELEMENTS, SymbolFacts};
use tile_plan::terms::{Symbol, SymbolSource, Term, Terms};

use super::id::Id;
use super::rows::{ExtentNumber, MemrefExtent};
use crate::read::joins::{self, Join};
use crate::read::kernel;
use crate::read::values::key;

/// The maximum number of values that are looked at for one residue; all others may be any number.
const MAX_VALUES: usize = 256;

/// The depth up to which values are read while others are; those below wait on a list.
const MAX_DEPTH: usize = 32;

/// The origin of a symbol.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'c, 'a> {
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// The block's position in the grid.
    Block(usize),
    /// The number of threads of a block in one dimension.
    BlockSize(usize),
    /// The number of blocks of the grid in one dimension.
    GridSize(usize),
    /// A value.
    Value(Value<'c, 'a>),
    /// The extent of a memref in one dimension.
    Extent(Value<'c, 'a>, usize),
}

/// The identity of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Name {
    /// An id or a size.
    Id(Id),
    /// A value, by its identity, as is all below.
    Value(usize),
    /// The extent of a memref in one dimension.
    Extent(usize, usize),
    /// The stride of a memref in one dimension.
    Stride(usize, usize),
    /// The address that a memref or pointer holds.
    Pointer(usize),
    /// The address of the first element of a memref.
    Element(usize),
}

/// How far values are followed that are not computed from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// They are symbols.
    Computed,
    /// Where control flow makes them, to the values that they may be.
    Joined,
    /// To all that decides which threads have the same value.
    All,
}

/// The sizes of a launch, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Launch {
    /// Threads of a block along x, y and z.
    pub block: Option<[i64; 3]>,
    /// Blocks of the grid along x, y and z.
    pub grid: [Option<i64>; 3],
}

/// What is known of the symbols that an interpreter comes to.
pub trait LeafFacts<'c, 'a> {
    /// The range and the residue of a value that is not computed from others.
    fn unknown(&mut self, _value: Value<'c, 'a>) -> SymbolFacts {
        SymbolFacts::ANY
    }

    /// Called for each new symbol.
    fn named(&mut self, _term: Term, _symbol: &Symbol, _origin: Origin<'c, 'a>) {}

    /// Called for the id of a block and the size of its grid, where that is not known.
    fn below(&mut self, _terms: &mut Terms, _block: Term, _size: Term) {}
}

impl LeafFacts<'_, '_> for () {}

/// The terms of the values of one function.
pub struct Interpreter {
    pub(super) follow: Follow,
    /// Read from the function around a value where that is needed, unless it is given.
    pub(super) launch: Option<Launch>,
    /// Threads of a warp.
    pub(super) subgroup: i64,
    /// The address of the `gpu.launch` in whose body the values are used.
    pub(super) body: Option<usize>,
    values: FxHashMap<usize, Term>,
    symbols: FxHashMap<Name, Term>,
}

impl Interpreter {
    /// An interpreter of values of any function.
    pub fn new(follow: Follow) -> Self {
        let (values, symbols) = Default::default();
        Interpreter { follow, launch: None, subgroup: WARP, body: None, values, symbols }
    }

    /// An interpreter of the values used in one function, in blocks of a size and warps of `subgroup` threads, that follows
    /// [all](Follow::All).
    pub fn in_function(function: OperationRef<'_, '_>, block: Option<[i64; 3]>, subgroup: i64) -> Self {
        let body = kernel::is_launch(function).then(|| function.to_raw().ptr as usize);
        let launch = Some(Launch { block, grid: [None; 3] });
        Interpreter { launch, subgroup, body, ..Interpreter::new(Follow::All) }
    }

    /// The same interpreter, for values used in a launch.
    #[must_use]
    pub fn with_launch(self, launch: Launch) -> Self {
        Interpreter { launch: Some(launch), ..self }
    }

    /// A value as a term.
    pub fn term<'c: 'a, 'a>(
        &mut self,
        terms: &mut Terms,
        value: Value<'c, 'a>,
        leaves: &mut impl LeafFacts<'c, 'a>,
    ) -> Term {
        match self.values.get(&key(value)) {
            Some(&known) => known,
            None => {
                let (missing, later, joined) = Default::default();
                Run { interpreter: self, terms, leaves, depth: 0, missing, later, joined }.find(value)
            }
        }
    }

    /// The symbol of a name, and whether it is new.
    pub fn symbol<'c, 'a>(
        &mut self,
        terms: &mut Terms,
        (name, origin): (Name, Origin<'c, 'a>),
        (symbol, known): (Symbol, SymbolFacts),
        leaves: &mut impl LeafFacts<'c, 'a>,
    ) -> (Term, bool) {
        if let Some(&known) = self.symbols.get(&name) {
            return (known, false);
        }
        let term = terms.symbol(symbol.clone(), self.symbols.len(), known);
        self.symbols.insert(name, term);
        leaves.named(term, &symbol, origin);
        (term, true)
    }

    /// The extent of a memref in one dimension.
    pub fn extent<'c: 'a, 'a>(
        &mut self,
        terms: &mut Terms,
        (memref, dimension): (Value<'c, 'a>, usize),
        leaves: &mut impl LeafFacts<'c, 'a>,
    ) -> Term {
        let MemrefExtent { number, divisors } = MemrefExtent::of(memref, dimension);
        let extent = match number {
            ExtentNumber::Constant(extent) => terms.constant(extent),
            ExtentNumber::Value(value) => self.term(terms, value, leaves),
            ExtentNumber::Memref(memref, dimension) => {
                let named = (Name::Extent(key(memref), dimension), Origin::Extent(memref, dimension));
                self.symbol(terms, named, (Symbol::Unknown, SymbolFacts::range(0, MAX_ELEMENTS)), leaves).0
            }
        };
        divisors.into_iter().fold(extent, |extent, divisor| terms.promised(extent, divisor))
    }
}

/// One search for terms.
pub(super) struct Run<'i, 'c, 'a, L> {
    pub interpreter: &'i mut Interpreter,
    pub terms: &'i mut Terms,
    pub leaves: &'i mut L,
    /// How deep values are read while others are.
    depth: usize,
    /// Values that the last one is made of, whose terms are not known yet.
    missing: Vec<Value<'c, 'a>>,
    /// Values that are read last, after all whose terms are needed.
    later: Vec<Value<'c, 'a>>,
    /// The symbols of values that control flow makes.
    joined: Vec<(Term, Join<'c, 'a>)>,
}

impl<'c: 'a, 'a, L: LeafFacts<'c, 'a>> Run<'_, 'c, 'a, L> {
    fn find(mut self, value: Value<'c, 'a>) -> Term {
        let (mut waiting, mut open) = (vec![value], FxHashSet::default());
        while let Some(&next) = waiting.last() {
            self.missing.clear();
            let term = self.read(next);
            // A value that is open already waits for itself, which happens in code that is never executed.
            if !self.missing.is_empty() && open.insert(key(next)) {
                waiting.extend(self.missing.drain(..).rev());
                continue;
            }
            self.insert(next, term);
            waiting.pop();
            if waiting.is_empty() {
                waiting.extend(self.later.pop());
            }
        }
        for (symbol, Join { flows, decides }) in std::mem::take(&mut self.joined) {
            let terms = |values: Vec<Value<'c, 'a>>| values.into_iter().filter_map(|value| self.known(value)).collect();
            self.terms.set_source(symbol, SymbolSource::Joined { flows: terms(flows), decides: terms(decides) });
        }
        self.interpreter.values[&key(value)]
    }

    /// The term of a value; `None` where others are missing, or nothing is known of it.
    fn read(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        if let Some(known) = self.known(value) {
            return Some(known);
        }
        if self.interpreter.body.is_some_and(|body| kernel::is_captured(value, body)) {
            return Some(self.captured(value));
        }
        if self.interpreter.follow == Follow::Joined && self.interpreter.values.len() >= MAX_VALUES {
            return None;
        }
        let computed = self.computed(value);
        if computed.is_some() || !self.missing.is_empty() {
            return computed;
        }
        match (self.interpreter.follow, joins::join(value)) {
            (Follow::Computed, _) => self.forwarded(value),
            (_, Some(join)) => {
                let symbol = self.unknown(value);
                if self.interpreter.follow == Follow::All {
                    self.later.extend(&join.decides);
                }
                self.later.extend(&join.flows);
                self.joined.push((symbol, join));
                Some(symbol)
            }
            (Follow::Joined, None) => None,
            (Follow::All, None) => self.made(value),
        }
    }

    fn insert(&mut self, value: Value<'c, 'a>, known: Option<Term>) -> Term {
        let term = known.unwrap_or_else(|| self.unknown(value));
        self.interpreter.values.insert(key(value), term);
        term
    }

    /// The term of a value that another one is made of.
    pub fn operand(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        if self.missing.is_empty() && self.depth < MAX_DEPTH {
            self.depth += 1;
            let term = self.read(value);
            self.depth -= 1;
            if self.missing.is_empty() {
                return Some(self.insert(value, term));
            }
        }
        let known = self.known(value);
        if known.is_none() {
            self.missing.push(value);
        }
        known
    }

    /// The terms of values that another one is made of.
    pub fn operands(&mut self, values: impl IntoIterator<Item = Value<'c, 'a>>) -> Option<Vec<Term>> {
        let terms: Vec<Option<Term>> = values.into_iter().map(|value| self.operand(value)).collect();
        terms.into_iter().collect()
    }

    fn known(&self, value: Value<'c, 'a>) -> Option<Term> {
        self.interpreter.values.get(&key(value)).copied()
    }

    /// The symbol of a value that is not computed from others.
    pub fn unknown(&mut self, value: Value<'c, 'a>) -> Term {
        let known = self.leaves.unknown(value);
        self.symbol_of(value, Symbol::Unknown, known)
    }

    /// The symbol of a value.
    pub fn symbol_of(&mut self, value: Value<'c, 'a>, symbol: Symbol, known: SymbolFacts) -> Term {
        let named = (Name::Value(key(value)), Origin::Value(value));
        self.interpreter.symbol(self.terms, named, (symbol, known), self.leaves).0
    }
}
