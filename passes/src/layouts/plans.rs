//! The plans of all that accesses a tile under the layouts that are tried. Each op is read once for a layout, and each plan is observed
//! once.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use tile_dialect::ir::Rewriter;
use tile_dialect::ops::CopyOp;
use tile_layout::Layout;
use tile_ops::scf;
use tile_plan::choose_layout::{
    CopyAccesses, ObservedAccess, PlacedTile, PlanCost, SharedAccess, TileObserver, alike, observe,
};
use tile_plan::elementwise::SharedCopy;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

use super::flow::{TileClass, use_of};
use super::types;
use super::uses::TileUse;
use crate::elementwise::{ComputedTiles, Partitions};
use crate::options::LoweringOptions;
use crate::pipeline::tensor_maps::takes_map;
use crate::read::problem::Reader;
use crate::read::{kernel, name};

/// How often a loop is taken to go round whose trip count is not known.
const ASSUMED_TRIPS: i64 = 16;

/// The ops that access tiles of one layout, and their plans.
pub struct TilePlans<'t, 'c, 'a> {
    class: &'t TileClass<'c, 'a>,
    options: &'t LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    reader: Reader<'t>,
    /// The ops, each with how often it is executed.
    ops: Vec<(OperationRef<'c, 'a>, i64)>,
    /// Partitions with which ops can be done, whatever the layout.
    partitions: Vec<Partitions>,
    /// `None` for a layout that the tiles cannot have.
    known: RefCell<FxHashMap<Layout, Option<Rc<OpsUnderLayout>>>>,
    /// What the ops cost at least, once they have been read.
    least: OnceCell<PlanCost>,
}

/// What is known of the ops under one layout.
struct OpsUnderLayout {
    tile: PlacedTile,
    ops: Vec<OpUnderLayout>,
    /// By the most bits of a vector.
    accesses: RefCell<FxHashMap<u32, Rc<CopyAccesses>>>,
}

/// An op as far as it accesses the tile by loads and stores.
enum OpReading {
    /// One copy.
    Copy(Box<TileAccess>, Target),
    /// Copies to and from registers.
    Computed(Box<ComputedTiles>),
    /// An engine accesses the tile, or an op of another dialect.
    Engine,
    /// The op, where it stands, poses no problem.
    Refused,
}

/// A copy of which one side or both are in the tile.
#[derive(Clone)]
struct TileAccess {
    problem: Problem,
    roles: Vec<Role>,
}

struct OpUnderLayout {
    reading: OpReading,
    times: i64,
    /// The copies that the op becomes, by the most bits of a vector; `None` where it cannot be done.
    copies: RefCell<FxHashMap<u32, Option<Rc<Vec<TileAccess>>>>>,
    /// Its plans.
    planned: RefCell<Vec<KnownPlan>>,
}

struct KnownPlan {
    plan: CopyPlan,
    /// The most bits of a vector, where a part of the plan may depend on them.
    max_bits: Option<u32>,
    /// The accesses of one execution; `None` where they are not known.
    accesses: Option<Vec<ObservedAccess>>,
}

