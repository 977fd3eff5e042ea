//! One thread, element by element: the catch-all.

use super::super::plan::Plan;
use super::super::problem::Problem;
use super::{Strategy, not_taken};
use crate::plan::Refusal;
use crate::target::Target;

/// `serial`.
pub(super) struct Serial;

impl Strategy for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn priority(&self) -> u32 {
        0
    }

    fn plan(&self, problem: &Problem, _target: &Target) -> Result<Plan, Refusal> {
        let (wishes, hooks) = (&problem.wishes, &problem.hooks);
        not_taken(&[
            ("shape", wishes.shape.is_some()),
            ("threads", wishes.threads.is_some()),
            ("items", wishes.items.is_some()),
            ("stages", wishes.stages.is_some()),
            ("order", wishes.order.is_some()),
            ("max_spin", wishes.max_spin.is_some()),
            ("skip_post", hooks.skip_post.is_some()),
            ("hold", hooks.hold.is_some()),
            ("reverse", hooks.reverse),
            ("poll_cap", hooks.poll_cap.is_some()),
            ("counters", hooks.counters),
        ])?;
        Ok(Plan::Serial)
    }
}
