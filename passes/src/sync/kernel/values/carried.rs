//! Values that loops carry from one iteration to the next.

use melior::ir::{BlockLike, Value};
use tile_dialect::ir::{Arguments, Parts, argument_of};
use tile_ops::scf;
use tile_plan::sync::{Carried, carried};

use super::KernelValues;
use crate::read::{divisibility, name};

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// Records a value's form in each iteration, if a loop carries it.
    pub(super) fn learn_carried(&mut self, value: Value<'c, 'a>) {
        let Some((block, place)) = argument_of(value) else { return };
        let Some(op) = block.parent_operation().filter(|op| name(*op) == scf::ForOp::NAME && place > 0) else { return };
        let variable = block.argument_at(0).and_then(|variable| self.loops.of_variable(variable.into()));
        let (Some(number), Some(end)) = (variable, block.terminator()) else { return };
        let mut all = Vec::new();
        for at in 1..block.argument_count() {
            let own = block.argument_at(at).zip(op.operand_at(at + 2)).zip(end.operand_at(at - 1));
            let Some(((own, first), next)) = own else { continue };
            if let Some(first) = divisibility::infer(first).constant() {
                let (symbol, next) = (self.terms.term(own.into()), self.terms.term(next));
                all.push(Carried { symbol, first, next });
            }
        }
        if let Some(variable) = block.argument_at(0) {
            let symbol = self.terms.term(variable.into());
            self.learn(symbol);
        }
        for (symbol, periodic) in carried(&self.terms.question.terms, &all, &self.sources) {
            self.sources.carried.insert(symbol, (number, periodic));
        }
    }
}
