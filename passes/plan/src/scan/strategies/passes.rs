//! Three kernels; each begins when the one before has ended.

use super::super::plan::{Passes, Plan};
use super::super::problem::Problem;
use super::super::tile::Tile;
use super::{Strategy, not_taken};
use crate::plan::Refusal;
use crate::target::Target;

/// `reduce_then_scan`.
pub(super) struct ReduceThenScan;

/// Nobody waits here: small blocks are as good as large ones.
const THREADS: i64 = 128;

impl Strategy for ReduceThenScan {
    fn name(&self) -> &'static str {
        "reduce_then_scan"
    }

    fn priority(&self) -> u32 {
        10
    }

    fn plan(&self, problem: &Problem, _target: &Target) -> Result<Plan, Refusal> {
        let (wishes, hooks) = (&problem.wishes, &problem.hooks);
        not_taken(&[
            ("shape", wishes.shape.is_some()),
            ("stages", wishes.stages.is_some()),
            ("order", wishes.order.is_some()),
            ("max_spin", wishes.max_spin.is_some()),
            ("skip_post", hooks.skip_post.is_some()),
            ("hold", hooks.hold.is_some()),
            ("reverse", hooks.reverse),
            ("poll_cap", hooks.poll_cap.is_some()),
            ("counters", hooks.counters),
        ])?;
        let tile = Tile::in_registers(problem, THREADS)?;
        Ok(Plan::Passes(Passes { tile, element_bytes: problem.element.bytes() }))
    }
}
