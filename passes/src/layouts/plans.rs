//! The plans of the copies of a tile under the layouts that are tried. Each copy is read once for a layout, and each plan is observed once.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::CopyOp;
use tile_isa::Space;
use tile_layout::Layout;
use tile_ops::{affine, scf};
use tile_plan::choose_layout::{
    ObservedPlan, ObservedTile, PlacedTile, PlanCost, SharedAccess, TileObserver, observe, with_width,
};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;

use super::flow::TileClass;
use super::types;
use crate::options::LoweringOptions;
use crate::pipeline::tensor_maps::takes_map;
use crate::read::problem::{ProblemReading, Reader};
use crate::read::{kernel, name};

/// How often a loop is taken to go round whose trip count is not known.
const ASSUMED_TRIPS: i64 = 16;

/// The copies that access tiles of one layout, and their plans.
pub struct TilePlans<'t, 'c, 'a> {
    class: &'t TileClass<'c, 'a>,
    options: &'t LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    reader: Reader<'t>,
    /// The copies, each with how often it is executed.
    copies: Vec<(CopyOp<'c, 'a>, i64)>,
    /// `None` for a layout that the tiles cannot have.
    known: RefCell<FxHashMap<Layout, Option<Rc<CopiesUnderLayout>>>>,
    /// What the copies cost at least, once they have been read.
    least: OnceCell<PlanCost>,
}

/// What is known of the copies under one layout.
struct CopiesUnderLayout {
    tile: PlacedTile,
    copies: Vec<CopyUnderLayout>,
    /// By the most bits of a vector.
    observed: RefCell<FxHashMap<u32, Rc<ObservedTile>>>,
}

struct CopyUnderLayout {
    /// Whether it goes through a tensor map.
    takes_map: bool,
    /// `None` where it poses no problem.
    reading: Option<ProblemReading>,
    times: i64,
    /// Its plans.
    planned: RefCell<Vec<KnownPlan>>,
}

struct KnownPlan {
    plan: CopyPlan,
    /// The most bits of a vector, where a part of the plan may depend on them.
    max_bits: Option<u32>,
    /// `None` where it is not known what the plan requests.
    observed: Option<ObservedPlan>,
}

impl<'t, 'c: 'a, 'a> TilePlans<'t, 'c, 'a> {
    pub fn new(class: &'t TileClass<'c, 'a>, options: &'t LoweringOptions, rewriter: Rewriter<'c, 'a>) -> Self {
        let reader = Reader::new(options);
        let copies = class.accesses.iter().copied().filter(|op| CopyOp::is_name(name(*op)));
        let copies = copies.map(|op| (CopyOp(op), trips(op, &reader))).collect();
        let (known, least) = Default::default();
        TilePlans { class, options, rewriter, reader, copies, known, least }
    }

    /// The accesses of copies and fills by loads and stores under a layout, each with its op.
    pub fn accesses(&self, layout: &Layout) -> Vec<(SharedAccess, OperationRef<'c, 'a>)> {
        let Some(observed) = self.observe(layout, self.options.max_vector_bits) else { return Vec::new() };
        let of_copies = observed.accesses.iter().zip(&self.copies);
        let each = of_copies.flat_map(|(all, (copy, _))| all.iter().flatten().map(|access| (access.clone(), copy.0)));
        each.collect()
    }

    fn under(&self, layout: &Layout) -> Option<Rc<CopiesUnderLayout>> {
        if let Some(known) = self.known.borrow().get(layout) {
            return known.clone();
        }
        let found = self.read(layout).map(Rc::new);
        self.known.borrow_mut().insert(layout.clone(), found.clone());
        found
    }

    /// Reads all copies while the tiles have a layout.
    fn read(&self, layout: &Layout) -> Option<CopiesUnderLayout> {
        if !types::set(self.class, layout, self.rewriter) {
            return None;
        }
        self.reader.forget_alignments();
        let read = |&(copy, times): &(CopyOp<'c, 'a>, i64)| {
            let takes_map = takes_map(copy, self.options, self.rewriter);
            let mut reading = self.reader.read(copy).ok().filter(|_| !takes_map);
            // All of it is taken to be inside of its buffers.
            reading.iter_mut().for_each(|reading| reading.problem.mask = None);
            CopyUnderLayout { takes_map, reading, times, planned: RefCell::default() }
        };
        let copies: Vec<_> = self.copies.iter().map(read).collect();
        self.least.get_or_init(|| {
            let mut sum = PlanCost::default();
            copies.iter().for_each(|copy| sum += copy.least());
            sum
        });
        Some(CopiesUnderLayout { tile: PlacedTile::new(layout.clone()), copies, observed: RefCell::default() })
    }
}

