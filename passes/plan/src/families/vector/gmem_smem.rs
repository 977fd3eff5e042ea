//! Between global and shared memory, through registers.

use crate::convert;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::variant::{About, Variant};
use crate::families::vector::partition::{in_parts, partition};
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::honoured_hints;
use crate::target::Target;
use tile_isa::{Space, Transfer};

/// Rounds of vectors, consecutive threads at consecutive addresses of global memory: loads, then stores. Where a region
/// is not a list of iters, it is split into a few parts that are, each planned this way.
pub(crate) struct GlobalShared;

const ABOUT: About =
    About::new("gmem_smem", 10, PlanKind::Partition, "global and shared memory, by a partition that it makes");

impl Variant for GlobalShared {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn transfer(&self) -> Option<Transfer> {
        Some(Transfer::LoadStore)
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
    let global = global_side(problem)?;
    check_copy(problem)?;
    honoured_hints(problem, target, 0)?;
    convert::on_chip(problem, target)?;
    in_parts(problem, target, |part| partition(part, ABOUT.name, global))
}

/// The operand in global memory.
fn global_side(problem: &Problem) -> Result<Role, Refusal> {
    match problem.spaces()? {
        (Space::Global, Space::Shared) => Ok(Role::Src),
        (Space::Shared, Space::Global) => Ok(Role::Dst),
        (src, dst) => {
            let reason =
                format!("unsupported memory scopes src={src} dst={dst}; allowed: global -> shared, shared -> global");
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}
