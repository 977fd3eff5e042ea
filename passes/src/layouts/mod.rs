//! `--tile-choose-layouts`: the layouts of tiles that leave them open, from all that accesses them.
//!
//! | module | subject |
//! | --- | --- |
//! | [`flow`] | which allocations have one layout, and what accesses them |
//! | [`types`] | the types of tiles and views under a layout |
//! | [`registers`] | tiles in registers, which come first: what products read of shared memory follows |
//! | [`products`] | layouts of several tiles with which a product can be done |
//! | [`score`] | what engines say of a layout |
//! | [`plans`] | the plans of all accesses under a layout, each made once |
//! | [`uses`] | how each op is counted |
//!
//! A layout is tried by writing it into the types: then each access is read and planned as it will be. So a map of shared tiles is divided
//! among threads as it would be with that layout, and counts with the copies that it then becomes.
//!
//! Tiles that one op accesses together are chosen one after the other, each with the others as they are, until none gets better: what they
//! cost together only falls. The certificates are made then.

pub mod flow;
mod plans;
mod products;
mod registers;
mod score;
mod types;
pub mod uses;

use melior::ir::operation::OperationLike;
use melior::ir::{Location, OperationRef, RegionLike, ValueLike};
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Parts, Rewriter, arguments_of};
use tile_dialect::memref::bit_width;
use tile_dialect::{BufferType, Space};
use tile_layout::{Layout, counted};
use tile_ops::{func, gpu, tile};
use tile_plan::choose_layout::{
    EngineScore, LayoutChoice, LayoutFamily, LayoutProblem, NVIDIA, TileObserver, certify, check, choose,
    engine_layouts, search,
};

use crate::diagnostics::location;
use crate::options::LoweringOptions;
use crate::read::name;
use crate::{report, walk};
use flow::{TileClass, is_auto, use_of};
use plans::TilePlans;
use score::RefusedProduct;
use uses::TileUse;

/// How often the tiles that an op accesses together are chosen anew.
const MAX_ROUNDS: usize = 3;

/// Chooses the layout of every tile at or below the root that leaves it open; `false`, after errors, where one has none.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let (root, rewriter) = (ir.root(), ir.rewriter());
    let Some(classes) = flow::classes(root, Space::Local) else { return false };
    if !registers::run(&classes, options, rewriter) {
        return false;
    }
    let Some(classes) = flow::classes(root, Space::Shared) else { return false };
    products::begin(&classes, options, rewriter);
    let choosing: Vec<_> = classes.iter().filter_map(|class| Choosing::new(class, options, rewriter)).collect();
    let mut chosen: Vec<Option<FoundLayout>> = choosing.iter().map(|_| None).collect();
    let mut complete = true;
    for round in 0..MAX_ROUNDS {
        let mut is_changed = false;
        for (tile, known) in choosing.iter().zip(&mut chosen).filter(|(tile, _)| round == 0 || tile.is_beside(&classes))
        {
            match tile.choose(known.as_ref()) {
                Ok(best) => {
                    is_changed |= known.as_ref().is_some_and(|known| known.layout != best.layout);
                    complete &= types::set(tile.class, &best.layout, rewriter);
                    *known = Some(best);
                }
                Err(why) => {
                    tile.refuse(&why);
                    complete = false;
                }
            }
        }
        if !complete || round > 0 && !is_changed {
            break;
        }
    }
    complete && choosing.iter().zip(chosen).all(|(tile, best)| best.is_none_or(|best| tile.settle(&best)))
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
    arguments.into_iter().filter_map(|argument| BufferType::from_type(argument.r#type())).any(BufferType::is_auto)
}

/// A layout, and what it was chosen among.
struct FoundLayout {
    layout: Layout,
    family: LayoutFamily,
    tried: usize,
}

/// Why a tile is given no layout.
struct LayoutRefusal<'c> {
    reason: String,
    /// Where the product is that none suits, and with which layout the reason is its.
    product: Option<(Location<'c>, String)>,
}

impl From<String> for LayoutRefusal<'_> {
    fn from(reason: String) -> Self {
        LayoutRefusal { reason, product: None }
    }
}

const NO_LAYOUT: &str = "no layout suits the products that read it";

/// A choice, and the ops that it is about.
struct CertifiedChoice<'c, 'a> {
    choice: LayoutChoice,
    /// The op of each access that it counts.
    accesses: Vec<OperationRef<'c, 'a>>,
    not_counted: Vec<OperationRef<'c, 'a>>,
}

struct Choosing<'t, 'c, 'a> {
    class: &'t TileClass<'c, 'a>,
    options: &'t LoweringOptions,
    rewriter: Rewriter<'c, 'a>,
    alloc: OperationRef<'c, 'a>,
    buffer: BufferType<'c>,
}

