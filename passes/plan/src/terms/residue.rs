//! What divides a term, and with which remainder.
//!
//! ```text
//!   for … iter_args(x = 16) {  yield x + 24  }       one of 16 and x + 24: 16 modulo 24
//!   for … iter_args(x = 3) {  yield 3 · x  }         wraps after some iterations: 1 modulo 2
//!   x + x, x a multiple of 4                         2 · x: a multiple of 8
//! ```

use rustc_hash::FxHashSet;

use super::graph::{Node, Promise, Symbol, SymbolSource, Term, Terms};
use super::linear::{self, Linear};
use super::range;
use crate::integer::{Computation, Operation, Residue};

/// The residue of a term, on the assumption that 64-bit arithmetic wraps only where a loop repeats it, or where a
/// negative number was read as unsigned: no memory is that large.
pub fn infer(terms: &Terms, term: Term) -> Residue {
    if let Some(constant) = terms.as_constant(term) {
        return Residue::exactly(constant);
    }
    let (cone, joined) = cone(terms, term);
    let huge = huge(terms, &cone);
    let wraps = |part: Term| huge.contains(&part) || wraps(terms, part, joined);
    let sums = linear::repeating(terms, &cone, |part| is_promised(terms, part) || wraps(part));
    let mut known: Vec<Option<Residue>> = vec![None; terms.len()];
    // Nothing is known yet of what has no residue. From round to round, residues allow more values.
    loop {
        let mut changed = false;
        for &part in &cone {
            let residue = match terms.source(part) {
                Some(SymbolSource::Joined { flows, .. }) => {
                    flows.iter().filter_map(|&flow| known[flow]).chain(known[part]).reduce(Residue::either)
                }
                _ if terms.operands(part).iter().all(|&operand| known[operand].is_some()) => {
                    let at = |operand: Term| known[operand].unwrap_or(Residue::ANY);
                    let by_operands = of_node(terms, part, wraps(part), at);
                    Some(sums.get(&part).map_or(by_operands, |sum| by_operands.sharper(of_sum(sum, at))))
                }
                _ => None,
            };
            changed |= residue != known[part];
            known[part] = residue;
        }
        if !changed || !joined {
            return known[term].unwrap_or(Residue::ANY);
        }
    }
}

/// The residue of a sum, from those of its terms.
fn of_sum(sum: &Linear, at: impl Fn(Term) -> Residue) -> Residue {
    let exactly = |number: i128| i64::try_from(number).ok().map(Residue::exactly);
    let constant = exactly(sum.constant);
    let parts = sum.factors.iter().map(|(&term, &factor)| exactly(factor).map(|factor| factor.times(at(term))));
    parts.fold(constant, |sum, part| Some(sum?.plus(part?))).unwrap_or(Residue::ANY)
}

/// Whether something is promised of a term, beyond what it is computed from.
fn is_promised(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Promised(_, Promise::Multiple(_)))
}

/// The residue of a term, from those of the terms that it is made of. `wraps`: whether the type may be too narrow for it.
pub fn of_node(terms: &Terms, term: Term, wraps: bool, at: impl Fn(Term) -> Residue) -> Residue {
    let known = terms.known(term).residue;
    match terms.node(term) {
        Node::Constant(value) => Residue::exactly(*value),
        Node::Symbol(Symbol::Loop { bounds: [lower, _, step], bits, .. }, _) if known == Residue::ANY => {
            let sum = at(*lower).plus(at(*step).times(Residue::ANY));
            if wraps { sum.wrapped(*bits) } else { sum }
        }
        Node::Symbol(..) => known,
        Node::Promised(promised, Promise::Multiple(divisor)) => at(*promised).promised(*divisor),
        Node::Promised(promised, Promise::Uniform(_) | Promise::Distinct(_)) => at(*promised),
        Node::Computed(computation, operands) => {
            if let Some((number, by)) = remainder(terms, computation.operation, operands) {
                return at(number).remainder(by);
            }
            if let Some(by) = without_remainder(terms, computation, operands) {
                return Residue::exactly(by).times(Residue::ANY);
            }
            let unsigned = reads_unsigned(computation.operation);
            let read = |&operand: &Term| match unsigned && range::infer(terms, operand).least < 0 {
                // Read as unsigned, a negative number is larger by a power of two.
                true => at(operand).wrapped(64),
                false => at(operand),
            };
            let operands: Vec<Residue> = operands.iter().map(read).collect();
            match operands.iter().map(|operand| operand.constant()).collect::<Option<Vec<i64>>>() {
                Some(constants) => computation.at(&constants).map_or(Residue::ANY, Residue::exactly),
                None => computation.residue(&operands, wraps),
            }
        }
    }
}

/// Whether an operation takes its operands as unsigned numbers, so that the sign of one decides about its value.
fn reads_unsigned(operation: Operation) -> bool {
    use Operation::{DivCeilUnsigned, DivUnsigned, RemUnsigned, ShiftRight};
    matches!(operation, DivUnsigned | DivCeilUnsigned | RemUnsigned | ShiftRight)
}

