//! The search for a layout where the plans of copies follow from it.
//!
//! What accesses a tile depends on its layout, since vectors need contiguous elements. So accesses are observed under several layouts and
//! at several widths, each suggests one, and the best is what costs least when all copies are planned.

use std::ops::AddAssign;
use std::rc::Rc;

use thiserror::Error;
use tile_isa::{ACCESS_BITS, Space, WARP};
use tile_layout::Layout;

use super::error::ChooseError;
use super::observed::dense_orders;
use super::problem::{LayoutFamily, LayoutProblem, SharedAccess};
use super::search::choose;
use crate::problem::Problem;
use crate::problem::role::Role;
use crate::target::Target;

/// How many times the accesses under the best layout may suggest a better one.
const MAX_ROUNDS: usize = 3;

/// What copies cost, the most important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanCost {
    /// Copies that cannot be planned.
    pub refused: i64,
    /// Wavefronts of shared memory.
    pub wavefronts: i64,
    /// Requests of warps.
    pub requests: i64,
    /// Wavefronts that conflicts add.
    pub conflicts: i64,
}

impl PlanCost {
    /// The cost of so many executions.
    #[must_use]
    pub fn times(self, times: i64) -> Self {
        let each = |number: i64| number.saturating_mul(times);
        PlanCost {
            refused: self.refused,
            wavefronts: each(self.wavefronts),
            requests: each(self.requests),
            conflicts: each(self.conflicts),
        }
    }

    /// What no plan of a copy through registers costs less than, if every element is moved once: full wavefronts, and requests of as many
    /// bytes as the problem allows. A copy that an engine may do costs nothing at least.
    ///
    /// ```
    /// use tile_isa::{Scope, Space};
    /// use tile_plan::choose_layout::PlanCost;
    /// use tile_plan::problem::{Element, Problem};
    /// use tile_plan::problem::operands::Operand;
    /// use tile_plan::problem::threads::Threads;
    /// use tile_plan::target::Target;
    ///
    /// let tile = |space| Operand::whole(space, "(32, 32) : (32, 1)".parse().unwrap(), &[32, 32], 128);
    /// let warp = Threads::all(Scope::Warp, Some(32));
    /// let problem = Problem::new(tile(Space::Global), tile(Space::Shared), Element::new(32, "f32"), warp);
    /// let least = PlanCost::least(&problem, &Target::parse("sm_90a").unwrap());
    /// // 4096 bytes: 128 in a wavefront, 512 in a load and in a store.
    /// assert_eq!((least.wavefronts, least.requests), (32, 16));
    /// ```
    pub fn least(problem: &Problem, target: &Target) -> Self {
        let mut least = PlanCost::default();
        if problem.asynchronous.is_some() {
            return least;
        }
        let banks = target.shared_banks();
        for role in Role::ALL {
            let Some(operand) = problem.operands.get(role) else { continue };
            let elements = operand.extent.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            let bits = elements.saturating_mul(i64::from(problem.bits_of(role)));
            let units = |bits_of_unit: i64| bits / bits_of_unit.max(1);
            if operand.space == Space::Shared {
                least.wavefronts += units(8 * banks.banks * banks.bank_bytes);
            }
            if matches!(operand.space, Space::Shared | Space::Global) {
                least.requests += units(WARP * i64::from(problem.max_vector_bits));
            }
        }
        least
    }
}

impl AddAssign for PlanCost {
    fn add_assign(&mut self, other: PlanCost) {
        self.refused += other.refused;
        self.wavefronts = self.wavefronts.saturating_add(other.wavefronts);
        self.requests = self.requests.saturating_add(other.requests);
        self.conflicts = self.conflicts.saturating_add(other.conflicts);
    }
}

/// What the copies of a tile do while it has a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservedTile {
    /// What they cost.
    pub cost: PlanCost,
    /// The accesses of each copy by loads and stores; `None` for a copy of an engine, and for what is not counted.
    pub accesses: Vec<Option<Vec<SharedAccess>>>,
}

impl ObservedTile {
    fn all_accesses(&self) -> Vec<SharedAccess> {
        self.accesses.iter().flatten().flatten().cloned().collect()
    }
}

/// Plans the copies of a tile.
pub trait TileObserver {
    /// What they do under a layout, with vectors of at most so many bits; `None` where the tile cannot have it.
    fn observe(&self, layout: &Layout, max_bits: u32) -> Option<Rc<ObservedTile>>;

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
        if let Some(observed) = self.observer.observe(&layout, self.max_bits)
            && self.best.as_ref().is_none_or(|(least, _)| observed.cost < *least)
        {
            self.best = Some((observed.cost, layout));
        }
    }

    /// Whether nothing can be better.
    fn is_least(&self) -> bool {
        self.best.as_ref().is_some_and(|(cost, _)| *cost <= self.observer.least())
    }

    fn accesses(&self, layout: &Layout, bits: u32) -> Vec<SharedAccess> {
        self.observer.observe(layout, bits).map(|observed| observed.all_accesses()).unwrap_or_default()
    }

    /// Of each copy the accesses under that layout in which it has the fewest requests.
    fn least_requests(&self, layouts: &[Layout]) -> Vec<SharedAccess> {
        let observed: Vec<_> =
            layouts.iter().filter_map(|layout| self.observer.observe(layout, self.max_bits)).collect();
        let copies = observed.first().map_or(0, |first| first.accesses.len());
        let requests = |accesses: &&Vec<SharedAccess>| accesses.iter().map(|access| access.weight).sum::<i64>();
        let least = |copy: usize| observed.iter().filter_map(|it| it.accesses[copy].as_ref()).min_by_key(requests);
        (0..copies).filter_map(least).flatten().cloned().collect()
    }
}
