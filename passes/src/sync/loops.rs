//! Loops: their trip counts, the values that they carry from one iteration to the next, and conditions that all threads decide
//! alike: whether a loop iterates a given number of times, or has iterations left.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, argument_of, defining_op, is_inside};
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::{affine, scf};
use tile_plan::bounds::Term;
use tile_plan::sync::{Below, Carried, Form, Limit, Loop, Periodic, Rounds, Together, When, carried};

use crate::read::terms::Origin;
use crate::read::{divisibility, name};
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// A number that loops with equal trip counts share, whatever the count is. `None` where the count may differ each time that
    /// the loop is reached.
    pub(super) fn count(&mut self, op: OperationRef<'c, 'a>) -> Option<usize> {
        let bounds: Vec<Term> = op.operands().take(3).map(|it| self.terms.term(it)).collect();
        if bounds.iter().any(|&bound| self.varies(bound)) {
            return None;
        }
        self.same_in_cluster(op, &bounds);
        Some(self.count_of(bounds))
    }

    /// Whether a term may have another value in the next iteration of a loop around it.
    fn varies(&mut self, term: Term) -> bool {
        let loops = [scf::ForOp::NAME, scf::WhileOp::NAME, affine::AffineForOp::NAME];
        let Some(outermost) = self.level.iter().copied().find(|op| loops.contains(&name(*op))) else { return false };
        let needs = self.terms.question.terms.needs(term).clone();
        let made_inside = |value| {
            let owner = || argument_of(value).and_then(|(block, _)| block.parent_operation());
            defining_op(value).or_else(owner).is_none_or(|op| is_inside(op, outermost))
        };
        let may_vary = |symbol: &Term| match self.terms.origins.get(symbol) {
            Some(Origin::Value(value) | Origin::Extent(value, _)) => made_inside(*value),
            _ => false,
        };
        needs.iter().any(may_vary)
    }

    /// The same number, for bounds and a step.
    pub(super) fn count_of(&mut self, bounds: Vec<Term>) -> usize {
        let found = self.counts.iter().position(|it| *it == bounds);
        found.unwrap_or_else(|| {
            self.counts.push(bounds);
            self.counts.len() - 1
        })
    }

    /// The trip count of a counted loop, and which threads go round.
    pub(super) fn bounds(&self, op: OperationRef<'c, 'a>) -> Loop {
        let rounds = self.rounds(op, 0);
        let each = self.reader.trips(op).filter(|_| rounds.together() == Together::Block);
        let bounds: Option<Vec<i64>> = op.operands().take(3).map(|it| divisibility::of(it).constant()).collect();
        let trips = bounds.filter(|_| name(op) == scf::ForOp::NAME).and_then(|bounds| {
            let &[lower, upper, step] = &bounds[..] else { return None };
            let span = upper.checked_sub(lower)?.max(0);
            (step > 0).then(|| span.checked_add(step - 1).map(|span| span / step))?
        });
        let signed = scf::ForOp::cast(op).is_none_or(|of| !of.unsigned_cmp());
        let trips = each.and_then(|each| each.into_iter().max()).or(trips.filter(|_| signed));
        let entered = rounds == Rounds::Together && trips.is_some_and(|trips| trips > 0);
        Loop { trips, entered, rounds, ..Loop::default() }
    }

    /// Which threads go round a loop, whose body is the given region.
    pub(super) fn rounds(&self, op: OperationRef<'c, 'a>, region: usize) -> Rounds {
        let first = op.region_at(region).and_then(|region| region.first_block()?.first_operation());
        let Some(first) = first else { return Rounds::Unknown };
        let (outer, inner) = (self.reached(op), self.reached(first));
        match self.together(first) {
            Together::Block if inner.active == outer.active => Rounds::Together,
            Together::Block => Rounds::By(inner.active),
            Together::Warps => Rounds::ByWarps,
            Together::Threads => Rounds::Unknown,
        }
    }

    /// Records a value's form in each iteration, if a loop carries it.
    pub(super) fn learn_carried(&mut self, value: Value<'c, 'a>) {
        let Some((block, place)) = argument_of(value) else { return };
        let Some(op) = block.parent_operation().filter(|op| name(*op) == scf::ForOp::NAME && place > 0) else { return };
        let variable = block.argument(0).ok().and_then(|variable| self.number_of(variable.into()));
        let (Some(number), Some(end)) = (variable, block.terminator()) else { return };
        let mut all = Vec::new();
        for at in 1..block.argument_count() {
            let own = block.argument(at).ok().zip(op.operand_at(at + 2)).zip(end.operand_at(at - 1));
            let Some(((own, first), next)) = own else { continue };
            if let Some(first) = divisibility::of(first).constant() {
                let (symbol, next) = (self.terms.term(own.into()), self.terms.term(next));
                all.push(Carried { symbol, first, next });
            }
        }
        if let Ok(variable) = block.argument(0) {
            let symbol = self.terms.term(variable.into());
            self.learn(symbol);
        }
        for (symbol, periodic) in carried(&self.terms.question.terms, &all, &self.sources) {
            self.sources.carried.insert(symbol, (number, periodic));
        }
    }

    /// The condition under which each arm of an `scf.if` is taken.
    pub(super) fn when(&mut self, op: OperationRef<'c, 'a>) -> Option<When> {
        let condition = op.operand_at(0)?;
        self.times(condition).or_else(|| self.below(condition).map(When::Below))
    }

    /// A comparison of a number with a constant, or with the upper bound of a loop from 0 by 1.
    fn below(&mut self, condition: Value<'c, 'a>) -> Option<Below> {
        let compared = arith::CmpIOp::cast(defining_op(condition)?)?;
        let (value, limit) = match compared.predicate()? {
            CmpIPredicate::Slt => (compared.lhs(), compared.rhs()),
            CmpIPredicate::Sgt => (compared.rhs(), compared.lhs()),
            _ => return None,
        };
        let value = self.of_value(value)?;
        let limit = match divisibility::of(limit).constant() {
            Some(number) => Limit::Number(number),
            None => {
                let end = self.terms.term(limit);
                let [first, step] = [0, 1].map(|number| self.terms.question.terms.constant(number));
                Limit::Trips(self.count_of(vec![first, end, step]))
            }
        };
        Some(Below { value, limit })
    }

    /// A condition that depends only on the trip count of a loop from 0 by 1.
    fn times(&mut self, condition: Value<'c, 'a>) -> Option<When> {
        let term = self.terms.term(condition);
        let [first, step] = [0, 1].map(|number| self.terms.question.terms.constant(number));
        self.counts.iter().enumerate().find_map(|(count, bounds)| {
            let end = *bounds.get(1).filter(|_| bounds.first() == Some(&first) && bounds.get(2) == Some(&step))?;
            let taken = Form::of_count(&self.terms.question.terms, term, end).filter(|it| it.gain() == 0)?;
            let arms: Option<Vec<i64>> =
                (0..taken.period()).map(|times| Some(i64::from(taken.at(times)? == 0))).collect();
            Some(When::Times { count, arm: Periodic::table(arms?) })
        })
    }
}
