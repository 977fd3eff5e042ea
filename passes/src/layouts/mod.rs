//! `--tile-choose-layouts`: the layouts of tiles that leave them open, from all that accesses them.
//!
//! | module | subject |
//! | --- | --- |
//! | [`flow`] | which allocations have one layout, and what accesses them |
//! | [`types`] | the types of tiles and views under a layout |
//! | [`products`] | layouts of several tiles with which a product can be done |
//! | [`score`] | what engines say of a layout |
//!
//! A layout is tried by writing it into the types: then each access is read and planned as it will be.

mod flow;
mod products;
mod score;
mod types;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Parts, Rewriter, arguments_of};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::CopyOp;
use tile_isa::{ACCESS_BITS, Space};
use tile_layout::{Layout, counted};
use tile_ops::{affine, func, gpu, scf, tile};
use tile_plan::choose_layout::{
    LayoutChoice, LayoutFamily, LayoutProblem, NVIDIA, PlacedTile, SharedAccess, certify, check, choose,
    engine_layouts, observe,
};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::problem::role::Role;
use tile_plan::traffic::Traffic;

use crate::diagnostics::location;
use crate::options::LoweringOptions;
use crate::pipeline::tensor_maps::takes_map;
use crate::read::problem::{ProblemReading, Reader};
use crate::read::{kernel, name};
use crate::{report, walk};
use flow::{TileClass, is_auto};

/// How often a loop is taken to go round whose trip count is not known.
const ASSUMED_TRIPS: i64 = 16;

/// How many times the accesses under the best layout may suggest a better one.
const MAX_ROUNDS: usize = 3;

/// Chooses the layout of every tile at or below the root that leaves it open; `false`, after errors, where one has none.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let Some(classes) = flow::classes(root) else { return false };
    products::begin(&classes, options, rewriter);
    let mut complete = true;
    for class in &classes {
        complete &= one(class, options, rewriter);
    }
    complete
}

/// Whether all layouts below the root are chosen; `false` after errors.
pub fn are_chosen(root: OperationRef<'_, '_>) -> bool {
    const MAKERS: [&str; 3] = [tile::AllocOp::NAME, func::FuncOp::NAME, gpu::GPUFuncOp::NAME];
    let open: Vec<_> = walk::matching(root, |name| MAKERS.contains(&name))
        .into_iter()
        .filter(|op| is_auto(*op) || takes_auto(*op))
        .collect();
    for op in &open {
        let text = match is_auto(*op) {
            true => {
                "has the layout auto, which no pass has chosen; expected --tile-choose-layouts before, which --tile-build has"
            }
            false => "takes a tile whose layout is auto; expected a layout, or calls of it that are inlined",
        };
        Diagnostic::error(text).emit(*op);
    }
    open.is_empty()
}

/// Whether a function takes a tile that leaves its layout open.
fn takes_auto(function: OperationRef<'_, '_>) -> bool {
    let entry = function.region_at(0).and_then(|body| body.first_block());
    let arguments = entry.map(arguments_of).unwrap_or_default();
    arguments.into_iter().filter_map(|it| BufferType::from_type(it.r#type())).any(BufferType::is_auto)
}

fn one<'c: 'a, 'a>(class: &TileClass<'c, 'a>, options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) -> bool {
    let (Some(&alloc), Some(&root)) = (class.allocs.first(), class.roots.first()) else { return true };
    let Some(buffer) = BufferType::from_type(root.r#type()) else { return true };
    let choosing = Choosing { class, options, rewriter, buffer };
    match choosing.choose() {
        Ok(choice) => {
            choosing.remark(alloc, &choice);
            types::set(class, &choice.choice.layout, rewriter)
        }
        Err(why) => {
            Diagnostic::error(format!("has the layout auto, and cannot be given one: {why}")).emit(alloc);
            false
        }
    }
}

/// What copies cost, the most important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct PlanCost {
    /// Copies that cannot be planned.
    refused: i64,
    /// Wavefronts of shared memory.
    wavefronts: i64,
    /// Requests of warps.
    requests: i64,
    /// Wavefronts that conflicts add.
    conflicts: i64,
}

/// A choice, and the op of each access that it counts.
struct CertifiedChoice<'c, 'a> {
    choice: LayoutChoice,
    accesses: Vec<OperationRef<'c, 'a>>,
}

struct Choosing<'t, 'c, 'a> {
    class: &'t TileClass<'c, 'a>,
    options: &'t LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    buffer: BufferType<'c>,
}

