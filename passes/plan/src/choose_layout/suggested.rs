//! The search for a layout where the plans of copies follow from it.
//!
//! What accesses a tile depends on its layout, since vectors need contiguous elements. So accesses are observed under several layouts and
//! at several widths, each suggests one, and the best is what costs least when all copies are planned.

use std::rc::Rc;

use thiserror::Error;
use tile_isa::ACCESS_BITS;
use tile_layout::Layout;

use super::observed::dense_orders;
use super::plan_cost::PlanCost;
use super::problem::ChooseError;
use super::problem::{LayoutFamily, LayoutProblem, SharedAccess};
use super::search::choose;

/// How many times the accesses under the best layout may suggest a better one.
const MAX_ROUNDS: usize = 3;

/// The accesses of each copy of a tile by loads and stores; `None` for a copy of an engine, and for what is not known.
pub type CopyAccesses = Vec<Option<Vec<SharedAccess>>>;

/// Plans the copies of a tile.
pub trait TileObserver {
    /// What they cost under a layout; `None` where the tile cannot have it.
    fn cost(&self, layout: &Layout) -> Option<PlanCost>;

    /// Their accesses under a layout, with vectors of at most so many bits; `None` where the tile cannot have it.
    fn accesses(&self, layout: &Layout, max_bits: u32) -> Option<Rc<CopyAccesses>>;

    /// What they cost at least under any layout.
    fn least(&self) -> PlanCost;
}

/// Why no layout was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    /// Accesses that are none to the tile.
    #[error(transparent)]
    Choose(#[from] ChooseError),
    /// No layout that the tile can have.
    #[error("no copy of it can be planned")]
    NoLayout,
}

/// The layout of the problem's family with which copies cost least, whatever the accesses of the problem are, and how many were tried.
///
/// # Errors
/// As [`SearchError`].
pub fn search(
    problem: &LayoutProblem,
    max_bits: u32,
    observer: &dyn TileObserver,
) -> Result<(Layout, usize), SearchError> {
    let mut search = SuggestionSearch { problem, max_bits, observer, seen: Vec::new(), tried: Vec::new(), best: None };
    match &problem.family {
        LayoutFamily::Modes { layouts, .. } => layouts.iter().for_each(|layout| search.offer(layout.clone())),
        LayoutFamily::Free => search.free()?,
    }
    let tried = search.tried.len();
    search.best.map(|(_, layout)| (layout, tried)).ok_or(SearchError::NoLayout)
}

struct SuggestionSearch<'s> {
    problem: &'s LayoutProblem,
    max_bits: u32,
    observer: &'s dyn TileObserver,
    /// The accesses that have suggested a layout.
    seen: Vec<Vec<SharedAccess>>,
    tried: Vec<Layout>,
    best: Option<(PlanCost, Layout)>,
}

impl SuggestionSearch<'_> {
    fn free(&mut self) -> Result<(), SearchError> {
        let orders = dense_orders(&self.problem.shape);
        self.suggest(self.least_requests(&orders))?;
        let widths = (8 * self.problem.element_bytes)..=i64::from(self.max_bits);
        for bits in ACCESS_BITS.into_iter().filter(|&bits| widths.contains(&i64::from(bits))) {
            for order in &orders {
                if self.is_least() {
                    return Ok(());
                }
                self.suggest(self.accesses(order, bits))?;
            }
        }
        // A suggestion keeps the vectors of some layout whole, and may lose those of others: the plain orders may cost less.
        orders.into_iter().for_each(|order| self.offer(order));
        // What a layout leads to may suggest another one.
        for _ in 1..MAX_ROUNDS {
            let Some((before, layout)) = self.best.clone().filter(|(cost, _)| cost.conflicts > 0) else { break };
            self.suggest(self.accesses(&layout, self.max_bits))?;
            if self.best.as_ref().is_none_or(|(cost, _)| *cost >= before) {
                break;
            }
        }
        Ok(())
    }

    /// Tries the layout that suits some accesses best.
    fn suggest(&mut self, accesses: Vec<SharedAccess>) -> Result<(), ChooseError> {
        if !self.seen.contains(&accesses) {
            let problem = LayoutProblem { accesses, ..self.problem.clone() };
            let layout = choose(&problem)?.layout;
            self.seen.push(problem.accesses);
            self.offer(layout);
        }
        Ok(())
    }

    /// Keeps a layout that is better.
    fn offer(&mut self, layout: Layout) {
        if self.tried.contains(&layout) {
            return;
        }
        self.tried.push(layout.clone());
        if let Some(cost) = self.observer.cost(&layout)
            && self.best.as_ref().is_none_or(|(least, _)| cost < *least)
        {
            self.best = Some((cost, layout));
        }
    }

    /// Whether nothing can be better.
    fn is_least(&self) -> bool {
        self.best.as_ref().is_some_and(|(cost, _)| *cost <= self.observer.least())
    }

    fn accesses(&self, layout: &Layout, bits: u32) -> Vec<SharedAccess> {
        let observed = self.observer.accesses(layout, bits);
        observed.iter().flat_map(|copies| copies.iter()).flatten().flatten().cloned().collect()
    }

    /// Of each copy the accesses under that layout in which it has the fewest requests.
    fn least_requests(&self, layouts: &[Layout]) -> Vec<SharedAccess> {
        let observed: Vec<_> =
            layouts.iter().filter_map(|layout| self.observer.accesses(layout, self.max_bits)).collect();
        let copies = observed.first().map_or(0, |first| first.len());
        let requests = |accesses: &&Vec<SharedAccess>| accesses.iter().map(|access| access.weight).sum::<i64>();
        let least = |copy: usize| observed.iter().filter_map(|copies| copies[copy].as_ref()).min_by_key(requests);
        (0..copies).filter_map(least).flatten().cloned().collect()
    }
}
