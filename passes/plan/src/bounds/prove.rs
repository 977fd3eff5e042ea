//! Proofs that a sum is at least 0 wherever the copy is executed.

use super::Question;
use super::facts::Facts;
use crate::terms::{Linear, Term};

/// The most facts that are combined in one proof.
const DEPTH: usize = 3;

/// The most sums that are tried.
const BUDGET: usize = 4000;

impl Facts<'_> {
    /// Whether a sum is proved never to be negative: other facts eliminate its terms until ranges suffice.
    pub(super) fn never_negative(&self, sum: &Linear) -> bool {
        self.dead || self.search(sum, DEPTH, &mut { BUDGET })
    }

    fn search(&self, sum: &Linear, depth: usize, budget: &mut usize) -> bool {
        if self.at_least_zero(sum) {
            return true;
        }
        let Some(left) = budget.checked_sub(1).filter(|_| depth > 0) else { return false };
        *budget = left;
        self.sums.iter().any(|fact| {
            let shared = fact.factors.iter().filter_map(|(term, by)| Some((*by, *sum.factors.get(term)?)));
            let mut useful = shared.filter(|(by, factor)| (*by > 0) == (*factor > 0));
            useful.any(|(by, factor)| {
                let (by, factor) = (by.abs(), factor.abs());
                let rest = sum.times(by).and_then(|sum| sum.plus(fact, -factor));
                rest.is_some_and(|rest| self.search(&rest, depth - 1, budget))
            })
        })
    }

    /// Whether ranges and residues alone prove it: a sum that is `r` modulo `d` and above `r - d` is at least `r`.
    fn at_least_zero(&self, sum: &Linear) -> bool {
        let (Some(least), Some((period, surplus))) = (self.least(sum), self.remainder(sum)) else { return false };
        surplus - period < least
    }
}

/// The two sums that must not be negative for a region to be inside: its start, and the elements left after its end.
pub(super) fn goals(question: &Question, facts: &Facts<'_>) -> Option<[Linear; 2]> {
    let (begin, extent) = (facts.linear(question.begin), facts.linear(question.extent));
    let rest = extent.plus(&begin, -1)?.plus(&Linear::constant(question.size.into()), -1)?;
    Some([begin, rest])
}

/// Which of the two goals are proved.
pub(super) fn proved(question: &Question) -> [bool; 2] {
    let facts = Facts::of(question);
    goals(question, &facts).map_or([facts.dead; 2], |goals| goals.map(|goal| facts.never_negative(&goal)))
}

/// Whether the region is proved to leave its buffer wherever the copy is executed.
pub(super) fn always_leaves(question: &Question) -> bool {
    let facts = Facts::of(question);
    let Some(goals) = goals(question, &facts).filter(|_| !facts.dead) else { return false };
    goals.into_iter().any(|goal| {
        // goal <= -1
        let negated = Linear::constant(-1).plus(&goal, -1);
        negated.is_some_and(|negated| facts.never_negative(&negated))
    })
}

/// Whether the facts contradict each other, so that the copy is never executed.
pub(super) fn is_dead(question: &Question) -> bool {
    Facts::of(question).dead
}

/// The largest value of a term for which the region ends within the buffer, in the worst case of the other terms.
pub(super) fn most(question: &Question, term: Term) -> Option<i128> {
    let facts = Facts::of(question);
    let [_, rest] = goals(question, &facts)?;
    let factor = rest.factors.get(&term).copied().filter(|&factor| factor < 0)?;
    let others = rest.plus(&Linear::term(term), -factor)?;
    Some(facts.least(&others)?.div_euclid(-factor))
}
