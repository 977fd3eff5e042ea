//! The threads that reach each operation.

use std::rc::Rc;

use melior::ir::{BlockLike, OperationRef, RegionLike};
use tile_dialect::ir::Parts;
use tile_isa::Scope;
use tile_ops::scf;
use tile_plan::problem::threads::{Active, ThreadSet};
use tile_plan::sync::{Op, Rounds, Together};

use crate::read::problem::Reader;
use crate::read::{kernel, name};

/// The threads of a block that reach the operations of a kernel.
pub struct ActiveThreads<'r> {
    reader: Rc<Reader<'r>>,
    block: ThreadSet,
    /// The enclosing arms that rank and thread select: for each, the threads that take it, where they are known.
    narrowed: Vec<Option<ThreadSet>>,
}

impl<'r> ActiveThreads<'r> {
    /// The threads of a block.
    pub fn new(reader: Rc<Reader<'r>>, block: ThreadSet) -> Self {
        ActiveThreads { reader, block, narrowed: Vec::new() }
    }

    /// Reads copies and loops.
    pub fn reader(&self) -> &Reader<'r> {
        &self.reader
    }

    /// All threads of the block.
    pub fn block(&self) -> ThreadSet {
        self.block
    }

    /// The threads that reach an op, as an operation that does nothing yet.
    pub fn reaching(&self, op: OperationRef<'_, '_>) -> Op {
        let (active, exact) = match (self.known(op, Scope::Cta), self.narrowed()) {
            (Some(set), _) => (set, true),
            // An op that no thread of this block reaches is read as if all threads reached it.
            (None, Some(set)) => (if set.is_empty() { self.block } else { set }, true),
            (None, None) => (self.known(op, Scope::Thread).unwrap_or(self.block), false),
        };
        Op { active, exact, ..Op::default() }
    }

    /// The threads that reach an op, each scope as a whole or not at all; `None` where they are not known.
    fn known(&self, op: OperationRef<'_, '_>, scope: Scope) -> Option<ThreadSet> {
        match self.reader.threads(op, scope).ok()?.active {
            Active::All => Some(self.block),
            Active::Known(set) => Some(set.intersect(&self.block)),
            Active::Unknown { .. } => None,
        }
    }

    /// The threads that reach an op, whole warps or not at all, or those that rank and thread select; `None` where neither are
    /// known.
    pub fn of_warps(&self, op: OperationRef<'_, '_>) -> Option<ThreadSet> {
        self.known(op, Scope::Warp).or_else(|| self.narrowed())
    }

    /// The largest groups of threads that reach an op together.
    pub fn together(&self, op: OperationRef<'_, '_>) -> Together {
        match () {
            () if self.reaching(op).exact => Together::Block,
            () if self.known(op, Scope::Warp).is_some() => Together::Warps,
            () => Together::Threads,
        }
    }

    /// Whether all threads of a block that reach an `scf.if` take the same arm, whichever threads these are.
    pub fn agree_on(&self, op: OperationRef<'_, '_>) -> bool {
        let condition = op.operand_at(0).filter(|_| name(op) == scf::IfOp::NAME);
        let around = kernel::function(op).zip(condition);
        around.is_some_and(|(function, condition)| self.reader.is_uniform(function, condition))
    }

    /// Whether no thread reaches a region.
    pub fn is_dead(&self, op: OperationRef<'_, '_>, region: usize) -> bool {
        let first = first_in(op, region);
        first.and_then(|first| self.known(first, Scope::Cta)).is_some_and(|threads| threads.is_empty())
    }

    /// Which threads go round a loop, whose body is the given region.
    pub fn rounds(&self, op: OperationRef<'_, '_>, region: usize) -> Rounds {
        let Some(first) = first_in(op, region) else { return Rounds::Unknown };
        let (outer, inner) = (self.reaching(op), self.reaching(first));
        match self.together(first) {
            Together::Block if inner.active == outer.active => Rounds::Together,
            Together::Block => Rounds::By(inner.active),
            Together::Warps => Rounds::ByWarps,
            Together::Threads => Rounds::Unknown,
        }
    }

    /// The threads that reach the current program point, where rank and thread decide that.
    pub fn narrowed(&self) -> Option<ThreadSet> {
        self.narrowed.last().copied().flatten()
    }

    /// Whether rank and thread select one of the enclosing arms.
    pub fn is_narrowed(&self) -> bool {
        !self.narrowed.is_empty()
    }

    /// Whether rank and thread let no thread reach the current program point.
    pub fn are_none(&self) -> bool {
        self.narrowed() == Some(ThreadSet::new())
    }

    /// What follows is in an arm that these threads take.
    pub fn narrow(&mut self, arm: Option<ThreadSet>) {
        self.narrowed.push(arm);
    }

    /// The end of the innermost such arm.
    pub fn widen(&mut self) {
        self.narrowed.pop();
    }
}

/// The first operation of a region.
pub fn first_in<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Option<OperationRef<'c, 'a>> {
    op.region_at(region).and_then(|region| region.first_block()?.first_operation())
}
