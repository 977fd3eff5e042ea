//! The best candidate, and the cost by which candidates are compared.

use super::access::{Prepared, Total};
use super::candidate::Candidate;
use super::tile::Tile;

/// The best candidate so far.
pub(super) struct Best {
    pub(super) total: Total,
    pub(super) candidate: Option<Candidate>,
    /// The least that is possible at all.
    ideal: Total,
    max_elements: i64,
    /// How many candidates were looked at.
    pub(super) tried: usize,
}

impl Best {
    /// None yet.
    pub(super) fn new(ideal: Total, max_elements: i64) -> Self {
        Best { total: Total::WORST, candidate: None, ideal, max_elements, tried: 0 }
    }

    /// Keeps a candidate that is better.
    pub(super) fn offer(&mut self, tile: &Tile, accesses: &[Prepared<'_>], candidate: Candidate) {
        self.tried += 1;
        if candidate.span(tile) > self.max_elements {
            return;
        }
        if let Some(total) = cost_up_to(self.total, accesses, |access, _| access.cost(tile, &candidate)) {
            (self.total, self.candidate) = (total, Some(candidate));
        }
    }

    /// Keeps a dense candidate with these costs if it is better.
    pub(super) fn offer_dense(
        &mut self,
        accesses: &[Prepared<'_>],
        cost: impl Fn(&Prepared<'_>, usize) -> Option<Total>,
        candidate: impl FnOnce() -> Candidate,
    ) {
        self.tried += 1;
        if let Some(total) = cost_up_to(self.total, accesses, cost) {
            (self.total, self.candidate) = (total, Some(candidate()));
        }
    }

    /// Whether nothing can be better.
    pub(super) fn is_ideal(&self) -> bool {
        self.total <= self.ideal
    }
}

/// The sum of the costs of all accesses, given each and its index; `None` as soon as it is no less than `most` even if the accesses
/// that are left have no conflicts.
pub(super) fn cost_up_to(
    most: Total,
    accesses: &[Prepared<'_>],
    cost: impl Fn(&Prepared<'_>, usize) -> Option<Total>,
) -> Option<Total> {
    let mut total = accesses.iter().fold(Total::default(), |sum, access| sum.and(access.least));
    for (index, access) in accesses.iter().enumerate() {
        total = total.and(cost(access, index)?.beyond(access.least));
        if total >= most {
            return None;
        }
    }
    Some(total)
}