impl<'t, 'c: 'a, 'a> Choosing<'t, 'c, 'a> {
    fn new(class: &'t TileClass<'c, 'a>, options: &'t LoweringOptions, rewriter: Rewriter<'c, 'a>) -> Option<Self> {
        let buffer = BufferType::from_type(class.roots.first()?.r#type())?;
        Some(Choosing { class, options, rewriter, alloc: *class.allocs.first()?, buffer })
    }

    /// Whether an op accesses the tile together with one of another class by loads and stores.
    fn is_beside(&self, classes: &[TileClass<'c, 'a>]) -> bool {
        let others = classes.iter().filter(|other| !std::ptr::eq(*other, self.class));
        let by_copies = |op: &&OperationRef<'c, 'a>| use_of(**op) != TileUse::Product;
        let copied = || self.class.accesses.iter().filter(by_copies);
        others.into_iter().any(|other| copied().any(|op| other.accesses.contains(op)))
    }

    /// What is to be chosen, without the accesses, which depend on the layout.
    ///
    /// # Errors
    /// Why there is no layout.
    fn problem(&self) -> Result<LayoutProblem, String> {
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
        Ok(problem)
    }

    /// The layout with which all accesses cost least, or the one before, where none costs less.
    ///
    /// # Errors
    /// Why there is none.
    fn choose(&self, before: Option<&FoundLayout>) -> Result<FoundLayout, LayoutRefusal<'c>> {
        let problem = self.problem()?;
        // It is known then that the shape is one that can be enumerated.
        choose(&problem).map_err(|error| error.to_string())?;
        let family = self.family(problem.element_bytes)?;
        let problem = LayoutProblem { family, ..problem };
        let plans = TilePlans::new(self.class, self.options, self.rewriter);
        let (layout, tried) =
            search(&problem, self.options.max_vector_bits, &plans).map_err(|error| error.to_string())?;
        let kept =
            before.map(|before| before.layout.clone()).filter(|before| plans.cost(before) <= plans.cost(&layout));
        Ok(FoundLayout { layout: kept.unwrap_or(layout), family: problem.family, tried })
    }

    /// Certifies the layout, with all other tiles in theirs; `false` after an error.
    fn settle(&self, best: &FoundLayout) -> bool {
        let settled = self.certified(best).map(|choice| self.remark(&choice));
        settled.map_err(|why| self.refuse(&why.into())).is_ok()
    }

    fn certified(&self, best: &FoundLayout) -> Result<CertifiedChoice<'c, 'a>, String> {
        let FoundLayout { layout, family, tried } = best;
        let plans = TilePlans::new(self.class, self.options, self.rewriter);
        let (accesses, ops) = plans.accesses(layout).into_iter().unzip();
        let problem = LayoutProblem { accesses, family: family.clone(), ..self.problem()? };
        let choice = certify(&problem, layout, *tried).map_err(|error| error.to_string())?;
        check(&problem, &choice).map_err(|error| format!("the check of the choice refuses it: {error}"))?;
        Ok(CertifiedChoice { choice, accesses: ops, not_counted: plans.not_counted(layout) })
    }

    fn refuse(&self, why: &LayoutRefusal<'c>) {
        let error = Diagnostic::error(format!("has the layout auto, and cannot be given one: {}", why.reason));
        let notes = why.product.iter();
        notes.fold(error, |error, (at, text)| error.note(*at, text.clone())).emit(self.alloc);
    }

    /// The layouts among which to choose: those of the engines that access the tile, where some of theirs suit them best.
    fn family(&self, element_bytes: i64) -> Result<LayoutFamily, LayoutRefusal<'c>> {
        let all = engine_layouts(self.buffer.shape(), element_bytes);
        let scored: Vec<_> = all.into_iter().filter_map(|layout| Some((self.score(&layout)?, layout))).collect();
        let Some(best) = scored.iter().map(|(score, _)| *score).max() else { return Ok(LayoutFamily::Free) };
        let mut layouts = scored.into_iter().filter(|(score, _)| *score == best).map(|(_, layout)| layout);
        match best.engine() {
            Some(engine) => Ok(LayoutFamily::Modes { engine, layouts: layouts.collect() }),
            None if best.refused.0 == 0 => Ok(LayoutFamily::Free),
            None => Err(layouts.next().map_or_else(|| NO_LAYOUT.to_owned().into(), |layout| self.refusal(&layout))),
        }
    }

    /// Why no layout suits the products that read the tile, of which this one suits as many as any.
    fn refusal(&self, layout: &Layout) -> LayoutRefusal<'c> {
        types::try_set(self.class, layout, self.rewriter);
        let Some(RefusedProduct { op, declines }) = score::refused(&self.class.accesses, self.options) else {
            return NO_LAYOUT.to_owned().into();
        };
        let declines: Vec<_> = declines.iter().map(ToString::to_string).collect();
        let product = (op.location(), format!("this product, with the layout {layout}"));
        LayoutRefusal { reason: format!("{NO_LAYOUT}: {}", declines.join("; ")), product: Some(product) }
    }

    fn score(&self, layout: &Layout) -> Option<EngineScore> {
        types::try_set(self.class, layout, self.rewriter)
            .then(|| score::of_class(&self.class.accesses, self.options, self.rewriter))
    }

    fn remark(&self, chosen: &CertifiedChoice<'c, 'a>) {
        let CertifiedChoice { choice, accesses, not_counted } = chosen;
        let sum = |count: fn(&tile_plan::choose_layout::AccessCost) -> i64| choice.costs.iter().map(count).sum::<i64>();
        let mut args = vec![
            ("Layout", choice.layout.to_string()),
            ("Wavefronts", sum(|cost| cost.wavefronts).to_string()),
            ("IdealWavefronts", sum(|cost| cost.ideal).to_string()),
        ];
        let place =
            |op: &OperationRef<'_, '_>| location(op.location()).map(|at| format!(" at {at}")).unwrap_or_default();
        if !accesses.is_empty() {
            let each = accesses.iter().zip(0..).map(|(op, number)| format!("{number}: {}{}", name(*op), place(op)));
            args.push(("Accesses", each.collect::<Vec<_>>().join("; ")));
        }
        if !not_counted.is_empty() {
            let each = not_counted.iter().map(|op| format!("{}{}", name(*op), place(op)));
            args.push(("NotCounted", each.collect::<Vec<_>>().join("; ")));
        }
        report::emit(self.alloc, RemarkKind::Passed, "layout-chosen", &choice.certificate.to_string(), &args);
    }
}
