//! Asking the variants in order, for tests and for embedders without a pattern driver.

use thiserror::Error;

use crate::plan::{Aligned, Decline};
use crate::problem::Problem;
use crate::target::Target;
use crate::variants::{self, Variant};

/// Why no variant took a copy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectError {
    /// A forced variant that does not exist.
    #[error("no variant named '{name}'; known variants: {known}")]
    UnknownVariant {
        /// As written.
        name: String,
        /// The names that there are for such a copy.
        known: String,
    },
    /// Everyone who was asked declined.
    #[error("no variant takes the copy{}", list(.declines))]
    Declined {
        /// In the order in which they were asked.
        declines: Vec<Decline>,
    },
}

fn list(declines: &[Decline]) -> String {
    declines.iter().map(|decline| format!("\n  {decline}")).collect()
}

/// Stage 1: the first variant that takes the copy, and the declines of those asked before.
///
/// # Errors
/// An unknown forced variant, or the declines of all.
pub fn select(problem: &Problem, target: &Target) -> Result<(Aligned, Vec<Decline>), SelectError> {
    let mut declines = Vec::new();
    for variant in candidates(problem)? {
        match variants::ask(variant, problem, target) {
            Ok(aligned) => return Ok((aligned, declines)),
            Err(decline) => declines.push(decline),
        }
    }
    Err(SelectError::Declined { declines })
}

/// The variants to ask, in order.
fn candidates(problem: &Problem) -> Result<Vec<&'static dyn Variant>, SelectError> {
    let all = variants::of(problem.asynchronous.is_some());
    if let Some(name) = &problem.forced {
        let known = || all.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ");
        let unknown = || SelectError::UnknownVariant { name: name.clone(), known: known() };
        return Ok(vec![all.iter().copied().find(|variant| variant.name() == name).ok_or_else(unknown)?]);
    }
    let mut candidates: Vec<_> = all.iter().copied().filter(|variant| !variant.only_when_forced()).collect();
    candidates.sort_by_key(|variant| std::cmp::Reverse(variant.priority()));
    Ok(candidates)
}
