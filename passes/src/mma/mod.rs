//! Products of tiles: each variant is one rewrite pattern of `tile.mma`.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that a `tile.mma` poses |
//! | [`emit`] | the instructions of a product of registers |
//! | [`wgmma`] | those of a product of warpgroups |
//! | [`tensor`] | those of a product into tensor memory |
//! | [`assembly`] | the instruction of a warpgroup for which NVVM has no op |
//! | [`zeroed`] | sums in tensor memory that are zero: the first product ignores them |
//! | [`hold`] | what uses sums comes after the wait for them |
//! | [`computed`] | sums that are computed come before products |
//! | [`descriptor`] | descriptors of factors in shared memory |
//! | [`broadcast`] | numbers of warpgroups, of which descriptors are computed |

mod arms;
mod assembly;
mod broadcast;
mod computed;
mod descriptor;
mod emit;
pub mod error;
mod flying;
mod hold;
mod read;
mod tensor;
mod wgmma;
mod zeroed;

use std::collections::HashMap;

use melior::ir::OperationRef;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::MmaOp;
use tile_dialect::pattern::Match;
use tile_isa::mma::Factor;
use tile_isa::tcgen05_mma::InstructionDescriptor;
use tile_layout::counted;
use tile_ops::{Builder, tile};
use tile_plan::choose::{Plannable, SelectError};
use tile_plan::contract::check_product;
use tile_plan::mma::{MmaPlan, MmaProblem, RegisterInstruction, Variant as MmaVariant, all};
use tile_plan::problem::refusal::Decline;
use tile_plan::problem::threads::Active;
use tile_plan::target::Target;

use crate::choose::{Choice, PlanRequest, Rules, replace_all, take};
use crate::contracts;
use crate::options::LoweringOptions;
use crate::read::Unreadable;
use crate::read::problem::Reader;
use crate::report::{Subject, fell_back_to_threads};
use crate::walk;
pub use assembly::expand;
pub use broadcast::broadcast_numbers;
pub use hold::hold_sums;
use read::MmaReading;
use zeroed::FirstProduct;

/// Some of what products become.
pub(crate) const MADE: [&str; 1] = [tile::LocalViewOp::NAME];

/// Products, which are planned by variants.
const PRODUCTS: Subject = Subject { category: "tile-mma", rule: "variant", argument: "Variant", arguments: "Variants" };

/// Replaces every `tile.mma` below the root; `false`, after errors, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let rules = Rules { op: MmaOp::NAME, rules: all(), makes: &MADE };
    let first = zeroed::first_products(ir);
    replace_all(ir, &Products { reader: Reader::new(options), first }, &[rules])
}

/// One variant as a pattern by itself, which keeps nothing between two products. Zeros that are copied to tensor memory before a
/// product stay: a pattern replaces its own op alone.
pub(crate) fn pattern_of(variant: &'static MmaVariant, options: LoweringOptions) -> Box<Match> {
    Box::new(move |op, rewriter| {
        take(&Products { reader: Reader::new(&options), first: HashMap::new() }, variant, op, rewriter)
    })
}

/// Products, replaced by instructions on registers.
struct Products<'o> {
    reader: Reader<'o>,
    /// Those that replace their sums, by op.
    first: HashMap<usize, FirstProduct>,
}

impl PlanRequest for Products<'_> {
    type Problem = MmaProblem;
    type Reading = MmaReading;

    const SUBJECT: Subject = PRODUCTS;

    fn read<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<MmaReading, Unreadable<'c>> {
        Ok(read::read(MmaOp(op), &self.reader)?)
    }

    fn problem(reading: &MmaReading) -> (&MmaProblem, &Target) {
        (&reading.problem, &reading.target)
    }

    fn is_unreached(reading: &MmaReading) -> bool {
        matches!(&reading.problem.threads.active, Active::Known(threads) if threads.is_empty())
    }

    fn write<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        choice: Choice<'_, MmaProblem, MmaReading>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let Choice { rule, plan, reading, declines } = choice;
        if !contracts::keeps(op, |is_denied| check_product(&plan, is_denied), declines) {
            return false;
        }
        let first = self.first.get(&walk::key(op)).copied();
        if let Err(reason) = emit::product(Builder::before(rewriter, op), MmaOp(op), first, (&reading.problem, &plan)) {
            Diagnostic::error(reason).emit(op);
            return false;
        }
        PRODUCTS.declined(op, declines);
        remark_chosen(op, rule, &reading.problem, &plan);
        if plan.multiplications() > 0 && reading.problem.forced().is_none() {
            fell_back_to_threads(op, declines);
        }
        rewriter.erase(op);
        true
    }
}

