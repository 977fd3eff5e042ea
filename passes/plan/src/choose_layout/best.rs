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
    /// The accesses in the order in which they are looked at: those first that were too expensive last.
    order: Vec<usize>,
}

impl Best {
    /// None yet.
    pub(super) fn new(ideal: Total, max_elements: i64) -> Self {
        Best { total: Total::WORST, candidate: None, ideal, max_elements, tried: 0, order: Vec::new() }
    }

    /// Keeps a candidate that is better.
    pub(super) fn offer(&mut self, tile: &Tile, accesses: &[Prepared<'_>], candidate: Candidate) {
        self.tried += 1;
        if candidate.span(tile) > self.max_elements {
            return;
        }
        if let Some(total) = self.less(accesses, |access, _| access.cost(tile, &candidate)) {
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
        if let Some(total) = self.less(accesses, cost) {
            (self.total, self.candidate) = (total, Some(candidate()));
        }
    }

    /// The sum of the costs of all accesses, given each and its index; `None` as soon as it is no less than the best even if the
    /// accesses that are left have no conflicts.
    fn less(
        &mut self,
        accesses: &[Prepared<'_>],
        cost: impl Fn(&Prepared<'_>, usize) -> Option<Total>,
    ) -> Option<Total> {
        self.order.extend(self.order.len()..accesses.len());
        let mut total = self.ideal;
        for place in 0..accesses.len() {
            let index = self.order[place];
            let access = &accesses[index];
            let more = cost(access, index).map(|cost| total.and(cost.beyond(access.least)));
            let Some(sum) = more.filter(|sum| *sum < self.total) else {
                self.order[..=place].rotate_right(1);
                return None;
            };
            total = sum;
        }
        (total < self.total).then_some(total)
    }

    /// Whether nothing can be better.
    pub(super) fn is_ideal(&self) -> bool {
        self.total <= self.ideal
    }
}
