//! Loop-carried values (`iter_args`) as functions of the iteration, such as a stage and a parity that flips after the
//! last stage.
//!
//! ```text
//!   stage, parity = 0, 0        stage   0 1 2 0 1 2 │ 0 …
//!   for …                       parity  0 0 0 1 1 1 │ 0 …      a table of six
//!     stage, parity = (stage + 1 == 3) ? (0, parity ^ 1) : (stage + 1, parity)
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::bounds::{Node, Term, Terms};
use crate::sync::form::{AddressForm, Sources};
use crate::sync::periodic::Periodic;
use crate::terms::linear;

/// The longest period that is tried.
const LONGEST: usize = 64;

/// A loop-carried value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Its symbol in the loop.
    pub symbol: Term,
    /// Its initial value.
    pub first: i64,
    /// Its value in the next iteration.
    pub next: Term,
}

/// The values of loop-carried symbols in each iteration, by symbol: of those that count, and of those that depend only on each other
/// and on induction variables, if these all return to their initial values after some period.
pub fn carried(terms: &Terms, values: &[Carried], sources: &Sources) -> BTreeMap<Term, Periodic> {
    let (counters, others): (Vec<_>, Vec<_>) =
        values.iter().map(|value| (value, step(terms, value))).partition(|(_, step)| step.is_some());
    let mut by_symbol: BTreeMap<Term, Periodic> =
        counters.into_iter().filter_map(|(value, step)| Some((value.symbol, step?))).collect();
    by_symbol.extend(periodic(terms, others.into_iter().map(|(value, _)| *value).collect(), sources));
    by_symbol
}

/// A value to which each iteration adds the same.
fn step(terms: &Terms, value: &Carried) -> Option<Periodic> {
    let next = linear::linearize(terms, value.next);
    let is_counter = next.factors.len() == 1 && next.factors.get(&value.symbol) == Some(&1);
    i64::try_from(next.constant).ok().filter(|_| is_counter).map(|step| Periodic::line(value.first, step))
}

fn periodic(terms: &Terms, mut values: Vec<Carried>, sources: &Sources) -> BTreeMap<Term, Periodic> {
    let counted = |symbol: &Term| sources.loops.contains_key(symbol);
    loop {
        let known = |symbol: &Term| counted(symbol) || values.iter().any(|value| value.symbol == *symbol);
        let made = |value: &Carried| symbols(terms, value.next).iter().all(known);
        let left: Vec<Carried> = values.iter().filter(|value| made(value)).copied().collect();
        if left.len() == values.len() {
            break;
        }
        values = left;
    }
    let parts = terms.cone(values.iter().map(|value| value.next));
    let given: BTreeMap<Term, Periodic> =
        parts.iter().filter_map(|&part| Some((part, repeats(terms, part, sources)?))).collect();
    let mut iterations: Vec<Vec<i64>> = vec![values.iter().map(|value| value.first).collect()];
    while iterations.len() <= LONGEST {
        let count = iterations.len();
        let mut state: BTreeMap<Term, i64> =
            values.iter().zip(&iterations[count - 1]).map(|(value, now)| (value.symbol, *now)).collect();
        for &part in &parts {
            let known = given.get(&part).and_then(|periodic| periodic.at(count as i64 - 1));
            if let Some(value) = known.or_else(|| terms.evaluate(part, |operand| state.get(&operand).copied())) {
                state.insert(part, value);
            }
        }
        let next: Option<Vec<i64>> = values.iter().map(|value| state.get(&value.next).copied()).collect();
        let Some(next) = next else { break };
        if next == iterations[0] && given.values().all(|periodic| count as i64 % periodic.period() == 0) {
            let table = |number: usize| iterations.iter().map(|iteration| iteration[number]).collect();
            return values.iter().enumerate().map(|(at, value)| (value.symbol, Periodic::table(table(at)))).collect();
        }
        iterations.push(next);
    }
    BTreeMap::new()
}

/// The symbols that a term depends on, without those in the bounds of induction variables.
fn symbols(terms: &Terms, term: Term) -> BTreeSet<Term> {
    let (mut waiting, mut leaves) = (vec![term], BTreeSet::new());
    let mut seen = BTreeSet::new();
    while let Some(next) = waiting.pop() {
        match terms.node(next) {
            Node::Symbol(..) => drop(leaves.insert(next)),
            _ if seen.insert(next) => waiting.extend(terms.operands(next)),
            _ => {}
        }
    }
    leaves
}

/// The values of a term that depends on one induction variable alone, if they repeat.
fn repeats(terms: &Terms, term: Term, sources: &Sources) -> Option<Periodic> {
    let needs = symbols(terms, term);
    if needs.len() != 1 || !needs.iter().all(|symbol| sources.loops.contains_key(symbol)) {
        return None;
    }
    let form = AddressForm::of(terms, term, sources).filter(|form| form.shift.fixed.is_empty())?;
    let one = form.shift.loops.values().next()?.plus(&Periodic::constant(form.of_thread(0)))?;
    (one.gain() == 0).then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Symbol, SymbolFacts};
    use crate::integer::{Computation, Operation, Predicate};

    #[test]
    fn a_stage_and_its_parity_repeat() {
        let mut terms = Terms::default();
        let [stage, parity, sum] =
            [0, 1, 2].map(|name| terms.symbol(Symbol::Unknown, name, SymbolFacts::range(0, 100)));
        let [zero, one, three] = [0, 1, 3].map(|number| terms.constant(number));
        let next = terms.wide(Operation::Add, stage, one);
        let wraps = terms.wide(Operation::Compare(Predicate::Eq), next, three);
        let other = terms.wide(Operation::Xor, parity, one);
        let select = |terms: &mut Terms, a, b| terms.compute(Computation::wide(Operation::Select), vec![wraps, a, b]);
        let (next_stage, next_parity) = (select(&mut terms, zero, next), select(&mut terms, other, parity));
        let unknown = terms.symbol(Symbol::Unknown, 3, SymbolFacts::range(0, 100));
        let next_sum = terms.wide(Operation::Add, sum, unknown);
        let step = |symbol, next| Carried { symbol, first: 0, next };
        let found = carried(
            &terms,
            &[step(stage, next_stage), step(parity, next_parity), step(sum, next_sum)],
            &Sources::default(),
        );
        assert_eq!(found.len(), 2);
        for k in 0..20 {
            assert_eq!((found[&stage].at(k), found[&parity].at(k)), (Some(k % 3), Some(k / 3 % 2)));
        }
        let rising = terms.wide(Operation::Add, stage, one);
        let rising = carried(&terms, &[step(stage, rising)], &Sources::default());
        assert_eq!(rising, BTreeMap::from([(stage, Periodic::line(0, 1))]));
        let doubled = terms.wide(Operation::Add, stage, stage);
        assert!(carried(&terms, &[Carried { symbol: stage, first: 1, next: doubled }], &Sources::default()).is_empty());
    }
}
