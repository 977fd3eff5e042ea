//! Within global memory and within shared memory, through registers.

use crate::convert;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::accesses::transactions;
use crate::families::vector::partition::{in_parts, partition};
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::{between, honoured_hints};
use crate::target::Target;
use tile_isa::{Space, Transfer};

/// Rounds of vectors, as between global and shared memory. The order is that of the side with which both sides together
/// take fewer transactions, or that of the destination if there is no difference.
pub(crate) struct SameMemory;

const ABOUT: About = About::new(
    "same_memory",
    10,
    PlanKind::Partition,
    "within global or within shared memory, by a partition that it makes",
);

impl Variant for SameMemory {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn transfer(&self) -> Option<Transfer> {
        Some(Transfer::LoadStore)
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        between(problem, &[(Space::Global, Space::Global), (Space::Shared, Space::Shared)])?;
        check_copy(problem)?;
        honoured_hints(problem, target, 0)?;
        convert::on_chip(problem, target)?;
        in_parts(problem, target, |part| cheaper(part, target))
    }
}

/// The partition in the order of the side that costs less.
fn cheaper(problem: &Problem, target: &Target) -> Result<MatchedCopy, Refusal> {
    let by_dst = partition(problem, ABOUT.name, Role::Dst)?;
    let by_src = partition(problem, ABOUT.name, Role::Src)?;
    let cost = |copy: &MatchedCopy| {
        vectorize(copy, target, problem.max_vector_bits).map(|(plan, _)| transactions(&plan, target))
    };
    Ok(if cost(&by_src)? < cost(&by_dst)? { by_src } else { by_dst })
}
