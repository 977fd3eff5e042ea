//! The variant of copies that request a tensor map.

use super::form::{TENSOR_MAPS, TMA};
use super::views::plan;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::mask::Fill;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::tensor_map::{MapRequest, OutOfBounds};
use crate::target::Target;
use tile_isa::Space;

/// Copies that request a tensor map.
pub(crate) struct TensorMaps;

const ABOUT: About = About {
    only_when_forced: true,
    ..About::new(TMA, 10, PlanKind::TensorMap, "global and shared memory, through tensor maps: `cp.async.bulk.tensor`")
        .on(&TENSOR_MAPS)
        .by_mbarrier()
};

impl Variant for TensorMaps {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        let request = problem.asynchronous.as_ref().and_then(|requested| requested.tensor_map);
        let request =
            request.ok_or_else(|| Refusal::new("no-tensor-map", "the copy requests no tensor map; needed one"))?;
        check_fill(problem, request)?;
        plan(problem, request, target).map(CopyPlan::TensorMap)
    }
}

/// Requires that what a masked load leaves in elements outside of the tensor is what the engine writes there.
fn check_fill(problem: &Problem, request: MapRequest) -> Result<(), Refusal> {
    let Some(mask) = &problem.mask else { return Ok(()) };
    if !problem.operand(Role::Dst).is_ok_and(|dst| dst.space == Space::Shared) {
        return Ok(());
    }
    match mask.fill {
        Some(Fill::Zero) => Ok(()),
        Some(Fill::Value) if request.fill == OutOfBounds::Nan => Ok(()),
        Some(Fill::Value) => {
            let reason = "the copy fills with a value; a tensor map fills with zeros or NaNs";
            Err(Refusal::new("map-fill", reason))
        }
        None => {
            let reason =
                "the copy leaves elements outside of the tensor unchanged; a tensor map fills them: needed fill(%zero)";
            Err(Refusal::new("map-fill", reason))
        }
    }
}
