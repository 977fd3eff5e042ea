//! Removes redundant synchronization from a program, and narrows additions that order more than is needed.

use crate::sync::check::{Checker, Found};
use crate::sync::insert::Work;
use crate::sync::interblock::orders_blocks;
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::{proved, rings};

/// The numbers of operations that only synchronize and that an ordered program does not need. Removing all of them
/// keeps it ordered, also with what other blocks do; empty for a program with findings.
pub fn redundant(program: &SyncProgram) -> Vec<usize> {
    let Some(mut judge) = Judge::new(program) else { return Vec::new() };
    let orders = |effect: &Effect| match effect {
        Effect::Barrier | Effect::WarpBarrier | Effect::ClusterBarrier | Effect::Wait { .. } => true,
        Effect::ProxyFence { .. } | Effect::TensorFence { .. } => true,
        Effect::Commit(_) | Effect::TensorCommit | Effect::PhaseWait(_) | Effect::Mbarrier(_) => false,
        Effect::ClusterArrive { .. } | Effect::ClusterWait | Effect::MbarrierFence => false,
        Effect::InterBlock { .. } => false,
    };
    let alike =
        |op: usize| (0..program.ranks()).all(|rank| std::ptr::eq(program.op(rank, op), &raw const program.ops[op]));
    let only = |op: &Op| op.accesses.is_empty() && !op.effects.is_empty() && op.effects.iter().all(orders);
    let kept = orders_blocks(program);
    let ops = (0..program.ops.len()).filter(|&op| !kept[op] && only(&program.ops[op]) && alike(op));
    ops.filter(|&op| judge.becomes(op, Vec::new())).collect()
}

/// Decides which changes keep an ordered program ordered.
enum Judge<'p> {
    /// Rechecks the accesses whose paths pass a changed operation.
    Ways(Box<Checker<'p>>),
    /// Executes the program again.
    Execution(Box<SyncProgram>),
}

impl<'p> Judge<'p> {
    /// A judge of a program; `None` where it has findings.
    fn new(program: &'p SyncProgram) -> Option<Self> {
        if rings::has(program) {
            return proved::is_in_order(program).then(|| Judge::of_executed(program));
        }
        let (mut checker, mut findings) = (Checker::new(program, &proved::footprints()), Found::any());
        checker.all(&mut findings);
        findings.list.is_empty().then(|| Judge::Ways(Box::new(checker)))
    }

    /// A judge of a program that an execution has found to be ordered.
    fn of_executed(program: &SyncProgram) -> Self {
        Judge::Execution(Box::new(program.clone()))
    }

    /// Replaces the effects of an operation and returns whether the program stays ordered; otherwise restores them.
    fn becomes(&mut self, op: usize, effects: Vec<Effect>) -> bool {
        match self {
            Judge::Ways(checker) => checker.becomes(op, effects),
            Judge::Execution(program) => {
                let before = std::mem::replace(&mut program.ops[op].effects, effects);
                let fits = proved::is_in_order(program);
                if !fits {
                    program.ops[op].effects = before;
                }
                fits
            }
        }
    }
}

impl Work {
    /// Removes redundant additions, and narrows the others as far as possible.
    pub(super) fn reduce(&mut self) {
        let mut made = std::mem::take(&mut self.made);
        let mut judge = match std::mem::take(&mut self.passed) {
            Some(passed) => Judge::Ways(Box::new(Checker::of_ordered(&self.program, self.classes.clone(), passed))),
            None => Judge::of_executed(&self.program),
        };
        for at in (0..made.len()).rev() {
            let (op, insertion) = &mut made[at];
            if judge.becomes(*op, Vec::new()) {
                made.remove(at);
                continue;
            }
            while let Some(less) = narrower(&insertion.effect).filter(|less| judge.becomes(*op, vec![less.clone()])) {
                insertion.effect = less;
            }
        }
        self.made = made;
    }
}

/// The next narrower effect: a barrier of the block instead of the cluster, of the warp instead of the block, or a wait
/// that leaves one more group in flight.
fn narrower(effect: &Effect) -> Option<Effect> {
    match *effect {
        Effect::ClusterBarrier => Some(Effect::Barrier),
        Effect::Barrier => Some(Effect::WarpBarrier),
        Effect::Wait { queue, pending, reads } if pending < queue.most_pending() && !queue.is_of_tensor() => {
            Some(Effect::Wait { queue, pending: pending + 1, reads })
        }
        _ => None,
    }
}
