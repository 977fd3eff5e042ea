//! Tries variants in order, for tests and for embedders without a pattern driver.

use std::cmp::Reverse;

use thiserror::Error;

use crate::families::aligned::Aligned;
use crate::families::variant::Variant;
use crate::problem::Problem;
use crate::problem::refusal::{Decline, Refusal};
use crate::sides::require::unconverted;
use crate::target::Target;

/// Why no variant took a copy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectError {
    /// A forced variant that does not exist.
    #[error("no variant named '{name}'; known variants: {known}")]
    UnknownVariant {
        /// The name as written.
        name: String,
        /// The names of the variants that exist for such a copy.
        known: String,
    },
    /// Every variant that was tried declined.
    #[error("no variant takes the copy{}", list(.declines))]
    Declined {
        /// The declines, in the order in which the variants were tried.
        declines: Vec<Decline>,
    },
}

fn list(declines: &[Decline]) -> String {
    declines.iter().map(|decline| format!("\n  {decline}")).collect()
}

/// The variant's plan, if the variant is allowed and takes the copy.
///
/// # Errors
/// `variant-not-allowed`, or why the variant does not take the copy.
pub fn ask(variant: &dyn Variant, problem: &Problem, target: &Target) -> Result<Aligned, Decline> {
    let planned = match &problem.allowed {
        Some(allowed) if !allowed.iter().any(|name| name == variant.name()) => {
            let reason = format!("the pass option 'variants' does not allow it; allowed: {}", allowed.join(", "));
            Err(Refusal::new("variant-not-allowed", reason))
        }
        _ => variant.plan(problem, target).and_then(|plan| answers(problem, plan)),
    };
    planned.map_err(|refusal| refusal.by(variant.name()))
}

/// Accepts a plan that has the mask, the effect and the conversion of the copy. Variants that do not support one of
/// these decline through this check.
fn answers(problem: &Problem, plan: Aligned) -> Result<Aligned, Refusal> {
    if problem.mask.is_some() && !plan.is_masked() {
        let reason = "the copy is masked; needed one that copies all of its region";
        return Err(Refusal::new("masked-copy", reason));
    }
    problem.effect.done_by(plan.effect())?;
    if plan.conversion() != problem.conversion {
        unconverted(problem)?;
    }
    Ok(plan)
}

/// The plan of the first of `variants` that takes the copy, and the declines of those tried before.
///
/// # Errors
/// An unknown forced variant, or the declines of all.
pub(crate) fn choose(
    variants: &[&'static dyn Variant],
    problem: &Problem,
    target: &Target,
) -> Result<(Aligned, Vec<Decline>), SelectError> {
    let mut declines = Vec::new();
    for variant in candidates(variants, problem)? {
        match ask(variant, problem, target) {
            Ok(aligned) => return Ok((aligned, declines)),
            Err(decline) => declines.push(decline),
        }
    }
    Err(SelectError::Declined { declines })
}

/// The variants to try, in order.
fn candidates(all: &[&'static dyn Variant], problem: &Problem) -> Result<Vec<&'static dyn Variant>, SelectError> {
    if let Some(name) = &problem.forced {
        let known = || all.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ");
        let unknown = || SelectError::UnknownVariant { name: name.clone(), known: known() };
        return Ok(vec![all.iter().copied().find(|variant| variant.name() == name).ok_or_else(unknown)?]);
    }
    let mut candidates: Vec<_> = all.iter().copied().filter(|variant| !variant.only_when_forced()).collect();
    candidates.sort_by_key(|variant| Reverse(variant.priority()));
    Ok(candidates)
}
