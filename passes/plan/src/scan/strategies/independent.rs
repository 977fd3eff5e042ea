//! Strategies in which no block waits for another: three kernels, each of which starts when the one before has ended,
//! and one thread.

use crate::choose::Rule;
use crate::problem::refusal::Refusal;
use crate::scan::plan::{Passes, Plan};
use crate::scan::problem::Problem;
use crate::scan::strategies::not_taken;
use crate::scan::workgroup;
use crate::target::Target;

/// `reduce_then_scan`.
pub(super) struct ReduceThenScan;

/// No block waits here, so small blocks are as good as large ones.
const THREADS: i64 = 128;

impl Rule<Problem> for ReduceThenScan {
    fn name(&self) -> &'static str {
        "reduce_then_scan"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        waits_for_no_block(problem)?;
        let tile = workgroup::tile(problem, target, THREADS)?;
        Ok(Plan::Passes(Passes { tile, element_bytes: workgroup::stored_bytes(problem.element, target) }))
    }
}

/// `serial`.
pub(super) struct Serial;

impl Rule<Problem> for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn priority(&self) -> u32 {
        0
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        let requests = &problem.requests;
        not_taken(&[("threads", requests.threads.is_some()), ("items", requests.items.is_some())])?;
        waits_for_no_block(problem)?;
        workgroup::check_portable(problem, target)?;
        Ok(Plan::Serial)
    }
}

/// Declines options that only a scan in one pass uses: its shapes, and everything about waiting.
fn waits_for_no_block(problem: &Problem) -> Result<(), Refusal> {
    let (requests, hooks) = (&problem.requests, &problem.hooks);
    not_taken(&[
        ("shape", requests.shape.is_some()),
        ("stages", requests.stages.is_some()),
        ("order", requests.order.is_some()),
        ("max_spin", requests.max_spin.is_some()),
        ("skip_post", hooks.skip_post.is_some()),
        ("hold", hooks.hold.is_some()),
        ("reverse", hooks.reverse),
        ("poll_cap", hooks.poll_cap.is_some()),
        ("counters", hooks.counters),
    ])
}
