//! Facts that hold where a copy is executed: the range and the residue of each term, and sums that are not negative.

use std::collections::HashMap;

use super::Question;
use crate::integer::{Computation, Interval, Operation, Predicate, Residue};
use crate::terms::{Linear, Node, Promise, Symbol, Term, Terms, linear, range, residue};
use tile_layout::gcd;

/// The most rounds in which what is learnt about one term is propagated to others.
const ROUNDS: usize = 4;

/// What is known about the terms of a question.
pub struct Facts<'q> {
    terms: &'q Terms,
    /// The terms that matter, operands first.
    cone: Vec<Term>,
    ranges: HashMap<Term, Interval>,
    residues: HashMap<Term, Residue>,
    linear: HashMap<Term, Linear>,
    /// Sums that are at least 0.
    pub(super) sums: Vec<Linear>,
    /// Whether the facts contradict each other, so that the copy is never executed.
    pub(super) dead: bool,
}

impl<'q> Facts<'q> {
    /// The facts that hold where the copy of a question is executed.
    pub fn of(question: &'q Question) -> Self {
        Facts::about(question, [question.begin, question.extent])
    }

    /// The facts about some terms that hold where the copy of a question is executed.
    pub fn about(question: &'q Question, asked: impl IntoIterator<Item = Term>) -> Self {
        let terms = &question.terms;
        let conditions = question.conditions.iter().map(|condition| condition.0);
        let bounded = question.bounded.iter().map(|bounded| bounded.0);
        let cone = terms.cone(asked.into_iter().chain(conditions).chain(bounded));
        let (ranges, residues, linear) = Default::default();
        let mut facts = Facts { terms, cone, ranges, residues, linear, sums: Vec::new(), dead: false };
        for round in 0..ROUNDS {
            facts.spread(question);
            facts.sums = facts.gather(question);
            facts.dead |= facts.sums.iter().any(|sum| sum.as_constant().is_some_and(|constant| constant < 0));
            if facts.dead || (!facts.learn() && round > 0) {
                break;
            }
        }
        facts
    }

    /// The range of a term.
    pub fn range(&self, term: Term) -> Interval {
        self.ranges.get(&term).copied().unwrap_or(Interval::ALL)
    }

    /// A term as a linear sum.
    pub fn linear(&self, term: Term) -> Linear {
        self.linear.get(&term).cloned().unwrap_or_else(|| Linear::term(term))
    }

    /// Computes the ranges, residues and sums of all terms from those of their operands.
    fn spread(&mut self, question: &Question) {
        for index in 0..self.cone.len() {
            let term = self.cone[index];
            let before = self.range(term);
            let (range, residue, linear) = self.of_node(term);
            let mut range = range.and(before);
            for &(_, holds) in question.conditions.iter().filter(|condition| condition.0 == term) {
                range = range.and(Interval::at(holds.into()));
            }
            for (_, bounds) in question.bounded.iter().filter(|bounded| bounded.0 == term) {
                range = range.and(*bounds);
            }
            self.dead |= range.is_empty();
            self.ranges.insert(term, range);
            self.residues.insert(term, residue);
            self.linear.insert(term, linear);
        }
    }

    fn of_node(&self, term: Term) -> (Interval, Residue, Linear) {
        let (terms, range_of) = (self.terms, |term| self.range(term));
        let fits = match terms.node(term) {
            Node::Computed(computation, operands) => range::exactly(computation, operands, range_of).is_some(),
            Node::Symbol(symbol, _) => range::only_grows(symbol, range_of),
            Node::Constant(_) | Node::Promised(..) => true,
        };
        let natural = |term: Term| self.range(term).least >= 0;
        let linear = match terms.node(term) {
            // What is promised is known of this term only.
            Node::Promised(promised, Promise::Multiple(_)) if self.linear(*promised).factors.len() == 1 => {
                Linear::term(term)
            }
            _ if fits => linear::of_node(terms, term, natural, |term| self.linear(term)),
            _ => Linear::term(term),
        };
        let residue = residue::of_node(terms, term, !fits, |term| self.residue(term));
        (range::of_node(terms, term, range_of), residue, linear)
    }

