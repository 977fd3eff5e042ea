//! One thread, element by element: the catch-all.

use super::super::plan::Plan;
use super::super::problem::Problem;
use super::super::workgroup;
use super::{Strategy, not_taken, waits_for_nobody};
use crate::problem::refusal::Refusal;
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

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        let requests = &problem.requests;
        not_taken(&[("threads", requests.threads.is_some()), ("items", requests.items.is_some())])?;
        waits_for_nobody(problem)?;
        workgroup::check_element(problem, target)?;
        Ok(Plan::Serial)
    }
}
