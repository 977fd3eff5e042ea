//! One element at a time: slow, and for every copy that plain loads and stores can do.

use crate::convert;
use crate::families::copy_plan::{CopyPlan, PlanKind};
use crate::families::scalar::distribute::distribute;
use crate::families::scalar::plan::{Owner, ScalarCopy, ScalarSide};
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::check::check_copy;
use crate::problem::effect::Effect;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::threads::{Active, Elected};
use crate::sides::chain::is_distributed;
use crate::target::Target;
use tile_isa::{Scope, Space};

/// A scalar loop, executed by the first active thread of the scope; by every thread for elements in its own registers.
///
/// Cache hints are ignored: they change nothing that is copied.
pub(crate) struct ScalarLoop;

const ABOUT: About = About::new("fallback", 0, PlanKind::Scalar, "all others, one element at a time");

impl Variant for ScalarLoop {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        plan(problem, target).map(CopyPlan::Scalar)
    }
}

fn plan(problem: &Problem, target: &Target) -> Result<ScalarCopy, Refusal> {
    check_copy(problem)?;
    convert::on_chip(problem, target)?;
    let dst = problem.operand(Role::Dst)?;
    let src = if problem.effect == Effect::Filled { None } else { Some(problem.operand(Role::Src)?) };
    for (role, operand) in problem.operands.iter() {
        if operand.space == Space::Tmem {
            let reason = "loads and stores do not reach tensor memory; needed global, shared or local".to_owned();
            return Err(Refusal::of(role, "tensor-memory", reason));
        }
    }
    Ok(ScalarCopy {
        owner: owner(problem)?,
        extents: dst.extent.iter().copied().filter(|&extent| extent != 1).collect(),
        element_bits: problem.element.bits,
        conversion: problem.conversion,
        effect: problem.effect,
        mask: problem.mask.clone(),
        src: src.map(side),
        dst: side(dst),
    })
}

fn side(operand: &Operand) -> ScalarSide {
    let mut loops = 0..;
    let walked = operand.extent.iter().map(|&extent| if extent == 1 { None } else { loops.next() }).collect();
    ScalarSide {
        space: operand.space,
        layout: operand.layout.clone(),
        shape: operand.shape.clone(),
        begin: operand.begin.clone(),
        origin: operand.origin.clone(),
        strides: operand.strides.clone(),
        walked,
        align_bytes: operand.align_bytes,
    }
}

fn owner(problem: &Problem) -> Result<Owner, Refusal> {
    let threads = &problem.threads;
    if let (Active::Unknown { why, .. }, true) = (&threads.active, threads.scope != Scope::Thread) {
        let reason = format!(
            "the threads that reach the copy are not known: {why}; needed a condition that is uniform over the {}",
            threads.scope
        );
        return Err(Refusal::new("active-unknown", reason));
    }
    let distributed = |operand: &Operand| operand.space == Space::Local && is_distributed(&operand.layout);
    let spread: Vec<Role> =
        problem.operands.iter().filter(|(_, operand)| distributed(operand)).map(|(role, _)| role).collect();
    let is_memory = |role| problem.operands.get(role).is_none_or(|operand| operand.space != Space::Local);
    match *spread {
        [] => undistributed(problem),
        [role] if is_memory(role.other()) => distribute(problem, role).map(Owner::Distributed),
        _ => {
            let reason = "both operands are in registers, distributed over threads; needed one in memory";
            Err(Refusal::new("register-to-register", reason))
        }
    }
}

/// The owner of a copy that no thread axis distributes.
fn undistributed(problem: &Problem) -> Result<Owner, Refusal> {
    if problem.threads.scope == Scope::Thread || problem.operand(Role::Dst)?.space == Space::Local {
        return Ok(Owner::Everyone);
    }
    match problem.threads.elected() {
        Some(Elected::ScopeThread(thread)) => Ok(Owner::ScopeThread(thread)),
        Some(Elected::BlockThreads(threads)) => Ok(Owner::BlockThreads(threads)),
        None => Err(Refusal::new("no-active-thread", "no thread reaches the copy; needed one at least")),
    }
}
