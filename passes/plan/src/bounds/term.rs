//! What the run computes of integers, as a graph: the same terms are evaluated for one thread of one block, and reasoned about
//! for all of them.
//!
//! [`Linear`] is a sum of multiples of terms.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::integer::{Computation, Interval, Operation, Residue};

/// A number that the run computes: its place in [`Terms`].
pub type Term = usize;

/// A number that no other says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Each number of its range occurs, with each of the other symbols of that kind: ids of threads and blocks.
    Each,
    /// What `for i = lower to upper step step` counts.
    Loop {
        /// Where it begins.
        lower: Term,
        /// It is less than that.
        upper: Term,
        /// What is added.
        step: Term,
    },
    /// Something else: an argument, what is loaded, what a loop carries. It may be one number of its range.
    Unknown,
}

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number.
    Constant(i64),
    /// A number that no other says, and a number that distinguishes it from others.
    Symbol(Symbol, usize),
    /// What an op makes of others.
    Computed(Computation, Vec<Term>),
    /// A term that is a multiple of a number, or nothing that uses it has a meaning.
    Promised(Term, i64),
}

/// What is known of a symbol by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its range.
    pub range: Interval,
    /// Its remainders.
    pub residue: Residue,
}

impl Known {
    /// Numbers from the least to the largest.
    pub fn range(least: i64, most: i64) -> Self {
        Known { range: Interval::new(least.into(), most.into()), residue: Residue::ANY }
    }

    /// May it be this number?
    pub fn allows(self, value: i64) -> bool {
        let (divisor, residue) = self.residue.parts();
        let remainder = self.residue.constant().map_or(value.rem_euclid(divisor) == residue, |only| only == value);
        self.range.contains(Interval::at(value)) && remainder
    }
}

/// A graph of terms. What a term needs has a smaller number.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    known: HashMap<Term, Known>,
    /// The symbols that each term needs, those of the bounds of loops among them.
    needs: Vec<BTreeSet<Term>>,
    found: HashMap<Node, Term>,
}

impl Terms {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a term is.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term]
    }

    /// What is known of a symbol.
    pub fn known(&self, symbol: Term) -> Known {
        self.known.get(&symbol).copied().unwrap_or(Known { range: Interval::ALL, residue: Residue::ANY })
    }

    /// Says what is known of a symbol.
    pub fn set(&mut self, symbol: Term, known: Known) {
        self.known.insert(symbol, known);
    }

    /// Says more of a symbol.
    pub fn narrow(&mut self, symbol: Term, range: Interval) {
        let known = self.known(symbol);
        self.known.insert(symbol, Known { range: known.range.and(range), ..known });
    }

    /// The symbols that a term needs.
    pub fn needs(&self, term: Term) -> &BTreeSet<Term> {
        &self.needs[term]
    }

    /// A number.
    pub fn constant(&mut self, value: i64) -> Term {
        self.intern(Node::Constant(value))
    }

    /// A symbol, by its number.
    pub fn symbol(&mut self, symbol: Symbol, name: usize, known: Known) -> Term {
        let term = self.intern(Node::Symbol(symbol, name));
        self.known.entry(term).or_insert(known);
        term
    }

    /// What an op makes of others.
    pub fn compute(&mut self, computation: Computation, operands: Vec<Term>) -> Term {
        let constants: Option<Vec<i64>> = operands.iter().map(|&operand| self.as_constant(operand)).collect();
        if let Some(value) = constants.and_then(|constants| computation.at(&constants)) {
            return self.constant(value);
        }
        self.intern(Node::Computed(computation, operands))
    }

    /// The same of two numbers of 64 bits.
    pub fn wide(&mut self, operation: Operation, a: Term, b: Term) -> Term {
        self.compute(Computation::wide(operation), vec![a, b])
    }

    /// A multiple of a number.
    pub fn promised(&mut self, term: Term, divisor: i64) -> Term {
        if divisor <= 1 { term } else { self.intern(Node::Promised(term, divisor)) }
    }

    /// The number that a term is.
    pub fn as_constant(&self, term: Term) -> Option<i64> {
        if let Node::Constant(value) = self.nodes[term] { Some(value) } else { None }
    }

    /// The terms that a term is made of directly; of what a loop counts, its bounds.
    pub fn operands(&self, term: Term) -> Vec<Term> {
        match &self.nodes[term] {
            Node::Constant(_) => Vec::new(),
            Node::Symbol(Symbol::Loop { lower, upper, step }, _) => vec![*lower, *upper, *step],
            Node::Symbol(..) => Vec::new(),
            Node::Computed(_, operands) => operands.clone(),
            Node::Promised(term, _) => vec![*term],
        }
    }

    /// Those terms and all that they need, in their order.
    pub fn cone(&self, terms: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let (mut waiting, mut found) = (terms.into_iter().collect::<Vec<_>>(), BTreeSet::new());
        while let Some(next) = waiting.pop() {
            if found.insert(next) {
                waiting.extend(self.operands(next));
            }
        }
        found.into_iter().collect()
    }

    /// The value of a term that is no symbol, of known operands; `None` where it has none.
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
    /// The number.
    pub constant: i128,
}

/// More than any sum of what is here: beyond that nothing is proved.
const MOST: i128 = 1 << 100;

impl Linear {
    /// A number.
    pub fn constant(constant: i128) -> Self {
        Linear { factors: BTreeMap::new(), constant }
    }

    /// A term.
    pub fn term(term: Term) -> Self {
        Linear { factors: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    /// `self + factor · other`; `None` beyond numbers that are added without doubt.
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

    /// The number, where there is no term.
    pub fn as_constant(&self) -> Option<i128> {
        self.factors.is_empty().then_some(self.constant)
    }
}