    fn residue(&self, term: Term) -> Residue {
        self.residues.get(&term).copied().unwrap_or(Residue::ANY)
    }

    /// Collects sums that are at least 0.
    fn gather(&self, question: &Question) -> Vec<Linear> {
        let mut sums = Vec::new();
        for &(condition, holds) in &question.conditions {
            self.of_condition(condition, holds, &mut sums);
        }
        for &term in &self.cone {
            match self.terms.node(term) {
                Node::Symbol(symbol @ Symbol::Loop { bounds: [lower, upper, _], .. }, _)
                    if range::only_grows(symbol, |term| self.range(term)) =>
                {
                    self.less(*lower, term, 0, &mut sums);
                    self.less(term, *upper, 1, &mut sums);
                }
                Node::Promised(promised, _) => {
                    self.less(*promised, term, 0, &mut sums);
                    self.less(term, *promised, 0, &mut sums);
                }
                Node::Computed(computation, operands) => self.of_rounding(term, computation, operands, &mut sums),
                _ => {}
            }
        }
        sums.retain(|sum| sum.as_constant().is_none_or(|constant| constant < 0));
        sums.into_iter().filter_map(|sum| self.tightened(&sum)).collect()
    }

    /// Adds the fact `a + gap <= b`.
    fn less(&self, a: Term, b: Term, gap: i128, sums: &mut Vec<Linear>) {
        let difference = self.linear(b).plus(&self.linear(a), -1);
        sums.extend(difference.and_then(|sum| sum.plus(&Linear::constant(gap), -1)));
    }

    fn of_condition(&self, condition: Term, holds: bool, sums: &mut Vec<Linear>) {
        let Node::Computed(computation, operands) = self.terms.node(condition) else { return };
        let constant = |index: usize| operands.get(index).and_then(|&operand| self.terms.as_constant(operand));
        match (computation.operation, operands.as_slice()) {
            (Operation::And, [a, b]) if holds => [a, b].into_iter().for_each(|&one| self.of_condition(one, true, sums)),
            (Operation::Or, [a, b]) if !holds => {
                [a, b].into_iter().for_each(|&one| self.of_condition(one, false, sums))
            }
            (Operation::Xor, [a, _]) if computation.result_bits == 1 && constant(1).is_some() => {
                self.of_condition(*a, holds != (constant(1) == Some(1)), sums);
            }
            (Operation::Compare(predicate), &[a, b]) => {
                self.of_comparison(if holds { predicate } else { predicate.negated() }, a, b, sums);
            }
            _ => {}
        }
    }

    fn of_comparison(&self, predicate: Predicate, a: Term, b: Term, sums: &mut Vec<Linear>) {
        let natural = |term: Term| self.range(term).least >= 0;
        match predicate {
            Predicate::Eq => {
                self.less(a, b, 0, sums);
                self.less(b, a, 0, sums);
            }
            Predicate::Slt => self.less(a, b, 1, sums),
            Predicate::Sle => self.less(a, b, 0, sums),
            Predicate::Sgt => self.less(b, a, 1, sums),
            Predicate::Sge => self.less(b, a, 0, sums),
            // What is unsigned-less than a non-negative number is non-negative itself.
            Predicate::Ult | Predicate::Ule if natural(b) => {
                sums.push(self.linear(a));
                self.less(a, b, i128::from(predicate == Predicate::Ult), sums);
            }
            Predicate::Ugt | Predicate::Uge if natural(a) => {
                sums.push(self.linear(b));
                self.less(b, a, i128::from(predicate == Predicate::Ugt), sums);
            }
            _ => {}
        }
    }

