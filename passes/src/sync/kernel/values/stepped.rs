//! Induction variables whose bounds or step are known only at run time.
//!
//! ```mlir
//!   %step = arith.muli %blocks, %c1024                a multiple of 1024
//!   scf.for %i = %first to %n step %step {            two iterations are at least 1024 apart, and a multiple of that
//! ```

use melior::ir::{BlockLike, Value};
use tile_dialect::ir::{Parts, argument_of};
use tile_layout::gcd;
use tile_ops::scf;
use tile_plan::bounds::{Node, Symbol, Term};
use tile_plan::sync::AddressForm;
use tile_plan::terms::residue;

use super::KernelValues;
use crate::read::begin::Start;
use crate::read::divisibility;
use crate::read::run_time::RunTime;

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// Records what is known of the variable of a loop, by the loop's number.
    pub(super) fn learn_stepped(&mut self, (symbol, variable): (Term, Value<'c, 'a>), number: usize) {
        if self.sources.stepped.contains_key(&symbol) {
            return;
        }
        self.learn_uniform(symbol, variable);
        let Some(step) = self.step(symbol, variable) else { return };
        self.loops.steps(number, symbol, step);
        if !self.sources.fixed.contains(&symbol) {
            self.sources.stepped.insert(symbol, number);
        }
    }

    /// A number that is never less than an induction variable: what is a multiple of 4 and below another multiple of 4 is at
    /// most that less 4. `None` for other numbers.
    pub fn most(&mut self, number: &RunTime<'c, 'a>) -> Option<AddressForm> {
        let (term, more) = match number {
            RunTime::Value(value) => (self.terms.term(*value), 0),
            RunTime::Start(Start { constant, values, .. }) if values.len() == 1 => {
                (self.terms.term(values[0]), *constant)
            }
            _ => return None,
        };
        let terms = &self.terms.question.terms;
        let variable = std::iter::successors(Some(term), |&term| match terms.node(term) {
            Node::Promised(promised, _) => Some(*promised),
            _ => None,
        });
        let Node::Symbol(Symbol::Loop { bounds: [_, upper, _], unsigned: false, .. }, _) = terms.node(variable.last()?)
        else {
            return None;
        };
        let upper = *upper;
        let below = gcd(residue::infer(terms, term).factor(), residue::infer(terms, upper).factor()).max(1);
        self.of_term(upper)?.plus(&AddressForm::constant(more.checked_sub(below)?))
    }

    /// The largest number that is known to divide the step of a loop, where that is the same for all threads.
    fn step(&mut self, symbol: Term, variable: Value<'c, 'a>) -> Option<i64> {
        let op = argument_of(variable)?.0.parent_operation()?;
        if scf::ForOp::cast(op)?.unsigned_cmp() {
            return None;
        }
        let (divisor, residue) = divisibility::infer(op.operand_at(2)?).modulo();
        let term = *self.terms.question.terms.operands(symbol).get(2)?;
        let form = self.of_term(term)?;
        let alike = form.each.len() == 1 && !form.shift.unknown;
        Some(gcd(divisor, residue)).filter(|&step| alike && step >= 1)
    }
}