impl<'t, 'c: 'a, 'a> TilePlans<'t, 'c, 'a> {
    pub fn new(class: &'t TileClass<'c, 'a>, options: &'t LoweringOptions, rewriter: Rewriter<'c, 'a>) -> Self {
        let reader = Reader::new(options);
        let ops = class.accesses.iter().copied().filter(|op| use_of(*op) != TileUse::Product);
        let ops: Vec<_> = ops.map(|op| (op, trips(op, &reader))).collect();
        let partitions = ops.iter().map(|_| Partitions::default()).collect();
        let (known, least) = Default::default();
        TilePlans { class, options, rewriter, reader, ops, partitions, known, least }
    }

    /// The accesses by loads and stores under a layout, each with its op.
    pub fn accesses(&self, layout: &Layout) -> Vec<(SharedAccess, OperationRef<'c, 'a>)> {
        let Some(under) = self.under(layout) else { return Vec::new() };
        let accesses = self.accesses_of(&under, self.options.max_vector_bits);
        let of_ops = accesses.iter().zip(&self.ops);
        of_ops.flat_map(|(all, (op, _))| all.iter().flatten().map(|access| (access.clone(), *op))).collect()
    }

    /// The ops whose accesses are not counted under a layout: an engine does them, or they are too many.
    pub fn not_counted(&self, layout: &Layout) -> Vec<OperationRef<'c, 'a>> {
        let Some(under) = self.under(layout) else { return Vec::new() };
        let accesses = self.accesses_of(&under, self.options.max_vector_bits);
        accesses.iter().zip(&self.ops).filter(|(all, _)| all.is_none()).map(|(_, (op, _))| *op).collect()
    }

    fn under(&self, layout: &Layout) -> Option<Rc<OpsUnderLayout>> {
        if let Some(known) = self.known.borrow().get(layout) {
            return known.clone();
        }
        let ops = self.read(layout).map(Rc::new);
        self.known.borrow_mut().insert(layout.clone(), ops.clone());
        ops
    }

    /// Reads all ops while the tiles have a layout.
    fn read(&self, layout: &Layout) -> Option<OpsUnderLayout> {
        if !types::try_set(self.class, layout, self.rewriter) {
            return None;
        }
        self.reader.forget_alignments();
        let read = |&(op, times): &(OperationRef<'c, 'a>, i64)| {
            let reading = match use_of(op) {
                TileUse::Computed => ComputedTiles::of(op, &self.reader)
                    .map_or(OpReading::Refused, |tiles| OpReading::Computed(Box::new(tiles))),
                TileUse::Stated => OpReading::Engine,
                _ => self.copy(CopyOp(op)),
            };
            OpUnderLayout { reading, times, copies: RefCell::default(), planned: RefCell::default() }
        };
        let ops: Vec<_> = self.ops.iter().map(read).collect();
        self.least.get_or_init(|| {
            let mut sum = PlanCost::default();
            ops.iter().for_each(|op| sum += op.least(self.options.max_vector_bits));
            sum
        });
        Some(OpsUnderLayout { tile: PlacedTile::new(layout.clone()), ops, accesses: RefCell::default() })
    }

    fn copy(&self, copy: CopyOp<'c, 'a>) -> OpReading {
        if takes_map(copy, self.options, self.rewriter) {
            return OpReading::Engine;
        }
        let Ok(reading) = self.reader.read(copy) else { return OpReading::Refused };
        // Where the mask is not known, all of it is taken to be inside of its buffers.
        let mask = reading.problem.mask.clone().filter(|mask| mask.is_constant());
        let sides = copy.sides().unwrap_or_default();
        let roles = sides.into_iter().filter(|(_, side)| self.class.has(side.value)).map(|(role, _)| role).collect();
        let side = TileAccess { problem: Problem { mask, ..reading.problem }, roles };
        OpReading::Copy(Box::new(side), reading.target)
    }

    /// The copies that an op becomes.
    fn copies(&self, at: usize, under: &OpUnderLayout, max_bits: u32) -> Option<Rc<Vec<TileAccess>>> {
        if let Some(known) = under.copies.borrow().get(&max_bits) {
            return known.clone();
        }
        let accesses = match &under.reading {
            OpReading::Copy(copy, _) => {
                let problem = Problem { max_vector_bits: max_bits, ..copy.problem.clone() };
                Some(vec![TileAccess { problem, roles: copy.roles.clone() }])
            }
            OpReading::Computed(tiles) => tiles.copies(max_bits, &self.partitions[at]).ok().map(|copies| {
                let operands = tiles.operands(self.ops[at].0);
                let side = |copy: SharedCopy| {
                    let tile = operands[copy.role as usize].get(copy.number);
                    let is_own = tile.is_some_and(|tile| self.class.has(*tile));
                    TileAccess { problem: copy.problem, roles: is_own.then_some(copy.role).into_iter().collect() }
                };
                copies.into_iter().map(side).collect()
            }),
            OpReading::Engine | OpReading::Refused => None,
        };
        let accesses = accesses.map(Rc::new);
        under.copies.borrow_mut().insert(max_bits, accesses.clone());
        accesses
    }

    /// What an op costs: nothing where that is up to an engine.
    fn cost_of(&self, at: usize, under: &OpUnderLayout) -> PlanCost {
        let refused = PlanCost { refused: 1, ..PlanCost::default() };
        if matches!(under.reading, OpReading::Engine) {
            return PlanCost::default();
        }
        let (Some(target), Some(copies)) = (under.target(), self.copies(at, under, self.options.max_vector_bits))
        else {
            return refused;
        };
        let mut sum = PlanCost::default();
        for TileAccess { problem, .. } in copies.iter() {
            sum += match select(problem, target) {
                Ok((plan, _)) => PlanCost::of(&plan, problem, target).unwrap_or_default().times(under.times),
                Err(_) => refused,
            };
        }
        sum
    }

    fn accesses_of(&self, under: &OpsUnderLayout, max_bits: u32) -> Rc<CopyAccesses> {
        let known = under.accesses.borrow().get(&max_bits).cloned();
        known.unwrap_or_else(|| {
            let of_op = |(at, op): (usize, &OpUnderLayout)| {
                let copies = self.copies(at, op, max_bits)?;
                op.accesses(&copies, &under.tile, max_bits)
            };
            let accesses: Rc<CopyAccesses> = Rc::new(under.ops.iter().enumerate().map(of_op).collect());
            under.accesses.borrow_mut().insert(max_bits, accesses.clone());
            accesses
        })
    }
}

