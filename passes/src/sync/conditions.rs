//! Conditions that all threads decide alike: whether a loop goes round so often, or has iterations left.

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::arith::{self, CmpIPredicate};
use tile_plan::sync::{Below, Form, Limit, Periodic, When};

use crate::read::divisibility;
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// When which arm of an `scf.if` is taken.
    pub(super) fn when(&mut self, op: OperationRef<'c, 'a>) -> Option<When> {
        let condition = op.operand_at(0)?;
        self.times(condition).or_else(|| self.below(condition).map(When::Below))
    }

    /// Whether a number is below another one, or below what a loop from 0 by 1 counts to.
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

    /// What of the number of iterations of a loop from 0 by 1 alone decides.
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
