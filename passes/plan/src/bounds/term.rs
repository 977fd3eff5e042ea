//! Run-time integers as a graph of terms. The same terms are evaluated for one thread of one block, and reasoned about
//! for all threads and blocks.
//!
//! [`Linear`] is a sum of multiples of terms.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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
        /// The lower bound, inclusive.
        lower: Term,
        /// The upper bound, exclusive.
        upper: Term,
        /// The step.
        step: Term,
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
    /// A term with the promise that it is a multiple of a number; otherwise whatever uses it is undefined.
    Promised(Term, i64),
}

/// What is known about a symbol by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its range.
    pub range: Interval,
    /// Its remainders.
    pub residue: Residue,
}

impl Known {
    /// The numbers from `least` to `most`, inclusive.
    pub fn range(least: i64, most: i64) -> Self {
        Known { range: Interval::new(least.into(), most.into()), residue: Residue::ANY }
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
    nodes: Vec<Node>,
    known: HashMap<Term, Known>,
    /// The symbols that each term depends on, including those in the bounds of loops.
    needs: Vec<BTreeSet<Term>>,
    found: HashMap<Node, Term>,
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
    pub fn known(&self, symbol: Term) -> Known {
        self.known.get(&symbol).copied().unwrap_or(Known { range: Interval::ALL, residue: Residue::ANY })
    }

    /// Sets what is known about a symbol.
    pub fn set(&mut self, symbol: Term, known: Known) {
        self.known.insert(symbol, known);
    }

    /// Narrows the range of a symbol.
    pub fn narrow(&mut self, symbol: Term, range: Interval) {
        let known = self.known(symbol);
        self.known.insert(symbol, Known { range: known.range.and(range), ..known });
    }

    /// The symbols that a term depends on.
    pub fn needs(&self, term: Term) -> &BTreeSet<Term> {
        &self.needs[term]
    }

    /// Adds a constant.
    pub fn constant(&mut self, value: i64) -> Term {
        self.intern(Node::Constant(value))
    }

    /// Adds a symbol, by its number.
    pub fn symbol(&mut self, symbol: Symbol, name: usize, known: Known) -> Term {
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
        if divisor <= 1 { term } else { self.intern(Node::Promised(term, divisor)) }
    }

    /// The value of a term, if it is a constant.
    pub fn as_constant(&self, term: Term) -> Option<i64> {
        if let Node::Constant(value) = self.nodes[term] { Some(value) } else { None }
    }

    /// The direct operands of a term; for an induction variable, the loop's bounds and step.
    pub fn operands(&self, term: Term) -> Vec<Term> {
        match &self.nodes[term] {
            Node::Constant(_) => Vec::new(),
            Node::Symbol(Symbol::Loop { lower, upper, step, .. }, _) => vec![*lower, *upper, *step],
            Node::Symbol(..) => Vec::new(),
            Node::Computed(_, operands) => operands.clone(),
            Node::Promised(term, _) => vec![*term],
        }
    }

    /// The given terms and all that they depend on, operands first.
    pub fn cone(&self, terms: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let (mut waiting, mut found) = (terms.into_iter().collect::<Vec<_>>(), BTreeSet::new());
        while let Some(next) = waiting.pop() {
            if found.insert(next) {
                waiting.extend(self.operands(next));
            }
        }
        found.into_iter().collect()
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
            Node::Promised(term, divisor) => at(*term).filter(|value| value.checked_rem(*divisor) == Some(0)),
        }
    }

    fn intern(&mut self, node: Node) -> Term {
        if let Some(&found) = self.found.get(&node) {
            return found;
        }
        let term = self.nodes.len();
        self.found.insert(node.clone(), term);
        self.nodes.push(node);
        let mut needs: BTreeSet<Term> = BTreeSet::new();
        for operand in self.operands(term) {
            needs.extend(&self.needs[operand]);
        }
        if let Node::Symbol(..) = self.nodes[term] {
            needs.insert(term);
        }
        self.needs.push(needs);
        term
    }
}

/// `constant + Σ factor · term`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The factors, none of them 0.
    pub factors: BTreeMap<Term, i128>,
    /// The constant.
    pub constant: i128,
}

/// The largest magnitude that sums may have: beyond that, nothing is proved.
const MOST: i128 = 1 << 100;

impl Linear {
    /// A constant.
    pub fn constant(constant: i128) -> Self {
        Linear { factors: BTreeMap::new(), constant }
    }

    /// A single term.
    pub fn term(term: Term) -> Self {
        Linear { factors: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    /// `self + factor · other`; `None` where a number becomes too large.
    pub fn plus(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let small = |value: i128| (-MOST..=MOST).contains(&value).then_some(value);
        let sum = |a: i128, b: i128| small(a.checked_add(b.checked_mul(factor)?)?);
        let mut result = self.clone();
        result.constant = sum(result.constant, other.constant)?;
        for (&term, &by) in &other.factors {
            let entry = result.factors.entry(term).or_insert(0);
            *entry = sum(*entry, by)?;
            if *entry == 0 {
                result.factors.remove(&term);
            }
        }
        Some(result)
    }

    /// `factor · self`.
    pub fn times(&self, factor: i128) -> Option<Linear> {
        Linear::constant(0).plus(self, factor)
    }

    /// The constant, where there are no terms.
    pub fn as_constant(&self) -> Option<i128> {
        self.factors.is_empty().then_some(self.constant)
    }
}
