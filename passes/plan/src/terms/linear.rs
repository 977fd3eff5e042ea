//! Sums of multiples of terms.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::graph::{Node, Term, Terms};
use crate::integer::{Computation, Operation};

/// A term as a sum, on the assumption that 64-bit arithmetic does not wrap; the result of a narrower one is one unknown.
pub fn linearize(terms: &Terms, term: Term) -> Linear {
    linearize_over(terms, term, |_| false)
}

/// Likewise, with the terms that `is_leaf` names as unknowns.
pub fn linearize_over(terms: &Terms, term: Term, is_leaf: impl Fn(Term) -> bool) -> Linear {
    let mut known: FxHashMap<Term, Linear> = FxHashMap::default();
    for part in terms.cone([term]) {
        let at = |operand: Term| known.get(&operand).cloned().unwrap_or_else(|| Linear::term(operand));
        let sum = if is_wide(terms, part) && !is_leaf(part) {
            of_node(terms, part, |_| false, at)
        } else {
            Linear::term(part)
        };
        known.insert(part, sum);
    }
    known.remove(&term).unwrap_or_else(|| Linear::term(term))
}

/// Whether no number of a term's computation has fewer than 64 bits.
fn is_wide(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Computed(computation, _) => {
            computation.operand_bits.iter().chain([&computation.result_bits]).all(|&bits| bits == 64)
        }
        _ => true,
    }
}

/// The sums and differences of a cone, operands first, in which a term of one operand meets itself in the other: `(x + y) + x` is
/// `2 · x + y`, and more is known of that than of its operands one by one. `is_leaf` names unknowns.
pub fn repeating(terms: &Terms, cone: &[Term], is_leaf: impl Fn(Term) -> bool) -> FxHashMap<Term, Linear> {
    let operands = |part: Term| match terms.node(part) {
        Node::Computed(computation, operands) if matches!(computation.operation, Operation::Add | Operation::Sub) => {
            <[Term; 2]>::try_from(operands.as_slice())
                .ok()
                .filter(|pair| pair.iter().all(|&operand| terms.as_constant(operand).is_none()))
        }
        _ => None,
    };
    let (mut known, mut sums): (FxHashMap<Term, Linear>, _) = (FxHashMap::default(), FxHashMap::default());
    if !cone.iter().any(|&part| operands(part).is_some()) {
        return sums;
    }
    for &part in cone {
        let is_known = is_wide(terms, part) && !is_leaf(part);
        let sum =
            if is_known { of_node(terms, part, |_| false, |node| known[&node].clone()) } else { Linear::term(part) };
        if let Some([a, b]) = operands(part).filter(|_| is_known)
            && known[&a].factors.keys().any(|term| known[&b].factors.contains_key(term))
        {
            sums.insert(part, sum.clone());
        }
        known.insert(part, sum);
    }
    sums
}

/// A term as a sum in which a remainder by a constant is what the quotient leaves: in the index of a tile that is counted by one
/// number, quotient and remainder meet again.
///
/// ```text
///   66 (k / 66) + k mod 66     66 (k / 66) + k - 66 (k / 66)     k
/// ```
pub fn of_digits(terms: &mut Terms, term: Term) -> Option<Linear> {
    let sum = linearize(terms, term);
    let mut result = Linear::constant(sum.constant);
    for (&part, &factor) in &sum.factors {
        let split = match terms.node(part) {
            Node::Computed(computation, operands) if *computation == Computation::wide(computation.operation) => {
                quotient(computation.operation).zip(operands.first().copied().zip(operands.get(1).copied()))
            }
            _ => None,
        };
        let by = split.and_then(|(_, (_, by))| terms.as_constant(by)).filter(|&by| by > 0);
        let Some(((operation, (number, by)), divisor)) = split.zip(by) else {
            result = result.plus(&Linear::term(part), factor)?;
            continue;
        };
        let quotient = terms.wide(operation, number, by);
        result = result
            .plus(&linearize(terms, number), factor)?
            .plus(&Linear::term(quotient), factor.checked_mul(-i128::from(divisor))?)?;
    }
    Some(result)
}

/// The quotient of a remainder.
fn quotient(remainder: Operation) -> Option<Operation> {
    match remainder {
        Operation::RemUnsigned => Some(Operation::DivUnsigned),
        Operation::RemSigned => Some(Operation::DivSigned),
        _ => None,
    }
}

/// A term as a sum, from those of the terms that it is made of, if it does not wrap. `natural`: whether a term is never
/// negative.
pub fn of_node(terms: &Terms, term: Term, natural: impl Fn(Term) -> bool, at: impl Fn(Term) -> Linear) -> Linear {
    let sum = match terms.node(term) {
        Node::Constant(value) => Some(Linear::constant((*value).into())),
        Node::Promised(promised, _) => Some(at(*promised)),
        Node::Computed(computation, operands) => computed(computation.operation, operands, natural, at),
        Node::Symbol(..) => None,
    };
    sum.unwrap_or_else(|| Linear::term(term))
}

fn computed(
    operation: Operation,
    operands: &[Term],
    natural: impl Fn(Term) -> bool,
    sum_of: impl Fn(Term) -> Linear,
) -> Option<Linear> {
    let at = |index: usize| operands.get(index).map(|&operand| sum_of(operand));
    match operation {
        Operation::Add => at(0)?.plus(&at(1)?, 1),
        Operation::Sub => at(0)?.plus(&at(1)?, -1),
        Operation::Mul => match (at(0)?.as_constant(), at(1)?.as_constant()) {
            (Some(factor), _) => at(1)?.times(factor),
            (_, Some(factor)) => at(0)?.times(factor),
            _ => None,
        },
        Operation::ShiftLeft => at(0)?.times(1 << at(1)?.as_constant().filter(|bits| (0..62).contains(bits))?),
        Operation::Signed => at(0),
        Operation::Unsigned if natural(*operands.first()?) => at(0),
        _ => None,
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
const MAX_MAGNITUDE: i128 = 1 << 100;

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
        let small = |value: i128| (-MAX_MAGNITUDE..=MAX_MAGNITUDE).contains(&value).then_some(value);
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
