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
use tile_plan::choose_layout::{CopyAccesses, PlacedTile, PlanCost, SharedAccess, TileObserver, observe};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

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
    accesses: RefCell<FxHashMap<u32, Rc<CopyAccesses>>>,
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
    /// The accesses of one execution; `None` where they are not known.
    accesses: Option<Vec<SharedAccess>>,
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
        let Some(under) = self.under(layout) else { return Vec::new() };
        let accesses = under.accesses(self.options.max_vector_bits);
        let of_copies = accesses.iter().zip(&self.copies);
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
        Some(CopiesUnderLayout { tile: PlacedTile::new(layout.clone()), copies, accesses: RefCell::default() })
    }
}

impl TileObserver for TilePlans<'_, '_, '_> {
    fn cost(&self, layout: &Layout) -> Option<PlanCost> {
        let under = self.under(layout)?;
        let mut sum = PlanCost::default();
        under.copies.iter().for_each(|copy| sum += copy.cost(self.options.max_vector_bits));
        Some(sum)
    }

    fn accesses(&self, layout: &Layout, max_bits: u32) -> Option<Rc<CopyAccesses>> {
        Some(self.under(layout)?.accesses(max_bits))
    }

    fn least(&self) -> PlanCost {
        self.least.get().copied().unwrap_or_default()
    }
}

impl CopiesUnderLayout {
    fn accesses(&self, max_bits: u32) -> Rc<CopyAccesses> {
        let known = self.accesses.borrow().get(&max_bits).cloned();
        known.unwrap_or_else(|| {
            let found: Rc<CopyAccesses> =
                Rc::new(self.copies.iter().map(|copy| copy.accesses(&self.tile, max_bits)).collect());
            self.accesses.borrow_mut().insert(max_bits, found.clone());
            found
        })
    }
}

impl CopyUnderLayout {
    fn least(&self) -> PlanCost {
        let of = |reading: &ProblemReading| PlanCost::least(&reading.problem, &reading.target).times(self.times);
        self.reading.as_ref().map(of).unwrap_or_default()
    }

    /// The problem with vectors of at most so many bits, and its plan.
    fn plan(&self, max_bits: u32) -> Option<(Problem, CopyPlan)> {
        let reading = self.reading.as_ref()?;
        let problem = Problem { max_vector_bits: max_bits, ..reading.problem.clone() };
        let (plan, _) = select(&problem, &reading.target).ok()?;
        Some((problem, plan))
    }

    /// What the copy costs: nothing where that is up to an engine.
    fn cost(&self, max_bits: u32) -> PlanCost {
        match (&self.reading, self.plan(max_bits)) {
            _ if self.takes_map => PlanCost::default(),
            (Some(reading), Some((problem, plan))) => {
                PlanCost::of(&plan, &problem, &reading.target).unwrap_or_default().times(self.times)
            }
            _ => PlanCost { refused: 1, ..PlanCost::default() },
        }
    }

    /// The accesses of the copy to the tile, if those are all known.
    fn accesses(&self, tile: &PlacedTile, max_bits: u32) -> Option<Vec<SharedAccess>> {
        let target = &self.reading.as_ref()?.target;
        let (problem, plan) = self.plan(max_bits)?;
        let sides = Role::ALL.into_iter().filter_map(|role| problem.operands.get(role));
        if sides.filter(|side| side.space == Space::Shared).count() != 1 {
            return None;
        }
        let plan = with_width(plan, &problem, target)?;
        let limit = matches!(plan, CopyPlan::Composite(_)).then_some(max_bits);
        let mut planned = self.planned.borrow_mut();
        let known = planned.iter().position(|known| known.plan == plan && known.max_bits == limit);
        let at = known.unwrap_or_else(|| {
            let accesses = observe(&plan, (&problem, target), tile).ok();
            planned.push(KnownPlan { plan, max_bits: limit, accesses });
            planned.len() - 1
        });
        let weighted =
            |access: &SharedAccess| SharedAccess { weight: access.weight.saturating_mul(self.times), ..access.clone() };
        planned[at].accesses.as_ref().map(|all| all.iter().map(weighted).collect())
    }
}

/// How often a copy is executed by a thread, as far as it is known.
fn trips(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> i64 {
    let loops =
        kernel::ancestors(op).filter(|around| [scf::ForOp::NAME, affine::AffineForOp::NAME].contains(&name(*around)));
    let count = |around| reader.trips(around).and_then(|each| each.into_iter().max()).unwrap_or(ASSUMED_TRIPS);
    loops.map(count).fold(1, i64::saturating_mul).clamp(1, 1 << 20)
}

/// A plan whose vectors have their width, so that plans of different limits are the same where the limit makes no difference.
fn with_width(plan: CopyPlan, problem: &Problem, target: &Target) -> Option<CopyPlan> {
    match plan {
        CopyPlan::Partition(matched) => {
            vectorize(&matched, target, problem.max_vector_bits).ok().map(|(vectors, _)| CopyPlan::Vectors(vectors))
        }
        other => Some(other),
    }
}
