//! A copy of the region of a `tile.version`, in which its promises may be stated.

use std::collections::{HashMap, HashSet};

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::Ctx;
use tile_dialect::ir::{Parts, Rewriter, argument_of, defining_op, is_inside, parent_of, results_of};
use tile_ops::{Builder, tile};

use super::clause::Clause;
use crate::read::values::{key, operands};
use crate::read::{effects, kernel};
use crate::walk;

/// No chain of computations before the region is followed further.
const DEPTH: u32 = 256;

/// Copies the region of one version to the insertion point.
pub struct Copier<'c, 'a> {
    version: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
    /// What stands for a value in the copy, by the identity of the value.
    stands: HashMap<usize, Value<'c, 'a>>,
    /// Values from before the region of which nothing new is known.
    unchanged: HashSet<usize>,
    /// The last op that was made at the start of the `gpu.launch` around the version.
    at_start: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Copier<'c, 'a> {
    /// A copier in whose copies nothing is promised.
    pub fn new(version: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Self {
        let (stands, unchanged, at_start) = Default::default();
        Copier { version, rewriter, stands, unchanged, at_start }
    }

    /// States a promise for the copy, next to where its value is made; the op that does. No promise is broken there: only the
    /// copy, which is executed where it holds, uses the result.
    pub fn assume(&mut self, clause: &Clause<'c, 'a>) -> OperationRef<'c, 'a> {
        let value = self.now(clause.value);
        let made = self.behind(clause.value, value, |copier| {
            let context = Ctx::of(copier.version);
            let builder = Builder { rewriter: copier.rewriter, location: copier.version.location(), context };
            defining_op(clause.assume(builder, value)).expect("an op states it")
        });
        self.stands.insert(key(clause.value), results_of(made)[0]);
        made
    }

    /// Makes an op behind what makes `value`, which stands for `of`; at the start of the `gpu.launch` around the version where `of` is
    /// made outside of that.
    fn behind(
        &mut self,
        of: Value<'c, 'a>,
        value: Value<'c, 'a>,
        make: impl FnOnce(&Self) -> OperationRef<'c, 'a>,
    ) -> OperationRef<'c, 'a> {
        let launch = kernel::function(self.version).filter(|&function| kernel::is_launch(function));
        let around = launch.filter(|launch| kernel::is_captured(of, launch.to_raw().ptr as usize));
        let start = around.and_then(|launch| launch.region_at(0)?.first_block());
        let block = start.or_else(|| argument_of(value).map(|(block, _)| block));
        match (self.at_start.filter(|_| around.is_some()).or(defining_op(value).filter(|_| around.is_none())), block) {
            (Some(op), _) => self.rewriter.set_insertion_point_after(op),
            (None, Some(block)) => self.rewriter.set_insertion_point_to_start(block),
            (None, None) => unreachable!("a value is made by an op, or an argument of a block"),
        }
        let made = make(self);
        if around.is_some() {
            self.at_start = Some(made);
        }
        made
    }

    /// Computes again what the region uses and what is computed from values about which something is promised.
    pub fn derive(&mut self) {
        let version = self.version;
        let before = |value: &Value<'c, 'a>| parent_of(*value).is_some_and(|around| !is_inside(around, version));
        for op in walk::matching(version, |_| true).into_iter().filter(|op| *op != version) {
            for value in operands(op).into_iter().filter(before) {
                self.derived(value, DEPTH);
            }
        }
    }

    /// What stands for a value from before the region.
    fn derived(&mut self, value: Value<'c, 'a>, depth: u32) -> Value<'c, 'a> {
        if let Some(&known) = self.stands.get(&key(value)) {
            return known;
        }
        let again = defining_op(value).filter(|&op| depth > 0 && may_repeat(op));
        let Some(op) = again.filter(|_| !self.unchanged.contains(&key(value))) else { return value };
        let of = operands(op);
        let now: Vec<_> = of.iter().map(|&operand| self.derived(operand, depth - 1)).collect();
        if of.iter().zip(&now).all(|(of, now)| key(*of) == key(*now)) {
            self.unchanged.insert(key(value));
            return value;
        }
        let made = self.behind(value, value, |copier| copier.rewriter.insert_clone(op, &now));
        self.replace(op, made);
        self.now(value)
    }

    /// Copies the ops of the region; these, and what the region yields.
    pub fn body(&mut self) -> (Vec<OperationRef<'c, 'a>>, Vec<Value<'c, 'a>>) {
        let block = self.version.region_at(0).and_then(|region| region.first_block());
        let (mut made, mut next) = (Vec::new(), block.and_then(|block| block.first_operation()));
        while let Some(op) = next {
            let now: Vec<_> = operands(op).into_iter().map(|value| self.now(value)).collect();
            if tile::YieldOp::cast(op).is_some() {
                return (made, now);
            }
            let copy = self.rewriter.insert_clone(op, &now);
            self.inside(copy);
            self.replace(op, copy);
            made.push(copy);
            next = op.next_in_block();
        }
        (made, Vec::new())
    }

    /// Makes the ops in a copy use what stands for their operands.
    fn inside(&self, copy: OperationRef<'c, 'a>) {
        if copy.region_count() == 0 {
            return;
        }
        for op in walk::matching(copy, |_| true) {
            for (index, value) in operands(op).into_iter().enumerate() {
                if let Some(&now) = self.stands.get(&key(value)) {
                    self.rewriter.set_operand(op, index, now);
                }
            }
        }
    }

    fn now(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.stands.get(&key(value)).copied().unwrap_or(value)
    }

    fn replace(&mut self, op: OperationRef<'c, 'a>, copy: OperationRef<'c, 'a>) {
        for (of, now) in results_of(op).into_iter().zip(results_of(copy)) {
            self.stands.insert(key(of), now);
        }
    }
}

/// Whether an op may be executed a second time, by the threads that have executed it: it gives them the same again.
fn may_repeat(op: OperationRef<'_, '_>) -> bool {
    let is_distinct = tile::AssumeOp::cast(op).is_some_and(|it| it.distinct().is_some());
    op.region_count() == 0 && effects::is_function_of_operands(op) && !is_distinct
}
