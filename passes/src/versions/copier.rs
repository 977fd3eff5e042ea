//! A copy of the region of a `tile.version`, in which its promises may be stated.

use std::collections::{HashMap, HashSet};

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::Ctx;
use tile_dialect::ir::{Parts, Rewriter, argument_of, defining_op, is_inside, parent_of, results_of};
use tile_ops::{Builder, tile};

use super::clause::VersionClause;
use crate::read::values::{key, operands};
use crate::read::{effects, kernel};
use crate::walk;

/// No chain of computations before the region is followed further.
const DEPTH: u32 = 256;

/// Copies the region of one version to the insertion point.
pub struct Copier<'c, 'a> {
    version: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
    stands: Stands<'c, 'a>,
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
    pub fn assume(&mut self, clause: &VersionClause<'c, 'a>) -> OperationRef<'c, 'a> {
        let value = self.now(clause.value);
        let made = self.behind(clause.value, value, |copier| {
            let context = Ctx::of(copier.version);
            let builder = Builder { rewriter: copier.rewriter, location: copier.version.location(), context };
            defining_op(clause.assume(builder, value)).expect("an op states it")
        });
        self.stands.insert(key(clause.value), results_of(made)[0]);
        made
    }

    /// Makes an op behind what makes `value`, which stands for `source`; at the start of the `gpu.launch` around the version where
    /// `source` is made outside of that.
    fn behind(
        &mut self,
        source: Value<'c, 'a>,
        value: Value<'c, 'a>,
        make: impl FnOnce(&Self) -> OperationRef<'c, 'a>,
    ) -> OperationRef<'c, 'a> {
        let launch = kernel::function(self.version).filter(|&function| kernel::is_launch(function));
        let around = launch.filter(|launch| kernel::is_captured(source, launch.to_raw().ptr as usize));
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
        let before = operands(op);
        let now: Vec<_> = before.iter().map(|&operand| self.derived(operand, depth - 1)).collect();
        if before.iter().zip(&now).all(|(before, now)| key(*before) == key(*now)) {
            self.unchanged.insert(key(value));
            return value;
        }
        let made = self.behind(value, value, |copier| copier.rewriter.insert_clone(op, &now));
        replace(&mut self.stands, op, made);
        self.now(value)
    }

    /// Copies the ops of the region; these, and what the region yields.
    pub fn body(&mut self) -> (Vec<OperationRef<'c, 'a>>, Vec<Value<'c, 'a>>) {
        let block = self.version.region_at(0).and_then(|region| region.first_block());
        let ops = std::iter::successors(block.and_then(|block| block.first_operation()), |op| op.next_in_block());
        let made = copy_ops(self.rewriter, ops.take_while(|op| tile::YieldOp::cast(*op).is_none()), &mut self.stands);
        let end = block.and_then(|block| block.terminator());
        let yielded = end.map(operands).unwrap_or_default().into_iter().map(|value| self.now(value)).collect();
        (made, yielded)
    }

    fn now(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.stands.get(&key(value)).copied().unwrap_or(value)
    }
}

/// What stands for values in a copy, by the identity of the value.
type Stands<'c, 'a> = HashMap<usize, Value<'c, 'a>>;

/// Copies ops to the insertion point, with what stands for their operands; what the copies make stands for what the ops make.
fn copy_ops<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    ops: impl Iterator<Item = OperationRef<'c, 'a>>,
    stands: &mut Stands<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let copy = |op: OperationRef<'c, 'a>| {
        let copy = rewriter.insert_clone(op, &operands(op));
        for inner in walk::matching(copy, |_| true) {
            for (index, value) in operands(inner).into_iter().enumerate() {
                if let Some(&now) = stands.get(&key(value)) {
                    rewriter.set_operand(inner, index, now);
                }
            }
        }
        replace(stands, op, copy);
        copy
    };
    ops.map(copy).collect()
}

fn replace<'c: 'a, 'a>(stands: &mut Stands<'c, 'a>, op: OperationRef<'c, 'a>, copy: OperationRef<'c, 'a>) {
    for (of, now) in results_of(op).into_iter().zip(results_of(copy)) {
        stands.insert(key(of), now);
    }
}

/// Whether an op may be executed a second time, by the threads that have executed it: it gives them the same again.
fn may_repeat(op: OperationRef<'_, '_>) -> bool {
    let is_distinct = tile::AssumeOp::cast(op).is_some_and(|assume| assume.distinct().is_some());
    op.region_count() == 0 && effects::is_function_of_operands(op) && !is_distinct
}
