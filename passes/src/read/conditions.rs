//! The conditions under which an op is executed, as terms: those of the branches and loops around it, and what has been asserted
//! before it.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::{arith, cf, interface, scf};
use tile_plan::bounds::Term;
use tile_plan::integer::{Operation, Predicate};

use super::reading::{SurroundingsReader, is_unsigned};
use super::{kernel, name};

impl<'c: 'a, 'a> SurroundingsReader<'_, 'c, 'a> {
    /// States that a value of one bit is `holds`.
    pub fn holds(&mut self, condition: Value<'c, 'a>, holds: bool) {
        let condition = self.term(condition);
        self.question.conditions.push((condition, holds));
    }

    pub(super) fn compare(&mut self, predicate: Predicate, a: Term, b: Term) {
        let condition = self.question.terms.wide(Operation::Compare(predicate), a, b);
        self.question.conditions.push((condition, true));
    }

    /// Adds the conditions that hold where control has reached an op.
    pub(super) fn around(&mut self, op: OperationRef<'c, 'a>) {
        let mut inside = op;
        loop {
            self.asserted(inside);
            let Some(outer) = inside.parent_operation() else { return };
            let region = inside.block().and_then(|block| kernel::region_of(outer, block)).unwrap_or(0);
            let end = || outer.region_at(0)?.first_block()?.terminator();
            match name(outer) {
                scf::IfOp::NAME => outer.operand_at(0).into_iter().for_each(|value| self.holds(value, region == 0)),
                scf::ForOp::NAME if is_unsigned(outer) => {
                    let bounds: Vec<Term> = outer.operands().take(2).map(|bound| self.term(bound)).collect();
                    self.compare(Predicate::Ult, bounds[0], bounds[1]);
                }
                scf::ForOp::NAME => {
                    let of_all = [arith::MaxSIOp::NAME, arith::MinSIOp::NAME];
                    let bounds: Vec<_> = outer.operands().zip(of_all).map(|(bound, all)| among(bound, all)).collect();
                    for (&lower, &upper) in
                        bounds[0].iter().flat_map(|lower| bounds[1].iter().map(move |upper| (lower, upper)))
                    {
                        let [lower, upper] = [lower, upper].map(|bound| self.term(bound));
                        self.compare(Predicate::Slt, lower, upper);
                    }
                }
                scf::WhileOp::NAME if region == 1 => {
                    end().and_then(|end| end.operand_at(0)).into_iter().for_each(|value| self.holds(value, true));
                }
                _ => {}
            }
            if interface::is_function(outer) {
                return;
            }
            inside = outer;
        }
    }

    /// Adds the conditions that ops before one in its block have asserted.
    fn asserted(&mut self, op: OperationRef<'c, 'a>) {
        let mut next = op.block().and_then(|block| block.first_operation());
        while let Some(before) = next.filter(|before| before.to_raw().ptr != op.to_raw().ptr) {
            if name(before) == cf::AssertOp::NAME {
                before.operand_at(0).into_iter().for_each(|value| self.holds(value, true));
            }
            next = before.next_in_block();
        }
    }
}

/// The values of which the value is the largest, or the smallest.
fn among<'c: 'a, 'a>(value: Value<'c, 'a>, all: &str) -> Vec<Value<'c, 'a>> {
    let (mut waiting, mut values) = (vec![value], Vec::new());
    while let Some(value) = waiting.pop() {
        match defining_op(value).filter(|op| name(*op) == all) {
            Some(op) => waiting.extend(op.operands()),
            None => values.push(value),
        }
    }
    values
}
