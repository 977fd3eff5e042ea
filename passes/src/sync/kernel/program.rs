//! The program of a kernel, while its operations are added.

use std::collections::BTreeSet;

use melior::ir::OperationRef;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, Completion, Effect, Item, Op, SyncProgram};

/// The operations of the IR that those of a program come from.
#[derive(Default)]
pub struct Sites<'c, 'a> {
    ops: Vec<OperationRef<'c, 'a>>,
    levels: Vec<Vec<OperationRef<'c, 'a>>>,
}

impl<'c, 'a> Sites<'c, 'a> {
    /// The operation of the IR that each operation of the program comes from; those in the condition of an
    /// `scf.while` are there twice.
    pub fn ops(&self) -> &[OperationRef<'c, 'a>] {
        &self.ops
    }

    /// The branches and loops around an operation of the program, outer to inner. An operation that is executed both before a
    /// loop and in it is not in the loop the first time.
    pub fn levels(&self, op: usize) -> &[OperationRef<'c, 'a>] {
        &self.levels[op]
    }
}

/// Builds a program, in the order of the text.
#[derive(Default)]
pub struct ProgramBuilder<'c, 'a> {
    ops: Vec<Op>,
    sites: Sites<'c, 'a>,
    end: Option<usize>,
    level: Vec<OperationRef<'c, 'a>>,
    /// The number of loops around, and of branches around whose threads are not known.
    uncertain: usize,
}

impl<'c, 'a> ProgramBuilder<'c, 'a> {
    /// Adds an operation; its item.
    pub fn push(&mut self, op: OperationRef<'c, 'a>, does: Op) -> Item {
        self.ops.push(does);
        self.sites.ops.push(op);
        self.sites.levels.push(self.level.clone());
        Item::Op(self.ops.len() - 1)
    }

    /// The number of the operation that is added next.
    pub fn next(&self) -> usize {
        self.ops.len()
    }

    /// The kernel ends at the operation that is added next.
    pub fn ends(&mut self) {
        self.end = Some(self.next());
    }

    /// The operation of the IR that one of the program comes from.
    pub fn site(&self, op: usize) -> Option<OperationRef<'c, 'a>> {
        self.sites.ops.get(op).copied()
    }

    /// What follows is inside of a branch or a loop.
    pub fn enter(&mut self, around: OperationRef<'c, 'a>) {
        self.level.push(around);
    }

    /// The end of what is inside of the innermost branch or loop.
    pub fn leave(&mut self) {
        self.level.pop();
    }

    /// The branches and loops around, outer to inner.
    pub fn around(&self) -> &[OperationRef<'c, 'a>] {
        &self.level
    }

    /// What follows may be executed any number of times, or by unknown threads.
    pub fn begin_uncertain(&mut self) {
        self.uncertain += 1;
    }

    /// The end of what may be executed any number of times, or by unknown threads.
    pub fn end_uncertain(&mut self) {
        self.uncertain -= 1;
    }

    /// Whether the next operation is executed once, by known threads.
    pub fn is_certain(&self) -> bool {
        self.uncertain == 0
    }

    /// Sets when the accesses of an operation are complete.
    pub fn complete(&mut self, op: usize, completion: Completion) {
        self.ops[op].accesses.iter_mut().for_each(|access| access.completion = completion);
    }

    /// Whether exactly these threads make the accesses of an operation.
    pub fn is_made_by(&self, op: usize, threads: &ThreadSet) -> bool {
        self.ops[op].accesses.iter().all(|access| self.ops[op].issuing_threads(access) == *threads)
    }

    /// Phases are followed by executing the program: copies complete with their arrivals, and what a commit completes, with that.
    pub fn complete_by_execution(&mut self, committed: &[usize]) {
        committed.iter().for_each(|&op| self.complete(op, Completion::Commit));
        for op in &mut self.ops {
            if op.effects.iter().any(|effect| matches!(effect, Effect::Mbarrier(_))) {
                let waits = |touch: &&mut Access| matches!(touch.completion, Completion::Phase(_) | Completion::Never);
                op.accesses.iter_mut().filter(waits).for_each(|touch| touch.completion = Completion::Arrival(0));
            }
        }
    }

    /// Phases complete in the order of the text: effects on mbarriers are dropped.
    pub fn complete_in_text_order(&mut self) {
        self.ops.iter_mut().for_each(|op| op.effects.retain(|effect| !matches!(effect, Effect::Mbarrier(_))));
    }

    /// The fixed values in the starts of accesses, and in the mbarriers and parities that are named.
    pub fn fixed_values(&self) -> BTreeSet<usize> {
        self.ops.iter().flat_map(Op::shifts).flat_map(|shift| shift.fixed.keys().copied()).collect()
    }

    /// The operations of the program, and where they come from.
    pub fn finish(self, block: ThreadSet, body: Vec<Item>) -> (SyncProgram, Sites<'c, 'a>) {
        (SyncProgram { block, ops: self.ops, body, end: self.end, ..SyncProgram::default() }, self.sites)
    }
}
