//! An asynchronous copy that requests no asynchronous feature, done synchronously.

use crate::choose::{SelectError, choose};
use crate::families::copy_plan::CopyPlan;
use crate::families::variant::{About, Variant};
use crate::problem::Problem;
use crate::problem::asynchronous::{Completion, Feature};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::require::only_requests;
use crate::target::{Target, engine};
use tile_isa::Space;

/// The plan of a synchronous copy, by a variant that is allowed. The caller's commit and wait stay correct: there is
/// nothing left to wait for.
///
/// If the copy closes a `cp.async` group, the group must still be closed, empty, because the caller counts groups.
pub(crate) struct Synchronous {
    /// The variants of a synchronous copy.
    pub(crate) by: &'static [&'static dyn Variant],
}

const ABOUT: About = About {
    name: "synchronous",
    priority: 0,
    only_when_forced: false,
    makes: None,
    engine: None,
    by_mbarrier: false,
    moves: "all others that request no asynchronous feature, synchronously",
};

impl Variant for Synchronous {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<CopyPlan, Refusal> {
        check(problem, target)?;
        let synchronous = Problem { asynchronous: None, forced: None, ..problem.clone() };
        choose(self.by, &synchronous, target).map(|chosen| chosen.plan).map_err(declined_by_all)
    }
}

/// Refuses requests that a synchronous copy cannot honour.
fn check(problem: &Problem, target: &Target) -> Result<(), Refusal> {
    for role in [Role::Src, Role::Dst] {
        if problem.operand(role)?.space == Space::Tmem {
            let reason = "loads and stores do not reach tensor memory; needed global, shared or local";
            return Err(Refusal::of(role, "tensor-memory", reason));
        }
    }
    only_requests(problem, &[Feature::Completed(Completion::Group)])?;
    let group = problem.asynchronous.as_ref().is_some_and(|requested| requested.completion == Completion::Group);
    // A portable target has no groups: nothing is left to wait for.
    let has_groups = target.api().is_none();
    if group && has_groups { engine::CP_ASYNC.check(target, "a cp.async group needs") } else { Ok(()) }
}

/// The declines of the synchronous variants, combined into one refusal.
fn declined_by_all(error: SelectError) -> Refusal {
    let reason = match error {
        SelectError::Declined { declines, .. } => {
            let each: Vec<String> = declines.iter().map(ToString::to_string).collect();
            format!("no synchronous variant takes the copy: {}", each.join("; "))
        }
        unknown => unknown.to_string(),
    };
    Refusal::new("no-synchronous-variant", reason)
}