impl<'c: 'a, 'a> Choosing<'_, 'c, 'a> {
    /// # Errors
    /// Why there is no layout.
    fn choose(&self) -> Result<CertifiedChoice<'c, 'a>, String> {
        let bits = bit_width(self.buffer.element()).unwrap_or(0);
        let problem = LayoutProblem {
            shape: self.buffer.shape().to_vec(),
            element_bytes: i64::from(bits / 8),
            accesses: Vec::new(),
            phases: &NVIDIA,
            family: LayoutFamily::Free,
            max_elements: None,
        };
        if !bits.is_multiple_of(8) {
            return Err(format!("got elements of {}, expected whole bytes", counted(i64::from(bits), "bit")));
        }
        // It is known now that the shape is one that can be enumerated.
        choose(&problem).map_err(|error| error.to_string())?;
        let family = self.family(problem.element_bytes)?;
        let problem = LayoutProblem { family, ..problem };
        let (layout, tried) = self.search(&problem)?;
        let (accesses, ops) = self.observed(&PlacedTile::new(layout.clone()), self.options).into_iter().unzip();
        let problem = LayoutProblem { accesses, ..problem };
        let choice = certify(&problem, &layout, tried).map_err(|error| error.to_string())?;
        check(&problem, &choice).map_err(|error| format!("the check of the choice refuses it: {error}"))?;
        Ok(CertifiedChoice { choice, accesses: ops })
    }

    /// The layout with the fewest wavefronts, and how many were tried.
    ///
    /// What accesses the tile depends on its layout, since vectors need contiguous elements: so accesses are observed under several
    /// layouts and at several widths, each suggests one, and the best is what costs least when all copies are planned.
    fn search(&self, problem: &LayoutProblem) -> Result<(Layout, usize), String> {
        let orders = PlacedTile::orders(&problem.shape);
        let mut observed = vec![self.least_requests(&orders)];
        let widths = ACCESS_BITS.into_iter().filter(|&bits| bits <= self.options.max_vector_bits);
        for bits in widths.filter(|&bits| i64::from(bits) >= 8 * problem.element_bytes) {
            let narrow = LoweringOptions { max_vector_bits: bits, ..self.options.clone() };
            observed.extend(orders.iter().map(|order| self.accesses_under(order, &narrow)));
        }
        let mut best: Option<(PlanCost, Layout)> = None;
        let mut tried = 0;
        // What a layout leads to may suggest another one.
        for _ in 0..MAX_ROUNDS {
            let before = best.as_ref().map(|(cost, _)| *cost);
            for accesses in std::mem::take(&mut observed) {
                let suggested =
                    choose(&LayoutProblem { accesses, ..problem.clone() }).map_err(|error| error.to_string())?;
                tried += 1;
                if let Some(cost) = self.cost(&suggested.layout)
                    && best.as_ref().is_none_or(|(least, _)| cost < *least)
                {
                    best = Some((cost, suggested.layout));
                }
            }
            let Some((cost, layout)) = best.as_ref().filter(|(cost, _)| before.is_none_or(|before| *cost < before))
            else {
                break;
            };
            if cost.conflicts == 0 {
                break;
            }
            observed.push(self.accesses_under(&PlacedTile::new(layout.clone()), self.options));
        }
        best.map(|(_, layout)| (layout, tried)).ok_or_else(|| "no copy of it can be planned".to_owned())
    }

    /// What all copies cost under a layout; `None` where the tile cannot have it.
    fn cost(&self, layout: &Layout) -> Option<PlanCost> {
        self.with(layout, || {
            let mut sum = PlanCost::default();
            for copy in self.copies() {
                if takes_map(copy, self.options, self.rewriter) {
                    continue;
                }
                let Some((plan, reading)) = self.plan(copy, self.options) else {
                    sum.refused += 1;
                    continue;
                };
                let Ok(traffic) = Traffic::new(&plan, &reading.problem, &reading.target) else { continue };
                let times = trips(copy.0, self.options);
                sum.wavefronts += times * traffic.wavefronts;
                sum.conflicts += times * traffic.conflicts();
                sum.requests += times * traffic.requests;
            }
            sum
        })
    }

    /// The layouts among which to choose: those of the engines that access the tile, where some of theirs suit them best.
    fn family(&self, element_bytes: i64) -> Result<LayoutFamily, String> {
        let all = engine_layouts(self.buffer.shape(), element_bytes);
        let scored: Vec<_> = all.into_iter().filter_map(|layout| Some((self.score(&layout)?, layout))).collect();
        let Some(best) = scored.iter().map(|(score, _)| *score).max() else { return Ok(LayoutFamily::Free) };
        let Some(engine) = best.engine() else { return self.without_engines(&best) };
        let layouts = scored.into_iter().filter(|(score, _)| *score == best).map(|(_, layout)| layout).collect();
        Ok(LayoutFamily::Modes { engine, layouts })
    }

    /// The layouts where no engine takes part.
    ///
    /// # Errors
    /// A product reads the tile, and can be done with none of them.
    fn without_engines(&self, best: &score::EngineScore) -> Result<LayoutFamily, String> {
        match best.refused.0 {
            0 => Ok(LayoutFamily::Free),
            _ => Err(
                "no layout suits the products that read it; a layout that is written says why each variant declines"
                    .to_owned(),
            ),
        }
    }

    fn score(&self, layout: &Layout) -> Option<score::EngineScore> {
        self.with(layout, || score::of_class(&self.class.accesses, self.options, self.rewriter))
    }

