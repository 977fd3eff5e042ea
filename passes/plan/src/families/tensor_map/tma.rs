//! The variant of copies that request a tensor map.

use super::form::TENSOR_MAPS;
use super::views::plan;
use crate::families::aligned::{Aligned, Kind};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// Copies that request a tensor map.
pub(crate) struct TensorMaps;

const ABOUT: About =
    About::new("tma", 10, Kind::TensorMap, "global and shared memory, through tensor maps: `cp.async.bulk.tensor`")
        .on(&TENSOR_MAPS)
        .by_mbarrier();

impl Variant for TensorMaps {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Aligned, Refusal> {
        let request = problem.asynchronous.as_ref().and_then(|requested| requested.tensor_map);
        let request = request.ok_or_else(|| Refusal::new("variant-not-named", "the copy requests no tensor map"))?;
        plan(problem, request, target).map(Aligned::TensorMap)
    }
}
