//! Values that depend on a run-time trip count alone, and repeat with it: the stage of a ring that is read behind its loop.
//!
//! ```mlir
//!   %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%stage = %c0, %phase = %c0) -> (index, index) { … }
//!   %slot = arith.remui %n, %c4 : index           a function of the trip count, as the results of the loop are
//! ```

use std::collections::BTreeMap;

use melior::ir::operation::OperationLike;
use melior::ir::{RegionLike, Value};
use tile_dialect::ir::{Arguments, Parts, defining_op};
use tile_ops::scf;
use tile_plan::bounds::{Term, is_natural};
use tile_plan::sync::{AddressForm, Loop, Periodic, Rounds};

use super::KernelValues;
use crate::read::name;
use crate::read::terms::Origin;

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// The values among some that depend on a trip count alone and repeat with it, each with the number of that count.
    pub fn counted(&mut self, values: impl IntoIterator<Item = Term>) -> BTreeMap<Term, (usize, Periodic)> {
        values.into_iter().filter_map(|value| Some((value, self.of_count(value)?))).collect()
    }

    /// The number of the trip count on which a term depends, if it depends on nothing else and repeats with it, and its value as a
    /// function of that count.
    pub(super) fn of_count(&mut self, term: Term) -> Option<(usize, Periodic)> {
        let symbols = self.terms.question.terms.needs(term).clone();
        let results: Vec<_> = symbols.into_iter().filter_map(|symbol| self.loop_result(symbol)).collect();
        let [first, step] = [0, 1].map(|number| self.terms.question.terms.constant(number));
        let question = &self.terms.question;
        self.loops.counts().iter().enumerate().find_map(|(count, bounds)| {
            let of_this = results.iter().filter(|(other, ..)| *other == count);
            let of_this = of_this.map(|(_, term, periodic)| (*term, periodic.clone()));
            let &[lower, end, by] = &bounds[..] else { return None };
            let counted = ((lower, by) == (first, step)).then(|| (end, Periodic::line(0, 1)));
            let function = AddressForm::of_counts(&question.terms, term, of_this.clone().chain(counted))?;
            // An upper bound that may be negative is not the trip count, but results of the loop follow from that.
            let is_of_results = || AddressForm::of_counts(&question.terms, term, of_this).is_some();
            (function.gain() == 0 && (is_of_results() || is_natural(question, end))).then_some((count, function))
        })
    }

    /// A symbol that is the result of a loop with a run-time trip count: the number of the count, the symbol, and its value as a function
    /// of that count.
    fn loop_result(&mut self, symbol: Term) -> Option<(usize, Term, Periodic)> {
        let Some(Origin::Value(value)) = self.terms.origins.get(&symbol).copied() else { return None };
        let (number, periodic) = self.carried_to_result(value)?;
        Some((self.loops.all()[number].count?, symbol, periodic))
    }

    /// Records the value of a loop's result where the trip count is known, and that of all threads; whether it is one.
    pub(super) fn learn_result(&mut self, symbol: Term, value: Value<'c, 'a>) -> bool {
        let result = self.carried_to_result(value).and_then(|(number, periodic)| {
            let Loop { trips, rounds, .. } = self.loops.all()[number];
            periodic.at(trips.filter(|_| rounds == Rounds::Together)?)
        });
        result.map(|result| self.sources.threads.insert(symbol, vec![result])).is_some()
    }

    /// The number of the loop that a value is a result of, and the value that it carries, after so many iterations.
    fn carried_to_result(&mut self, value: Value<'c, 'a>) -> Option<(usize, Periodic)> {
        let op = defining_op(value).filter(|op| name(*op) == scf::ForOp::NAME)?;
        let number = self.loops.number(op)?;
        let place = (0..op.result_count()).find(|&at| op.result_at(at).is_some_and(|result| value == result.into()))?;
        let carried = op.region_at(0)?.first_block()?.argument_at(place + 1)?;
        self.learn_carried(carried.into());
        let symbol = self.terms.term(carried.into());
        let (_, periodic) = self.sources.carried.get(&symbol)?;
        Some((number, periodic.clone()))
    }
}
