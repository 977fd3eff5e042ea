//! Smaller programs with the same finding.

use std::time::{Duration, Instant};

use crate::tally::Outcome;

/// The time limit for reducing a program.
const REDUCING: Duration = Duration::from_secs(20);

/// The smallest program found with the same kind of finding as `outcome`: as long as there is time, the program is
/// replaced by the first of its `candidates`, which are one step smaller, that has it, too.
pub fn smallest<T: Clone>(
    program: &T,
    outcome: &Outcome,
    candidates: impl Fn(&T) -> Vec<T>,
    mut judge: impl FnMut(&T) -> Outcome,
) -> T {
    let Outcome::Finding(kind, _) = outcome else { return program.clone() };
    let end = Instant::now() + REDUCING;
    let mut fails =
        |smaller: &T| Instant::now() < end && matches!(judge(smaller), Outcome::Finding(same, _) if same == *kind);
    let mut best = program.clone();
    while let Some(smaller) = candidates(&best).into_iter().find(&mut fails) {
        best = smaller;
    }
    best
}
