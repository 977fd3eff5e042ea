//! No instruction, for what no other variant takes: a prefetch is a hint.

use tile_layout::{Fusion, Layout};

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::prefetch::plan::{Hint, Prefetch};
use crate::families::prefetch::runs::global;
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::sides::side::Side;
use crate::target::Target;

/// The plan that issues nothing: its side is the whole buffer, with no run-time values.
pub(crate) struct Dropped;

const ABOUT: About =
    About::new(Hint::Dropped.variant(), 0, PlanKind::Prefetch, "nothing: the hint is dropped, and a remark says why");

impl Variant for Dropped {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, _target: &Target) -> Result<CopyPlan, Refusal> {
        let src = global(problem)?;
        let layout = Layout { replica: Vec::new(), ..src.layout.canonicalize(Fusion::None) };
        let strides = src.strides.clone();
        let (space, align_bytes, dynamic) = (src.space, src.align_bytes, Vec::new());
        let src = Side { layout, space, align_bytes, dynamic, strides };
        let (threads, element_bits) = (1, problem.element.bits);
        let plan = Prefetch { hint: Hint::Dropped, threads, ranks: None, element_bits, last_line: false, src };
        Ok(CopyPlan::Prefetch(plan))
    }
}
