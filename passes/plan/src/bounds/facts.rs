//! Facts that hold where a copy is executed: the range and the residue of each term, and sums that are not negative.

use std::collections::HashMap;

use super::Question;
use super::term::{Node, Symbol, Term, Terms};
use crate::bounds::term::Linear;
use crate::integer::{Computation, Interval, Operation, Predicate, Residue};
use tile_layout::gcd;

/// The most rounds in which what is learnt about one term is propagated to others.
const ROUNDS: usize = 4;

/// No loop is executed for as many iterations.
const ENDLESS: i128 = 1 << 48;

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
        let terms = &question.terms;
        let conditions = question.conditions.iter().map(|condition| condition.0);
        let bounded = question.bounded.iter().map(|bounded| bounded.0);
        let cone = terms.cone([question.begin, question.extent].into_iter().chain(conditions).chain(bounded));
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
        let own = Linear::term(term);
        match self.terms.node(term) {
            Node::Constant(value) => {
                (Interval::at(*value), Residue::exactly(*value), Linear::constant((*value).into()))
            }
            Node::Symbol(symbol @ Symbol::Loop { lower, step, bits, .. }, _) => {
                let known = self.terms.known(term);
                if !self.only_grows(symbol) {
                    let residue = self.residue(*lower).plus(self.residue(*step).times(Residue::ANY)).wrapped(*bits);
                    return (known.range.and(Interval::of_bits(*bits)), residue, own);
                }
                let steps = self.residue(*step).times(Residue::ANY);
                let residue =
                    if known.residue == Residue::ANY { self.residue(*lower).plus(steps) } else { known.residue };
                let least = Interval::new(self.range(*lower).least, i64::MAX.into());
                (known.range.and(least), residue, own)
            }
            Node::Symbol(..) => {
                let known = self.terms.known(term);
                (known.range, known.residue, own)
            }
            Node::Promised(of, divisor) => {
                let linear = self.linear(*of);
                (
                    self.range(*of),
                    self.residue(*of).promised(*divisor),
                    if linear.factors.len() == 1 { own } else { linear },
                )
            }
            Node::Computed(computation, operands) => self.of_computed(term, computation, operands),
        }
    }

    /// Whether the variable of a loop stays between the loop's bounds, as signed numbers.
    fn only_grows(&self, symbol: &Symbol) -> bool {
        let Symbol::Loop { lower, upper, step, unsigned, bits } = symbol else { return true };
        let [lower, upper, step] = [lower, upper, step].map(|term| self.range(*term));
        if *unsigned {
            // A step that is negative as a signed number wraps, and the variable shrinks.
            return lower.least >= 0 && upper.least >= 0 && step.least >= 0;
        }
        let most = Interval::of_bits(*bits).most;
        upper.most - 1 + step.most <= most || lower.most + step.most * ENDLESS <= most
    }

    fn of_computed(&self, term: Term, computation: &Computation, operands: &[Term]) -> (Interval, Residue, Linear) {
        let ranges: Vec<Interval> = operands.iter().map(|&operand| self.range(operand)).collect();
        let residues: Vec<Residue> = operands.iter().map(|&operand| self.residue(operand)).collect();
        let range = computation.interval(&ranges);
        let linear = range.and_then(|_| self.sum(computation, operands)).unwrap_or_else(|| Linear::term(term));
        // A value that may wrap keeps at most its residues modulo powers of two.
        let residue = match range {
            Some(_) => computation.residue(&residues, false),
            None => computation.residue(&residues, true).wrapped(computation.result_bits),
        };
        (range.unwrap_or(Interval::of_bits(computation.result_bits)), residue, linear)
    }

    /// The linear sum that an op computes, if the op does not wrap.
    fn sum(&self, computation: &Computation, operands: &[Term]) -> Option<Linear> {
        let at = |index: usize| Some(self.linear(*operands.get(index)?));
        match computation.operation {
            Operation::Add => at(0)?.plus(&at(1)?, 1),
            Operation::Sub => at(0)?.plus(&at(1)?, -1),
            Operation::Mul => match (at(0)?.as_constant(), at(1)?.as_constant()) {
                (Some(factor), _) => at(1)?.times(factor),
                (_, Some(factor)) => at(0)?.times(factor),
                _ => None,
            },
            Operation::ShiftLeft => at(0)?.times(1 << at(1)?.as_constant().filter(|bits| (0..62).contains(bits))?),
            Operation::Signed => at(0),
            Operation::Unsigned if self.range(*operands.first()?).least >= 0 => at(0),
            _ => None,
        }
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
                Node::Symbol(symbol @ Symbol::Loop { lower, upper, .. }, _) if self.only_grows(symbol) => {
                    self.less(*lower, term, 0, &mut sums);
                    self.less(term, *upper, 1, &mut sums);
                }
                Node::Promised(of, _) => {
                    self.less(*of, term, 0, &mut sums);
                    self.less(term, *of, 0, &mut sums);
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
            (Operation::And, [a, b]) if holds => [a, b].into_iter().for_each(|&it| self.of_condition(it, true, sums)),
            (Operation::Or, [a, b]) if !holds => [a, b].into_iter().for_each(|&it| self.of_condition(it, false, sums)),
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
        let (own, of) = (self.linear(term), self.linear(a));
        // by · term + least <= a <= by · term + most
        let mut between = |by: i128, least: i128, most: i128| {
            let rest = of.plus(&own, -by);
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
            (Operation::MinSigned, _) => [a, b].into_iter().for_each(|it| self.less(term, it, 0, sums)),
            (Operation::MaxSigned, _) => [a, b].into_iter().for_each(|it| self.less(it, term, 0, sums)),
            (Operation::MinUnsigned, _) if natural => [a, b].into_iter().for_each(|it| self.less(term, it, 0, sums)),
            (Operation::MaxUnsigned, _) if natural => [a, b].into_iter().for_each(|it| self.less(it, term, 0, sums)),
            _ => {}
        }
    }

    /// The modulus and remainder that are known of a sum; modulus 1 where nothing is known.
    pub(super) fn remainder(&self, sum: &Linear) -> Option<(i128, i128)> {
        let (mut divisor, mut residue) = (0i64, sum.constant);
        for (&term, &factor) in &sum.factors {
            let factor = i64::try_from(factor).ok()?;
            let of = self.residue(term).times(Residue::exactly(factor));
            let (by, rest) = of.constant().map_or_else(|| of.parts(), |constant| (0, constant));
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
        sum.factors.iter().try_fold(sum.constant, |all, of| all.checked_add(part(of)?))
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