impl TileObserver for TilePlans<'_, '_, '_> {
    fn cost(&self, layout: &Layout) -> Option<PlanCost> {
        let under = self.under(layout)?;
        let mut sum = PlanCost::default();
        under.ops.iter().enumerate().for_each(|(at, op)| sum += self.cost_of(at, op));
        Some(sum)
    }

    fn accesses(&self, layout: &Layout, max_bits: u32) -> Option<Rc<CopyAccesses>> {
        Some(self.accesses_of(&*self.under(layout)?, max_bits))
    }

    fn least(&self) -> PlanCost {
        self.least.get().copied().unwrap_or_default()
    }
}

impl OpUnderLayout {
    fn target(&self) -> Option<&Target> {
        match &self.reading {
            OpReading::Copy(_, target) => Some(target),
            OpReading::Computed(tiles) => Some(tiles.target()),
            OpReading::Engine | OpReading::Refused => None,
        }
    }

    fn least(&self, max_bits: u32) -> PlanCost {
        let once = match &self.reading {
            OpReading::Copy(copy, target) => PlanCost::least(&copy.problem, target),
            OpReading::Computed(tiles) => tiles.least(max_bits),
            OpReading::Engine | OpReading::Refused => PlanCost::default(),
        };
        once.times(self.times)
    }

    /// The accesses of the op to the tile, if those are all known.
    fn accesses(&self, copies: &[TileAccess], tile: &PlacedTile, max_bits: u32) -> Option<Vec<SharedAccess>> {
        let target = self.target()?;
        let mut all = Vec::new();
        for TileAccess { problem, roles } in copies.iter().filter(|copy| !copy.roles.is_empty()) {
            let (plan, _) = select(problem, target).ok()?;
            let plan = with_width(plan, problem, target)?;
            let limit = matches!(plan, CopyPlan::Composite(_)).then_some(max_bits);
            let mut planned = self.planned.borrow_mut();
            let known = planned.iter().position(|known| known.plan == plan && known.max_bits == limit);
            let at = known.unwrap_or_else(|| {
                let observed = roles.iter().map(|role| observe(&plan, (problem, target), *role, tile).ok());
                let accesses = observed.collect::<Option<Vec<_>>>().map(|sides| sides.concat());
                planned.push(KnownPlan { plan, max_bits: limit, accesses });
                planned.len() - 1
            });
            all.extend(planned[at].accesses.clone()?);
        }
        let weighted =
            |access: SharedAccess| SharedAccess { weight: access.weight.saturating_mul(self.times), ..access };
        Some(alike(all).into_iter().map(weighted).collect())
    }
}

/// How often an op is executed by a thread, as far as it is known.
fn trips(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> i64 {
    let loops = kernel::ancestors(op).filter(|around| name(*around) == scf::ForOp::NAME);
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
