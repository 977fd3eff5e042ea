//! All elements of a tile combined to one value: a reduction of a single dimension.
//!
//! ```text
//!   (1, 2, 256, 8) : (1, 8, 1@tx, 1), 1 x 4096      the same registers as a tile of 4096
//!     result                                        (1) : (1) + R(256 : 1@tx): one register of each thread
//! ```
//!
//! Threads that hold no element get the result through shared memory.

use tile_layout::{Axis, Iter, Layout};

use super::operand::{HoldingThreads, RegisterOperand};
use super::partition::thread_axis;
use super::reduce::{ReducePlan, ReduceProblem};
use super::reduced::ReducedLayouts;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// A tile whose elements are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalProblem {
    /// The tile, in registers.
    pub source: RegisterOperand,
    /// The threads that combine, and then have the result.
    pub threads: Threads,
}

impl TotalProblem {
    /// The reduction that it is, and its plan; each thread has one result.
    ///
    /// # Errors
    /// As [`ReduceProblem::plan`].
    pub fn plan(&self) -> Result<(ReduceProblem, ReducePlan), Refusal> {
        let RegisterOperand { name, layout, shape } = &self.source;
        let source = RegisterOperand { shape: vec![shape.iter().product()], ..self.source.clone() };
        let holding = HoldingThreads::new(&source.distribution(&self.threads)?, name)?;
        let reduced = ReducedLayouts::new(layout, &source.shape, 0, name)?.result();
        let result = if holding.is_part() {
            let every = Iter::new(holding.all as i64, 1, thread_axis(self.threads.scope));
            Layout::new([Iter::new(1, 1, Axis::Memory)]).with_replica([every])
        } else {
            reduced
        };
        let result = RegisterOperand { name: "the result".to_owned(), layout: result, shape: vec![1] };
        let problem = ReduceProblem {
            sources: vec![source],
            results: vec![result],
            dim: 0,
            is_total: true,
            has_index: false,
            threads: self.threads.clone(),
        };
        problem.plan().map(|plan| (problem, plan))
    }
}
