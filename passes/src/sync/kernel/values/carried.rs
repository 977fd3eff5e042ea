//! Values that loops carry from one iteration to the next.
//!
//! A loop inside another one may hand its last value on to its next entry, such as the stage of a ring that goes on across the tiles of a
//! persistent kernel. Such a value is a function of the iterations so far, whichever entry they were in:
//!
//! ```mlir
//!   scf.for %tile = … iter_args(%before = %c0) {                    %before, %step, %behind: the number of iterations so far
//!     %behind = scf.for %k = … iter_args(%step = %before) {
//!       %next = arith.addi %step, %c1
//!       scf.yield %next
//!     }
//!     scf.yield %behind
//!   }
//! ```

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Arguments, Parts, argument_of, defining_op};
use tile_ops::scf;
use tile_plan::bounds::Term;
use tile_plan::sync::{Carried, Sources, carried};

use super::KernelValues;
use crate::read::{divisibility, kernel, name};

/// The loops that carry a value on, from the inside out, each with the number of the value among those that it carries.
type Nest<'c, 'a> = Vec<(OperationRef<'c, 'a>, usize)>;

fn body<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    op.region_at(0).and_then(|region| region.first_block())
}

/// The loop that carries a value, or gives it as a result, and its number there.
fn carrier<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(OperationRef<'c, 'a>, usize)> {
    let (op, place) = match argument_of(value) {
        Some((block, place)) => (block.parent_operation()?, place.checked_sub(1)?),
        None => {
            let op = defining_op(value)?;
            (op, (0..op.result_count()).find(|&at| op.result_at(at).is_some_and(|result| value == result.into()))?)
        }
    };
    (name(op) == scf::ForOp::NAME).then_some((op, place))
}

/// The loop around which hands a value on to this one, and takes it back.
fn around<'c: 'a, 'a>((op, place): (OperationRef<'c, 'a>, usize)) -> Option<(OperationRef<'c, 'a>, usize)> {
    let first = op.operand_at(place + 3)?;
    argument_of(first)?;
    let outer = carrier(first).filter(|(outer, _)| op.parent_operation().is_some_and(|parent| parent == *outer))?;
    let back = body(outer.0)?.terminator()?.operand_at(outer.1)?;
    op.result_at(place).is_some_and(|result| back == result.into()).then_some(outer)
}

/// The loop inside which a value is handed on to.
fn inside<'c: 'a, 'a>((op, place): (OperationRef<'c, 'a>, usize)) -> Option<(OperationRef<'c, 'a>, usize)> {
    let back = body(op)?.terminator()?.operand_at(place)?;
    defining_op(back)?;
    let inner = carrier(back)?;
    (around(inner)? == (op, place)).then_some(inner)
}

/// The loops that carry a value on; `None` where one of them is in a loop that does not.
fn nest<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Nest<'c, 'a>> {
    let innermost = std::iter::successors(Some(carrier(value)?), |&level| inside(level)).last()?;
    let all: Nest<'c, 'a> = std::iter::successors(Some(innermost), |&level| around(level)).collect();
    let loops = [scf::ForOp::NAME, scf::WhileOp::NAME, scf::ParallelOp::NAME];
    let is_in_loop = kernel::ancestors(all.last()?.0).any(|op| loops.contains(&name(op)));
    (!is_in_loop).then_some(all)
}

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// Records a value's form in each iteration, if a loop carries it.
    pub(super) fn learn_carried(&mut self, value: Value<'c, 'a>) {
        let Some((block, place)) = argument_of(value) else { return };
        let Some(op) = block.parent_operation().filter(|op| name(*op) == scf::ForOp::NAME && place > 0) else { return };
        let variable = block.argument_at(0).and_then(|variable| self.loops.of_variable(variable.into()));
        let (Some(number), Some(end)) = (variable, block.terminator()) else { return };
        let mut all = Vec::new();
        for at in 1..block.argument_count() {
            let parts = block.argument_at(at).zip(op.operand_at(at + 2)).zip(end.operand_at(at - 1));
            let Some(((argument, first), next)) = parts else { continue };
            if let Some(first) = divisibility::infer(first).constant() {
                let (symbol, next) = (self.terms.term(argument.into()), self.terms.term(next));
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

    /// Records a value's form in each iteration of a loop that others around it enter again and again, if these carry it; whether they do.
    pub(super) fn learn_total(&mut self, symbol: Term, value: Value<'c, 'a>) -> bool {
        if self.sources.carried.contains_key(&symbol) {
            return true;
        }
        let Some(of_value) = nest(value).filter(|nest| nest.len() > 1) else { return false };
        let loops: Vec<OperationRef<'c, 'a>> = of_value.iter().map(|(op, _)| *op).collect();
        let (Some(block), Some(&(outermost, _))) = (body(loops[0]), of_value.last()) else { return false };
        let mut nests = Vec::new();
        for at in 1..block.argument_count() {
            let Some(argument) = block.argument_at(at) else { continue };
            let alike = nest(argument.into()).filter(|nest| nest.iter().map(|(op, _)| op).eq(&loops));
            let Some(alike) = alike else { continue };
            let first = alike.last().and_then(|(_, place)| outermost.operand_at(place + 3));
            let next = block.terminator().and_then(|end| end.operand_at(at - 1));
            let Some((first, next)) = first.and_then(|first| divisibility::infer(first).constant()).zip(next) else {
                continue;
            };
            let (symbol, next) = (self.terms.term(argument.into()), self.terms.term(next));
            nests.push((Carried { symbol, first, next }, alike));
        }
        let all: Vec<Carried> = nests.iter().map(|(carried, _)| *carried).collect();
        // A value that also depends on the iteration of one of the loops is no function of the iterations so far.
        let forms = carried(&self.terms.question.terms, &all, &Sources::default());
        let number = self.loops.total(&loops);
        for (carried, levels) in nests {
            let Some(periodic) = forms.get(&carried.symbol) else { continue };
            for (op, place) in levels {
                let argument = body(op).and_then(|block| block.argument_at(place + 1)).map(Value::from);
                for value in argument.into_iter().chain(op.result_at(place).map(Value::from)) {
                    let symbol = self.terms.term(value);
                    self.sources.carried.insert(symbol, (number, periodic.clone()));
                }
            }
        }
        self.sources.carried.contains_key(&symbol)
    }
}