    /// The result of `body` while the tiles have a layout; `None` where they cannot have it.
    fn with<R>(&self, layout: &Layout, body: impl FnOnce() -> R) -> Option<R> {
        types::set(self.class, layout, self.rewriter).then(body)
    }

    /// The copies and fills that access the tiles.
    fn copies(&self) -> impl Iterator<Item = CopyOp<'c, 'a>> {
        self.class.accesses.iter().copied().filter(|op| CopyOp::is_name(name(*op))).map(CopyOp)
    }

    /// The plan of a copy as the types are now, all of it inside of its buffers.
    fn plan(&self, copy: CopyOp<'c, 'a>, options: &LoweringOptions) -> Option<(CopyPlan, ProblemReading)> {
        let mut reading = Reader::new(options).read(copy).ok()?;
        reading.problem.mask = None;
        let (plan, _) = select(&reading.problem, &reading.target).ok()?;
        Some((plan, reading))
    }

    /// The accesses of copies and fills by loads and stores, each with its op.
    fn observed(&self, tile: &PlacedTile, options: &LoweringOptions) -> Vec<(SharedAccess, OperationRef<'c, 'a>)> {
        let all = || {
            let each = self.copies().map(|copy| (self.accesses(copy, tile, options).unwrap_or_default(), copy.0));
            each.flat_map(|(all, op)| all.into_iter().map(move |access| (access, op))).collect()
        };
        self.with(&tile.layout, all).unwrap_or_default()
    }

    fn accesses_under(&self, tile: &PlacedTile, options: &LoweringOptions) -> Vec<SharedAccess> {
        self.observed(tile, options).into_iter().map(|(access, _)| access).collect()
    }

    /// Of each copy the accesses under that layout in which it has the fewest requests.
    fn least_requests(&self, tiles: &[PlacedTile]) -> Vec<SharedAccess> {
        let mut found: Vec<Option<(i64, Vec<SharedAccess>)>> = self.copies().map(|_| None).collect();
        for tile in tiles {
            self.with(&tile.layout, || {
                for (known, copy) in found.iter_mut().zip(self.copies()) {
                    let Some(accesses) = self.accesses(copy, tile, self.options) else { continue };
                    let count = accesses.iter().map(|access| access.weight).sum();
                    if known.as_ref().is_none_or(|(least, _)| count < *least) {
                        *known = Some((count, accesses));
                    }
                }
            });
        }
        found.into_iter().flatten().flat_map(|(_, accesses)| accesses).collect()
    }

    /// The accesses of a copy to the tile; `None` for those of an engine, and for what is not counted.
    fn accesses(
        &self,
        copy: CopyOp<'c, 'a>,
        tile: &PlacedTile,
        options: &LoweringOptions,
    ) -> Option<Vec<SharedAccess>> {
        if takes_map(copy, self.options, self.rewriter) {
            return None;
        }
        let both = [Role::Src, Role::Dst].into_iter().filter_map(|role| copy.operand(role));
        let (plan, reading) =
            self.plan(copy, options).filter(|_| both.filter(|it| it.buffer.space() == Space::Shared).count() == 1)?;
        observe(&plan, (&reading.problem, &reading.target), tile, trips(copy.0, self.options)).ok()
    }

    fn remark(&self, alloc: OperationRef<'c, 'a>, chosen: &CertifiedChoice<'c, 'a>) {
        let CertifiedChoice { choice, accesses } = chosen;
        let sum = |of: fn(&tile_plan::choose_layout::AccessCost) -> i64| choice.costs.iter().map(of).sum::<i64>();
        let mut args = vec![
            ("Layout", choice.layout.to_string()),
            ("Wavefronts", sum(|cost| cost.wavefronts).to_string()),
            ("IdealWavefronts", sum(|cost| cost.ideal).to_string()),
        ];
        if !accesses.is_empty() {
            let place =
                |op: &OperationRef<'_, '_>| location(op.location()).map(|at| format!(" at {at}")).unwrap_or_default();
            let each = accesses.iter().zip(0..).map(|(op, number)| format!("{number}: {}{}", name(*op), place(op)));
            args.push(("Accesses", each.collect::<Vec<_>>().join("; ")));
        }
        report::emit(alloc, RemarkKind::Passed, "layout-chosen", &choice.certificate.to_string(), &args);
    }
}

/// How often a copy is executed by a thread, as far as it is known.
fn trips(op: OperationRef<'_, '_>, options: &LoweringOptions) -> i64 {
    let reader = Reader::new(options);
    let loops =
        kernel::ancestors(op).filter(|around| [scf::ForOp::NAME, affine::AffineForOp::NAME].contains(&name(*around)));
    let count = |around| reader.trips(around).and_then(|each| each.into_iter().max()).unwrap_or(ASSUMED_TRIPS);
    loops.map(count).fold(1, i64::saturating_mul).clamp(1, 1 << 20)
}
