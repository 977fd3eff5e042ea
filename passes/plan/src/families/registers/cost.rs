//! What a copy between registers costs a warp.

use crate::families::cost::Cost;
use crate::families::registers::steps::{Step, Steps};

/// What either way costs, where it was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Weighed {
    /// Selects and shuffles.
    pub shuffle: Option<Cost>,
    /// Through shared memory.
    pub scratch: Option<Cost>,
}

/// What some steps cost a warp, where `layers` words take the elements of one place.
pub(super) fn of_steps(layers: i64, steps: &Steps) -> Cost {
    let words = |count: usize| i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(layers);
    let mut count = steps.before;
    let mut cost = Cost::default();
    for step in &steps.steps {
        let halved = words(count / 2);
        let (selects, shuffles) = match step {
            Step::Select { .. } => (halved, 0),
            Step::Swap { .. } => (halved.saturating_mul(2).saturating_add(halved), halved),
            Step::Give { .. } => (halved, halved),
            Step::Shuffle { words: taken, .. } => (0, words(taken.len())),
            Step::Rename { .. } => (0, 0),
        };
        count = match step {
            Step::Select { .. } | Step::Give { .. } => count / 2,
            Step::Swap { .. } => count,
            Step::Shuffle { words, .. } => words.len(),
            Step::Rename { words } => words.len(),
        };
        cost = cost.and(Cost { instructions: selects.saturating_add(shuffles), wavefronts: shuffles });
    }
    cost
}
