//! The graph of terms.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tile_layout::Level;

use crate::integer::{Computation, Interval, Operation, Residue};

/// A run-time integer, by its index in [`Terms`].
pub type Term = usize;

/// A term that is not computed from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// An id of a thread or block: every number of its range occurs, in every combination with the other ids.
    Each,
    /// The induction variable of `for i = lower to upper step step`.
    Loop {
        /// The lower bound, inclusive; the upper bound, exclusive; the step.
        bounds: [Term; 3],
        /// Whether the loop compares its variable as unsigned.
        unsigned: bool,
        /// The width of the variable: a signed one may wrap before it reaches the upper bound.
        bits: u32,
    },
    /// Something else: an argument, a loaded value, a loop-carried value. Not every number of its range need occur.
    Unknown,
}

/// The definition of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(i64),
    /// A symbol, with a number that distinguishes it from others.
    Symbol(Symbol, usize),
    /// The result of an op on other terms.
    Computed(Computation, Vec<Term>),
    /// A term with a promise; where that does not hold, whatever uses the term is undefined.
    Promised(Term, Promise),
}

/// What is promised about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// It is a multiple of this number.
    Multiple(i64),
    /// It is the same for all threads of a group of this level.
    Uniform(Level),
    /// Each execution of the op of this number gives another value.
    Distinct(usize),
}

/// How a symbol comes about, where that says more than its range: which values it may have, and which threads agree on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolSource {
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// The thread's position in its warp.
    Lane,
    /// The warp's position in its block.
    Warp,
    /// 1 for the thread of a warp that `elect.sync` elects, 0 for the others.
    Leader,
    /// One of some terms, chosen by others. Both may depend on the symbol, as those of a loop do.
    Joined {
        /// The terms, one of which it is.
        flows: Vec<Term>,
        /// The terms that decide which.
        decides: Vec<Term>,
    },
    /// A function of some terms and of the group of this level that the thread is in.
    Mixed(Vec<Term>, Level),
    /// A function of some terms that the threads of a group compute together: the same for all of them where they agree on `by`.
    Gathered {
        /// All of the terms.
        terms: Vec<Term>,
        /// Those on which the threads have to agree.
        by: Vec<Term>,
        /// The group.
        level: Level,
    },
}

impl SymbolSource {
    /// The terms that it names.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            SymbolSource::Thread(_) | SymbolSource::Lane | SymbolSource::Warp | SymbolSource::Leader => Vec::new(),
            SymbolSource::Joined { flows, decides } => [flows.as_slice(), decides].concat(),
            SymbolSource::Mixed(terms, _) => terms.clone(),
            SymbolSource::Gathered { terms, by, .. } => [terms.as_slice(), by].concat(),
        }
    }
}

/// What is known about a symbol by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolFacts {
    /// Its range.
    pub range: Interval,
    /// Its remainders.
    pub residue: Residue,
}

impl SymbolFacts {
    /// Nothing.
    pub const ANY: SymbolFacts = SymbolFacts { range: Interval::ALL, residue: Residue::ANY };

    /// The numbers from `least` to `most`, inclusive.
    pub fn range(least: i64, most: i64) -> Self {
        SymbolFacts { range: Interval::new(least.into(), most.into()), residue: Residue::ANY }
    }

    /// Whether it may have this value.
    pub fn allows(self, value: i64) -> bool {
        let (divisor, residue) = self.residue.parts();
        let remainder = self.residue.constant().map_or(value.rem_euclid(divisor) == residue, |only| only == value);
        self.range.contains(Interval::at(value)) && remainder
    }
}

/// A graph of terms. The operands of a term have smaller indices than the term.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IndexSet<Node, FxBuildHasher>,
    known: FxHashMap<Term, SymbolFacts>,
    sources: FxHashMap<Term, SymbolSource>,
}

