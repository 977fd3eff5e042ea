//! What completes asynchronous operations outside of loops, where that follows from the order of the text.

mod phases;

use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::Completion;

use super::program::ProgramBuilder;

pub use phases::{Arrival, Fault, Phases};

/// The operations of tensor memory that `tcgen05.commit` completes: copies by `tcgen05.cp`, and products.
#[derive(Default)]
pub struct Commits {
    /// These operations and their commits, by their numbers.
    issued: Vec<usize>,
    /// Those that no commit has followed yet.
    open: Vec<usize>,
    /// Each commit: its thread, and the number that stands for the completion of all that came before it.
    commits: Vec<(ThreadSet, usize)>,
}

impl Commits {
    /// Records a copy or a product, which the next commit of its thread completes.
    pub fn issued(&mut self, op: usize) {
        self.issued.push(op);
        self.open.push(op);
    }

    /// Records the operation that commits, whose arrival is asynchronous.
    pub fn arrives(&mut self, op: usize) {
        self.issued.push(op);
    }

    /// All of these operations.
    pub fn all(&self) -> &[usize] {
        &self.issued
    }

    /// A commit by a thread, whose arrival is in `phase`: once that is complete, all that the thread has issued is, also what it has
    /// committed before. The completion by which the arrival is known, if it completes nothing else.
    pub fn commit(
        &mut self,
        (phase, phases): (usize, &mut Phases),
        by: ThreadSet,
        program: &mut ProgramBuilder<'_, '_>,
    ) -> Option<Completion> {
        let (number, before) = (phases.next(), self.open.len());
        self.open.retain(|&issued| {
            let by_thread = program.is_made_by(issued, &by);
            if by_thread {
                program.complete(issued, Completion::Phase(number));
            }
            !by_thread
        });
        self.commits.push((by, number));
        let commits = self.commits.iter().filter(|(thread, _)| *thread == by);
        let numbers: Vec<usize> = commits.map(|(_, number)| *number).collect();
        phases.imply(phase, &numbers);
        (self.open.len() == before).then_some(Completion::Phase(number))
    }
}