/// The variant that does a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductVariant {
    /// Its priority.
    pub priority: i64,
    /// Whether no layouts of the same tiles would have one of a higher priority: all of these are for other memories.
    pub is_best: bool,
}

/// The variant that does a product as it is written now; `None` where there is none.
pub fn variant(op: MmaOp<'_, '_>, options: &LoweringOptions) -> Option<ProductVariant> {
    let MmaReading { problem, target } = read::read(op, &Reader::new(options)).ok()?;
    let chosen = tile_plan::choose::choose(all(), &problem, &target).ok()?;
    let is_best = chosen.declines.iter().all(Decline::is_for_other_spaces);
    Some(ProductVariant { priority: chosen.rule.priority().into(), is_best })
}

/// Why the variants between its memories do not do a product as it is written now; all others, where there are none between these.
pub fn declines(op: MmaOp<'_, '_>, options: &LoweringOptions) -> Vec<Decline> {
    let Ok(MmaReading { problem, target }) = read::read(op, &Reader::new(options)) else { return Vec::new() };
    let refused = tile_plan::choose::choose(all(), &problem, &target).err();
    let (others, near): (Vec<_>, Vec<_>) =
        refused.map_or_else(Vec::new, SelectError::into_declines).into_iter().partition(Decline::is_for_other_spaces);
    if near.is_empty() { others } else { near }
}

/// The *passed* remark.
fn remark_chosen(op: OperationRef<'_, '_>, rule: &'static str, problem: &MmaProblem, plan: &MmaPlan) {
    let (count, instruction, each) = match plan {
        MmaPlan::Registers(plan) => {
            let (instruction, each) = match plan.instruction {
                RegisterInstruction::MmaSync { shape, factors: [a, b] } => {
                    (format!("mma.sync.{shape} {}.{}", a.ptx(), b.ptx()), "warp")
                }
                RegisterInstruction::Fma => {
                    (format!("multiplications and additions of {}", problem.c.number.name()), "thread")
                }
            };
            (plan.steps().count() as i64, instruction, each)
        }
        MmaPlan::Warpgroups(plan) => {
            let ([a, b], [n, k]) = (plan.factors.map(Factor::ptx), plan.size);
            let count = plan.parts.iter().map(|part| part.steps.len()).sum::<usize>();
            (count as i64, format!("wgmma.mma_async.m64n{n}k{k} {a}.{b}"), "warpgroup")
        }
        MmaPlan::Tensor(plan) => {
            let InstructionDescriptor { rows, columns, factors: [a, b], .. } = plan.instruction;
            let count = plan.parts.iter().map(|part| part.steps.len()).sum::<usize>();
            let (kind, depth, types) = (plan.kind.ptx(), plan.depth, format!("{}.{}", a.ptx(), b.ptx()));
            let instruction = format!("tcgen05.mma.cta_group::1.kind::{kind} m{rows}n{columns}k{depth} {types}");
            (count as i64, instruction, "block")
        }
    };
    let [m, n, k] = problem.sizes();
    let args = [
        ("Variant", rule.to_owned()),
        ("Instruction", instruction.clone()),
        ("Count", count.to_string()),
        ("Size", format!("{m}x{n}x{k}")),
    ];
    let text = format!("multiplied by {rule}: {} of {instruction} per {each}", counted(count, "execution"));
    PRODUCTS.emit(op, RemarkKind::Passed, rule, &text, &args);
}