    /// Adds the bounds of divisions, remainders, minima and maxima by their operands.
    fn of_rounding(&self, term: Term, computation: &Computation, operands: &[Term], sums: &mut Vec<Linear>) {
        let &[a, b] = operands else { return };
        if computation.interval(&[self.range(a), self.range(b)]).is_none() {
            return;
        }
        let natural = self.range(a).least >= 0 && self.range(b).least >= 0;
        let by = self.range(b).constant().filter(|&by| by > 0);
        let (quotient, dividend) = (self.linear(term), self.linear(a));
        // by · term + least <= a <= by · term + most
        let mut between = |by: i128, least: i128, most: i128| {
            let rest = dividend.plus(&quotient, -by);
            sums.extend(rest.as_ref().and_then(|rest| rest.plus(&Linear::constant(least), -1)));
            sums.extend(rest.and_then(|rest| Linear::constant(most).plus(&rest, -1)));
        };
        match (computation.operation, by) {
            (Operation::DivFloor, Some(by)) => between(by, 0, by - 1),
            (Operation::DivSigned | Operation::DivUnsigned, Some(by)) if natural => between(by, 0, by - 1),
            (Operation::DivCeil, Some(by)) => between(by, 1 - by, 0),
            (Operation::DivCeilUnsigned, Some(by)) if natural => between(by, 1 - by, 0),
            (Operation::ShiftRight, _) if natural && (0..62).contains(&self.range(b).most) => {
                let bits = self.range(b);
                if bits.least == bits.most {
                    between(1 << bits.least, 0, (1 << bits.least) - 1);
                }
            }
            (Operation::RemUnsigned | Operation::RemSigned, _) if natural => self.less(term, a, 0, sums),
            (Operation::MinSigned, _) => [a, b].into_iter().for_each(|one| self.less(term, one, 0, sums)),
            (Operation::MaxSigned, _) => [a, b].into_iter().for_each(|one| self.less(one, term, 0, sums)),
            (Operation::MinUnsigned, _) if natural => [a, b].into_iter().for_each(|one| self.less(term, one, 0, sums)),
            (Operation::MaxUnsigned, _) if natural => [a, b].into_iter().for_each(|one| self.less(one, term, 0, sums)),
            _ => {}
        }
    }

    /// The modulus and remainder that are known of a sum; modulus 1 where nothing is known.
    pub(super) fn remainder(&self, sum: &Linear) -> Option<(i128, i128)> {
        let (mut divisor, mut residue) = (0i64, sum.constant);
        for (&term, &factor) in &sum.factors {
            let factor = i64::try_from(factor).ok()?;
            let scaled = self.residue(term).times(Residue::exactly(factor));
            let (by, rest) = scaled.constant().map_or_else(|| scaled.parts(), |constant| (0, constant));
            divisor = gcd(divisor, by);
            residue += i128::from(rest);
        }
        let divisor = i128::from(divisor.max(1));
        Some((divisor, residue.rem_euclid(divisor)))
    }

    /// A non-negative sum, reduced by its remainder: if it is `r` modulo `d`, it is at least `r`.
    fn tightened(&self, sum: &Linear) -> Option<Linear> {
        let (_, surplus) = self.remainder(sum)?;
        sum.plus(&Linear::constant(surplus), -1)
    }

    /// A lower bound of a sum, from ranges.
    pub(super) fn least(&self, sum: &Linear) -> Option<i128> {
        let part = |(&term, &factor): (&Term, &i128)| {
            let range = self.range(term);
            factor.checked_mul(if factor > 0 { range.least } else { range.most })
        };
        sum.factors.iter().try_fold(sum.constant, |all, term| all.checked_add(part(term)?))
    }

    /// Narrows the ranges of single terms by the sums; returns whether anything is new.
    fn learn(&mut self) -> bool {
        let mut learnt = false;
        for sum in std::mem::take(&mut self.sums) {
            // factor · term >= -(the maximum of the others)
            for (&term, &factor) in &sum.factors {
                let Some(others) = sum.plus(&Linear::term(term), -factor).and_then(|rest| rest.times(-1)) else {
                    continue;
                };
                let Some(least) = self.least(&others) else { continue };
                let range = self.range(term);
                let new = if factor > 0 {
                    Interval::new(-(-least).div_euclid(factor), range.most)
                } else {
                    Interval::new(range.least, (-least).div_euclid(-factor))
                };
                let narrowed = range.and(new);
                learnt |= narrowed != range;
                self.dead |= narrowed.is_empty();
                self.ranges.insert(term, narrowed);
            }
            self.sums.push(sum);
        }
        learnt
    }
}
