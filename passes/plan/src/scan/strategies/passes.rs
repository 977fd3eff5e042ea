//! Three kernels; each begins when the one before has ended.

use super::super::plan::{Passes, Plan};
use super::super::problem::Problem;
use super::super::workgroup;
use super::{Strategy, waits_for_nobody};
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// `reduce_then_scan`.
pub(super) struct ReduceThenScan;

/// No block waits here: small blocks are as good as large ones.
const THREADS: i64 = 128;

impl Strategy for ReduceThenScan {
    fn name(&self) -> &'static str {
        "reduce_then_scan"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        waits_for_nobody(problem)?;
        let tile = workgroup::tile(problem, target, THREADS)?;
        Ok(Plan::Passes(Passes { tile, element_bytes: workgroup::stored_bytes(problem.element, target) }))
    }
}
