//! What a copy between registers costs a warp.

use std::fmt;

use tile_layout::counted;

use crate::families::registers::steps::{Step, Steps};

/// Schedulers of an SM, each of which issues an instruction a cycle, for one pipe of shuffles and shared memory, which
/// takes a wavefront a cycle: while one goes through, each scheduler may have issued so many instructions.
const SCHEDULERS: i64 = 4;

/// What a warp issues, and what of it goes through the pipe of shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// Loads, stores, selects, shuffles and barriers.
    pub instructions: i64,
    /// Wavefronts of loads and stores, and shuffles, which are one each.
    pub wavefronts: i64,
}

impl Cost {
    /// Cycles in which a scheduler could issue, when all have the same to do.
    pub fn cycles(self) -> i64 {
        let waits = self.wavefronts.saturating_mul(SCHEDULERS - 1);
        self.instructions.saturating_add(waits)
    }

    /// Both costs.
    #[must_use]
    pub fn and(self, other: Cost) -> Cost {
        let instructions = self.instructions.saturating_add(other.instructions);
        Cost { instructions, wavefronts: self.wavefronts.saturating_add(other.wavefronts) }
    }
}

impl fmt::Display for Cost {
    /// `12 instructions, 4 wavefronts`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (instructions, wavefronts) =
            (counted(self.instructions, "instruction"), counted(self.wavefronts, "wavefront"));
        write!(f, "{instructions}, {wavefronts}")
    }
}

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
