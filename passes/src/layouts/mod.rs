//! `--tile-choose-layouts`: the layouts of tiles that leave them open, from all that accesses them.
//!
//! | module | subject |
//! | --- | --- |
//! | [`flow`] | which allocations have one layout, and what accesses them |
//! | [`types`] | the types of tiles and views under a layout |
//! | [`products`] | layouts of several tiles with which a product can be done |
//! | [`score`] | what engines say of a layout |
//! | [`plans`] | the plans of all copies under a layout, each made once |
//!
//! A layout is tried by writing it into the types: then each access is read and planned as it will be.

mod flow;
mod plans;
mod products;
mod score;
mod types;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Parts, Rewriter, arguments_of};
use tile_dialect::memref::bit_width;
use tile_layout::{Layout, counted};
use tile_ops::{func, gpu, tile};
use tile_plan::choose_layout::{
    LayoutChoice, LayoutFamily, LayoutProblem, NVIDIA, certify, check, choose, engine_layouts, search,
};

use crate::diagnostics::location;
use crate::options::LoweringOptions;
use crate::read::name;
use crate::{report, walk};
use flow::{TileClass, is_auto};
use plans::TilePlans;

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
        let plans = TilePlans::new(self.class, self.options, self.rewriter);
        let (layout, tried) =
            search(&problem, self.options.max_vector_bits, &plans).map_err(|error| error.to_string())?;
        let (accesses, ops) = plans.accesses(&layout).into_iter().unzip();
        let problem = LayoutProblem { accesses, ..problem };
        let choice = certify(&problem, &layout, tried).map_err(|error| error.to_string())?;
        check(&problem, &choice).map_err(|error| format!("the check of the choice refuses it: {error}"))?;
        Ok(CertifiedChoice { choice, accesses: ops })
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
        types::set(self.class, layout, self.rewriter)
            .then(|| score::of_class(&self.class.accesses, self.options, self.rewriter))
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