impl Terms {
    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The definition of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term]
    }

    /// What is known about a symbol.
    pub fn known(&self, symbol: Term) -> SymbolFacts {
        self.known.get(&symbol).copied().unwrap_or(SymbolFacts::ANY)
    }

    /// Sets what is known about a symbol.
    pub fn set(&mut self, symbol: Term, known: SymbolFacts) {
        self.known.insert(symbol, known);
    }

    /// Narrows the range of a symbol.
    pub fn narrow(&mut self, symbol: Term, range: Interval) {
        let known = self.known(symbol);
        self.known.insert(symbol, SymbolFacts { range: known.range.and(range), ..known });
    }

    /// How a term comes about, where that has been stated.
    pub fn source(&self, term: Term) -> Option<&SymbolSource> {
        self.sources.get(&term)
    }

    /// States how a term comes about. Only control flow can make a value that depends on itself: nothing is known of another.
    pub fn set_source(&mut self, term: Term, source: SymbolSource) {
        let itself = !matches!(source, SymbolSource::Joined { .. }) && source.terms().iter().any(|&part| part >= term);
        self.sources.insert(term, if itself { SymbolSource::Mixed(Vec::new(), Level::Thread) } else { source });
    }

    /// The symbols that a term depends on, including those in the bounds of loops.
    pub fn needs(&self, term: Term) -> BTreeSet<Term> {
        let is_symbol = |term: &Term| matches!(self.nodes[*term], Node::Symbol(..));
        self.cone([term]).into_iter().filter(is_symbol).collect()
    }

    /// Adds a constant.
    pub fn constant(&mut self, value: i64) -> Term {
        self.intern(Node::Constant(value))
    }

    /// Adds a symbol, by its number.
    pub fn symbol(&mut self, symbol: Symbol, name: usize, known: SymbolFacts) -> Term {
        let term = self.intern(Node::Symbol(symbol, name));
        self.known.entry(term).or_insert(known);
        term
    }

    /// Adds the result of an op on other terms.
    pub fn compute(&mut self, computation: Computation, operands: Vec<Term>) -> Term {
        let constants: Option<Vec<i64>> = operands.iter().map(|&operand| self.as_constant(operand)).collect();
        if let Some(value) = constants.and_then(|constants| computation.at(&constants)) {
            return self.constant(value);
        }
        self.intern(Node::Computed(computation, operands))
    }

    /// Adds the result of an op on two 64-bit terms.
    pub fn wide(&mut self, operation: Operation, a: Term, b: Term) -> Term {
        self.compute(Computation::wide(operation), vec![a, b])
    }

    /// Adds a promise that a term is a multiple of a number.
    pub fn promised(&mut self, term: Term, divisor: i64) -> Term {
        if divisor <= 1 { term } else { self.intern(Node::Promised(term, Promise::Multiple(divisor))) }
    }

    /// Adds a promise that a term is the same for all threads of a group of a level.
    pub fn agreed(&mut self, term: Term, level: Level) -> Term {
        self.intern(Node::Promised(term, Promise::Uniform(level)))
    }

    /// Adds a promise that a term has another value in each execution of an op, which has this number.
    pub fn distinct(&mut self, term: Term, op: usize) -> Term {
        self.intern(Node::Promised(term, Promise::Distinct(op)))
    }

    /// The value of a term, if it is a constant.
    pub fn as_constant(&self, term: Term) -> Option<i64> {
        if let Node::Constant(value) = self.nodes[term] { Some(value) } else { None }
    }

    /// The direct operands of a term; for an induction variable, the loop's bounds and step.
    pub fn operands(&self, term: Term) -> &[Term] {
        match &self.nodes[term] {
            Node::Symbol(Symbol::Loop { bounds, .. }, _) => bounds,
            Node::Constant(_) | Node::Symbol(..) => &[],
            Node::Computed(_, operands) => operands,
            Node::Promised(term, _) => std::slice::from_ref(term),
        }
    }

    /// The given terms and all that they depend on, operands first.
    pub fn cone(&self, terms: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let (mut waiting, mut reached) = (terms.into_iter().collect::<Vec<_>>(), BTreeSet::new());
        while let Some(next) = waiting.pop() {
            if reached.insert(next) {
                waiting.extend(self.operands(next));
            }
        }
        reached.into_iter().collect()
    }

    /// Evaluates a term from the values of its operands, or of the term itself if it is a symbol; `None` where it has
    /// no value.
    pub fn evaluate(&self, term: Term, at: impl Fn(Term) -> Option<i64>) -> Option<i64> {
        match &self.nodes[term] {
            Node::Constant(value) => Some(*value),
            Node::Symbol(..) => at(term),
            Node::Computed(computation, operands) => {
                let values: Option<Vec<i64>> = operands.iter().map(|&operand| at(operand)).collect();
                computation.at(&values?)
            }
            Node::Promised(term, Promise::Multiple(by)) => at(*term).filter(|value| value.checked_rem(*by) == Some(0)),
            Node::Promised(term, Promise::Uniform(_) | Promise::Distinct(_)) => at(*term),
        }
    }

    fn intern(&mut self, node: Node) -> Term {
        self.nodes.insert_full(node).0
    }
}
