//! The numbers of a block's barriers, and the threads that use them.

use std::collections::HashMap;

use melior::ir::OperationRef;
use tile_plan::problem::threads::ThreadSet;

/// The number of barriers of a block.
const COUNT: i64 = 16;

/// The barriers that a kernel uses.
#[derive(Default)]
pub struct NamedBarriers<'c, 'a> {
    /// The threads of each, and the last operation on it.
    used: HashMap<i64, (ThreadSet, OperationRef<'c, 'a>)>,
}

impl<'c, 'a> NamedBarriers<'c, 'a> {
    /// Checks that a number is that of a barrier.
    ///
    /// # Errors
    /// Got and expected.
    pub fn check(number: i64) -> Result<(), String> {
        let fits = (0..COUNT).contains(&number);
        fits.then_some(()).ok_or_else(|| format!("has barrier number {number}, expected one from 0 to {}", COUNT - 1))
    }

    /// Records that threads use a barrier; other threads that use it, too, and an operation by which they do.
    pub fn record(
        &mut self,
        number: i64,
        threads: ThreadSet,
        op: OperationRef<'c, 'a>,
    ) -> Option<(ThreadSet, OperationRef<'c, 'a>)> {
        let earlier = self.used.insert(number, (threads, op));
        earlier.filter(|(earlier, _)| *earlier != threads)
    }

    /// The numbers that the kernel leaves, from the highest down; 0 is that of `gpu.barrier`.
    pub fn free(&self) -> impl Iterator<Item = i64> {
        (1..COUNT).rev().filter(|number| !self.used.contains_key(number))
    }
}