impl TileObserver for TilePlans<'_, '_, '_> {
    fn observe(&self, layout: &Layout, max_bits: u32) -> Option<Rc<ObservedTile>> {
        Some(self.under(layout)?.observed(max_bits))
    }

    fn least(&self) -> PlanCost {
        self.least.get().copied().unwrap_or_default()
    }
}

impl CopiesUnderLayout {
    fn observed(&self, max_bits: u32) -> Rc<ObservedTile> {
        let known = self.observed.borrow().get(&max_bits).cloned();
        known.unwrap_or_else(|| {
            let mut observed = ObservedTile::default();
            for copy in &self.copies {
                let (cost, accesses) = copy.observed(&self.tile, max_bits);
                observed.cost += cost;
                observed.accesses.push(accesses);
            }
            let observed = Rc::new(observed);
            self.observed.borrow_mut().insert(max_bits, observed.clone());
            observed
        })
    }
}

impl CopyUnderLayout {
    fn least(&self) -> PlanCost {
        let of = |reading: &ProblemReading| PlanCost::least(&reading.problem, &reading.target).times(self.times);
        self.reading.as_ref().map(of).unwrap_or_default()
    }

    /// What the copy costs, and its accesses to the tile if those are all known.
    fn observed(&self, tile: &PlacedTile, max_bits: u32) -> (PlanCost, Option<Vec<SharedAccess>>) {
        if self.takes_map {
            return (PlanCost::default(), None);
        }
        let refused = (PlanCost { refused: 1, ..PlanCost::default() }, None);
        let Some(reading) = &self.reading else { return refused };
        let problem = &Problem { max_vector_bits: max_bits, ..reading.problem.clone() };
        let Ok((plan, _)) = select(problem, &reading.target) else { return refused };
        let Ok(plan) = with_width(plan, problem, &reading.target) else { return (PlanCost::default(), None) };
        let limit = matches!(plan, CopyPlan::Composite(_)).then_some(max_bits);
        let mut planned = self.planned.borrow_mut();
        let known = planned.iter().position(|known| known.plan == plan && known.max_bits == limit);
        let at = known.unwrap_or_else(|| {
            let observed = observe(&plan, (problem, &reading.target), tile).ok();
            planned.push(KnownPlan { plan, max_bits: limit, observed });
            planned.len() - 1
        });
        let Some(observed) = &planned[at].observed else { return (PlanCost::default(), None) };
        let sides = Role::ALL.into_iter().filter_map(|role| problem.operands.get(role));
        let is_one = sides.filter(|side| side.space == Space::Shared).count() == 1;
        let accesses = observed
            .accesses
            .iter()
            .map(|access| SharedAccess { weight: access.weight.saturating_mul(self.times), ..access.clone() });
        (observed.cost.times(self.times), is_one.then(|| accesses.collect()))
    }
}

/// How often a copy is executed by a thread, as far as it is known.
fn trips(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> i64 {
    let loops =
        kernel::ancestors(op).filter(|around| [scf::ForOp::NAME, affine::AffineForOp::NAME].contains(&name(*around)));
    let count = |around| reader.trips(around).and_then(|each| each.into_iter().max()).unwrap_or(ASSUMED_TRIPS);
    loops.map(count).fold(1, i64::saturating_mul).clamp(1, 1 << 20)
}
