//! Predicates: which elements arrive.

use std::collections::HashMap;

use crate::case::Case;
use crate::evaluate::{Cell, instances, writers};
use crate::lower::Plan;

/// Lanes of which the predicate is true in a run: all, none, and some without a pattern.
const MASKS: [u32; 3] = [u32::MAX, 0, 0x5a3c_9699];

/// Which threads copy their share, and whose share each place of the destination is.
pub(super) struct Mask {
    /// A bit per lane.
    pub(super) lanes: u32,
    writers: HashMap<Cell, i64>,
}

impl Mask {
    /// Every thread copies.
    pub(super) fn all() -> Mask {
        Mask { lanes: u32::MAX, writers: HashMap::new() }
    }

    /// What to run a case with: more than once where it has a predicate.
    ///
    /// Where several groups of threads copy the same to one place, it is chance which of them arrives when some do not:
    /// there all or none do.
    pub(super) fn of(case: &Case, plan: &Plan) -> Vec<Mask> {
        if !case.issue.is_some_and(|issue| issue.predicated) {
            return vec![Mask::all()];
        }
        let shares = if instances(case).len() == 1 { writers(case, plan) } else { HashMap::new() };
        let mixed = MASKS.into_iter().filter(|lanes| matches!(lanes, 0 | &u32::MAX) || !shares.is_empty());
        mixed.map(|lanes| Mask { lanes, writers: shares.clone() }).collect()
    }

    /// Does the element that belongs to a place of the destination arrive?
    pub(super) fn passes(&self, cell: Cell) -> bool {
        match self.lanes {
            0 => false,
            u32::MAX => true,
            lanes => self.writers.get(&cell).is_some_and(|thread| lanes >> (thread % 32) & 1 == 1),
        }
    }
}