/// The operands of a remainder by a constant, rounded down: `a - a / by * by`, which is at least 0.
fn remainder(terms: &Terms, operation: Operation, operands: &[Term]) -> Option<(Term, i64)> {
    let parts = |term: Term, wanted: Operation| match terms.node(term) {
        Node::Computed(computation, operands) if computation.operation == wanted && computation.result_bits == 64 => {
            <[Term; 2]>::try_from(operands.as_slice()).ok()
        }
        _ => None,
    };
    let &[number, whole] = operands else { return None };
    let [quotient, by] = parts(whole, Operation::Mul).filter(|_| operation == Operation::Sub)?;
    let known = terms.as_constant(by).filter(|_| parts(quotient, Operation::DivFloor) == Some([number, by]))?;
    Some((number, known))
}

/// The constant by which the remainder is subtracted from a number: `a - a rem by`, a multiple of it.
fn without_remainder(terms: &Terms, computation: &Computation, operands: &[Term]) -> Option<i64> {
    let &[number, rest] = operands else { return None };
    let Node::Computed(inner, divided) = terms.node(rest) else { return None };
    let by = terms.as_constant(*divided.get(1)?).filter(|&by| by > 0 && divided[0] == number)?;
    // Read as unsigned, a negative number is larger by a power of two.
    let exact = match inner.operation {
        Operation::RemSigned => true,
        Operation::RemUnsigned => by & (by - 1) == 0 || range::infer(terms, number).least >= 0,
        _ => false,
    };
    let wide = computation.operation == Operation::Sub
        && [computation, inner].iter().all(|computed| computed.result_bits == 64);
    Some(by).filter(|_| exact && wide)
}

/// A term and all that it depends on, operands first, through control flow; and whether there is any.
fn cone(terms: &Terms, term: Term) -> (Vec<Term>, bool) {
    let (mut waiting, mut reached, mut joined) = (vec![term], vec![false; terms.len()], false);
    while let Some(next) = waiting.pop() {
        if !std::mem::replace(&mut reached[next], true) {
            joined |= matches!(terms.source(next), Some(SymbolSource::Joined { .. }));
            waiting.extend(parts(terms, next));
        }
    }
    ((0..terms.len()).filter(|&term| reached[term]).collect(), joined)
}

/// No address, and no number of bytes, is larger.
const MAX_ADDRESS: i128 = 1 << 48;

/// The terms of a cone that are computed from a negative number read as unsigned, if that leaves it larger than an
/// address: `(-1 /u 3) * 3` wraps to -1, which is no multiple of 3.
fn huge(terms: &Terms, cone: &[Term]) -> FxHashSet<Term> {
    let begins = |&part: &Term| match terms.node(part) {
        Node::Computed(computation, operands) if reads_unsigned(computation.operation) => {
            range::infer(terms, operands[0]).least < 0 && range::infer(terms, part).most > MAX_ADDRESS
        }
        _ => false,
    };
    let mut large: FxHashSet<Term> = cone.iter().copied().filter(|part| begins(part)).collect();
    let mut before = 0;
    while large.len() > before {
        before = large.len();
        let reached = |part: &&Term| parts(terms, **part).iter().any(|other| large.contains(other));
        let more: Vec<Term> = cone.iter().filter(reached).copied().collect();
        large.extend(more);
    }
    large
}

/// The terms whose values one is made of.
fn parts(terms: &Terms, term: Term) -> &[Term] {
    match terms.source(term) {
        Some(SymbolSource::Joined { flows, .. }) => flows,
        _ => terms.operands(term),
    }
}

/// Whether the type of a term may be too narrow for it.
fn wraps(terms: &Terms, term: Term, joined: bool) -> bool {
    match terms.node(term) {
        Node::Symbol(symbol @ Symbol::Loop { bits, .. }, _) => {
            *bits < 64 && !range::only_grows(symbol, |bound| range::infer(terms, bound))
        }
        Node::Computed(computation, operands) if !computation.nsw => {
            computation.result_bits < 64 || joined && grows(terms, term, computation.operation, operands)
        }
        _ => false,
    }
}

/// Whether a term is computed from its own earlier value, in a loop, by more than adding something to it.
fn grows(terms: &Terms, term: Term, operation: Operation, operands: &[Term]) -> bool {
    let repeated = || operands.iter().filter(|&&operand| reaches(terms, operand, term)).count();
    match operation {
        Operation::Add | Operation::Sub => repeated() > 1,
        Operation::Mul | Operation::ShiftLeft => repeated() > 0,
        _ => false,
    }
}

/// Whether a term is made of another one.
fn reaches(terms: &Terms, term: Term, other: Term) -> bool {
    let (mut waiting, mut met) = (vec![term], vec![false; terms.len()]);
    while let Some(next) = waiting.pop() {
        if next == other {
            return true;
        }
        if !std::mem::replace(&mut met[next], true) {
            waiting.extend(parts(terms, next));
        }
    }
    false
}
