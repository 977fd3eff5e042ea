//! The loops of a kernel: their numbers, and trip counts that several of them share.

use std::collections::{BTreeMap, HashMap};

use melior::ir::{OperationRef, Value};
use tile_plan::bounds::Term;
use tile_plan::sync::Loop;

use crate::read::values::key;

/// The loops that have been read, by their numbers.
#[derive(Default)]
pub struct Loops {
    all: Vec<Loop>,
    by_op: HashMap<usize, usize>,
    by_variable: HashMap<usize, usize>,
    /// Bounds and steps of loops with run-time trip counts.
    counts: Vec<Vec<Term>>,
    /// Those of them that may be others in each iteration of a loop around, by their numbers, and that loop.
    entries: BTreeMap<usize, usize>,
    /// Numbers that count the iterations of a loop over all times that it is entered: that loop and those around, by their operations.
    totals: BTreeMap<usize, Vec<usize>>,
}

impl Loops {
    /// Adds a loop; its number.
    pub fn add(&mut self, op: OperationRef<'_, '_>, new: Loop) -> usize {
        let number = self.all.len();
        self.by_op.insert(op.to_raw().ptr as usize, number);
        self.all.push(new);
        number
    }

    /// The induction variable of a loop.
    pub fn counts_by(&mut self, number: usize, variable: Value<'_, '_>) {
        self.by_variable.insert(key(variable), number);
    }

    /// The number of a loop, by its operation.
    pub fn number(&self, op: OperationRef<'_, '_>) -> Option<usize> {
        self.by_op.get(&(op.to_raw().ptr as usize)).copied()
    }

    /// The number of the loop with the given induction variable.
    pub fn of_variable(&self, variable: Value<'_, '_>) -> Option<usize> {
        self.by_variable.get(&key(variable)).copied()
    }

    /// All loops.
    pub fn all(&self) -> &[Loop] {
        &self.all
    }

    /// Moves the loops out; their numbers stay.
    pub fn take_all(&mut self) -> Vec<Loop> {
        std::mem::take(&mut self.all)
    }

    /// A fixed value varies between iterations of a loop.
    pub fn varies(&mut self, number: usize, value: Term) {
        self.all[number].varying.insert(value);
    }

    /// A fixed value moves by a positive multiple of `step` in each iteration of a loop, always the same one.
    pub fn steps(&mut self, number: usize, value: Term, step: i64) {
        self.varies(number, value);
        self.all[number].steps.insert(value, step);
    }

    /// A fixed value differs between any two iterations.
    pub fn differs(&mut self, number: usize, value: Term) {
        self.varies(number, value);
        self.all[number].distinct.insert(value);
    }

    /// A number that loops with equal trip counts share, by their bounds and step.
    pub fn count(&mut self, bounds: Vec<Term>) -> usize {
        let known = self.counts.iter().position(|count| *count == bounds);
        known.unwrap_or_else(|| {
            self.counts.push(bounds);
            self.counts.len() - 1
        })
    }

    /// The trip count of a number may be another one in each iteration of a loop.
    pub fn enters(&mut self, count: usize, around: usize) {
        self.entries.insert(count, around);
    }

    /// Moves the counts out that may be others in each iteration of a loop, with the loop of each.
    pub fn take_entries(&mut self) -> BTreeMap<usize, usize> {
        std::mem::take(&mut self.entries)
    }

    /// The number that counts the iterations of the first of some loops, in the others around it.
    pub fn total(&mut self, nest: &[OperationRef<'_, '_>]) -> usize {
        let ops: Vec<usize> = nest.iter().map(|op| op.to_raw().ptr as usize).collect();
        let known = self.totals.iter().find(|(_, loops)| **loops == ops).map(|(&number, _)| number);
        known.unwrap_or_else(|| {
            self.all.push(Loop::default());
            self.totals.insert(self.all.len() - 1, ops);
            self.all.len() - 1
        })
    }

    /// Moves these numbers out, with the numbers of the loops.
    pub fn take_totals(&mut self) -> BTreeMap<usize, Vec<usize>> {
        let totals = std::mem::take(&mut self.totals).into_iter();
        totals.map(|(total, ops)| (total, ops.iter().filter_map(|op| self.by_op.get(op).copied()).collect())).collect()
    }

    /// Bounds and step of each such number.
    pub fn counts(&self) -> &[Vec<Term>] {
        &self.counts
    }
}
