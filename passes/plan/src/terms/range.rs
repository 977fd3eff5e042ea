//! The least and the largest value of a term.

use rustc_hash::FxHashMap;

use super::graph::{Node, Symbol, Term, Terms};
use crate::integer::{Computation, Interval};

/// No loop is executed for as many iterations.
const ENDLESS: i128 = 1 << 48;

/// The range of a term by itself, whatever the conditions under which it is used.
pub fn infer(terms: &Terms, term: Term) -> Interval {
    let mut known: FxHashMap<Term, Interval> = FxHashMap::default();
    for part in terms.cone([term]) {
        let range = of_node(terms, part, |operand| known.get(&operand).copied().unwrap_or(Interval::ALL));
        known.insert(part, range);
    }
    known.remove(&term).unwrap_or(Interval::ALL)
}

/// The range of a term, from those of the terms that it is made of.
pub fn of_node(terms: &Terms, term: Term, at: impl Fn(Term) -> Interval) -> Interval {
    match terms.node(term) {
        Node::Constant(value) => Interval::at(*value),
        Node::Symbol(symbol @ Symbol::Loop { bounds: [lower, ..], bits, .. }, _) => {
            let least = if only_grows(symbol, &at) { at(*lower).least } else { i64::MIN.into() };
            let inside = Interval::of_bits(*bits).and(Interval::new(least, i64::MAX.into()));
            terms.known(term).range.and(inside)
        }
        Node::Symbol(..) => terms.known(term).range,
        Node::Promised(promised, _) => at(*promised),
        Node::Computed(computation, operands) => {
            exactly(computation, operands, at).unwrap_or(Interval::of_bits(computation.result_bits))
        }
    }
}

/// The range of a computation's result; `None` where its type may be too narrow for it.
pub fn exactly(computation: &Computation, operands: &[Term], at: impl Fn(Term) -> Interval) -> Option<Interval> {
    computation.interval(&operands.iter().map(|&operand| at(operand)).collect::<Vec<_>>())
}

/// Whether the variable of a loop stays between the loop's bounds, as signed numbers.
pub fn only_grows(symbol: &Symbol, at: impl Fn(Term) -> Interval) -> bool {
    let Symbol::Loop { bounds, unsigned, bits } = symbol else { return true };
    let [lower, upper, step] = bounds.map(at);
    if *unsigned {
        // A step that is negative as a signed number wraps, and the variable shrinks.
        return lower.least >= 0 && upper.least >= 0 && step.least >= 0;
    }
    let most = Interval::of_bits(*bits).most;
    upper.most - 1 + step.most <= most || lower.most + step.most * ENDLESS <= most
}
