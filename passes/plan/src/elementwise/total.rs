//! All elements of a tile combined to one value, or to several that are exchanged together: a reduction of a single dimension.
//!
//! ```text
//!   (1, 2, 256, 8) : (1, 8, 1@tx, 1), 1 x 4096      the same registers as a tile of 4096
//!     result                                        (1) : (1) + R(256 : 1@tx): one register of each thread
//! ```
//!
//! Threads that hold no element get the result through shared memory. Where each warp has a total of its own, it is what warps would
//! write to shared memory.

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
    /// Whether each warp combines only what its own threads hold.
    pub is_per_warp: bool,
    /// How many values each element becomes a term of.
    pub totals: usize,
}

impl TotalProblem {
    /// The reduction that it is, and its plan; each thread has one element of each result.
    ///
    /// # Errors
    /// As [`ReduceProblem::plan`]; a warp without elements that has a total of its own.
    pub fn plan(&self) -> Result<(ReduceProblem, ReducePlan), Refusal> {
        let RegisterOperand { name, layout, shape } = &self.source;
        let source = RegisterOperand { shape: vec![shape.iter().product()], ..self.source.clone() };
        let holding = HoldingThreads::new(&source.distribution(&self.threads)?, name)?;
        if holding.is_part() && self.is_per_warp {
            return Err(holding.refusal("a total of each warp", name));
        }
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
            results: vec![result; self.totals],
            dim: 0,
            is_total: true,
            has_index: false,
            threads: self.threads.clone(),
        };
        let plan = problem.plan()?;
        Ok(if self.is_per_warp { of_warps(problem, plan) } else { (problem, plan) })
    }
}

/// The reduction up to what each warp has.
fn of_warps(problem: ReduceProblem, plan: ReducePlan) -> (ReduceProblem, ReducePlan) {
    let Some(across) = plan.across else { return (problem, plan) };
    let name = problem.results[0].name.clone();
    let partial = RegisterOperand { name, layout: across.tiles.partial, shape: across.tiles.shape };
    let results = vec![partial; problem.results.len()];
    (ReduceProblem { results, ..problem }, ReducePlan { across: None, ..plan })
}
