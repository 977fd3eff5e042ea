//! Tensor memory to registers and back.

mod fit;
mod half;
mod instructions;
mod pattern;
mod places;

use fit::fit;
use half::half_of_the_lanes;
use places::Places;

use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::tmem::access::TmemAccess;
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::{full_scope, only_requests, unconverted, unswizzled};
use crate::target::{Target, engine};
use tile_isa::{Scope, Space, WARPGROUP};

/// `tcgen05.ld` and `tcgen05.st`: each warp of a warpgroup moves between its quarter of the lanes and its registers.
///
/// ```text
///   lanes    0 … 31 | 32 … 63 | 64 … 95 | 96 … 127
///   warp        0        1         2          3
/// ```
pub(crate) struct TensorLdSt;

const ABOUT: About =
    About::new("tcgen05_ldst", 10, PlanKind::TmemAccess, "tensor memory and the registers of a warpgroup")
        .on(&engine::TENSOR_MEMORY);

impl Variant for TensorLdSt {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::TmemAccess)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<TmemAccess, Refusal> {
    let load = direction(problem)?;
    check_caller(problem, target)?;
    unconverted(problem)?;
    only_requests(problem, &[])?;
    check_copy(problem)?;
    full_scope(problem)?;
    let local = if load { Role::Dst } else { Role::Src };
    unswizzled(problem.operand(local)?, local)?;
    let planned = Places::of(problem, local).and_then(fit);
    planned.map_err(|refusal| half_of_the_lanes(problem, local).unwrap_or(refusal))
}

/// Whether the copy is a load.
fn direction(problem: &Problem) -> Result<bool, Refusal> {
    match problem.spaces()? {
        (Space::Tmem, Space::Local) => Ok(true),
        (Space::Local, Space::Tmem) => Ok(false),
        (src, dst) => {
            let reason = format!("unsupported memory scopes src={src} dst={dst}; allowed: tmem <-> local");
            Err(Refusal::new("unsupported-spaces", reason))
        }
    }
}

fn check_caller(problem: &Problem, target: &Target) -> Result<(), Refusal> {
    let is_warpgroup = match problem.threads.scope {
        Scope::Cta => problem.threads.count() == Some(WARPGROUP),
        scope => scope == Scope::Warpgroup,
    };
    if !is_warpgroup {
        let scope = problem.threads.scope;
        let reason = format!(
            "each warp reaches a quarter of the lanes: needed warpgroup scope, or a block of {WARPGROUP} threads; got {scope}"
        );
        return Err(Refusal::new("scope-not-warpgroup", reason));
    }
    engine::TENSOR_MEMORY.check(target, "tcgen05 needs")
}
