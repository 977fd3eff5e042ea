//! Conditions that all threads decide alike: whether a loop goes round so often.

use melior::ir::OperationRef;
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::arith::{self, CmpIPredicate};
use tile_plan::sync::{Below, Limit};

use crate::read::divisibility;
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// When the first arm of an `scf.if` is taken: while a number is below another one, or below what a loop from 0 by 1 counts
    /// to.
    pub(super) fn when(&mut self, op: OperationRef<'c, 'a>) -> Option<Below> {
        let compared = arith::CmpIOp::cast(defining_op(op.operand_at(0)?)?)?;
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
}
