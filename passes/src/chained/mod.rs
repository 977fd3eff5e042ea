//! Lowers `tile.chained`: each strategy is one rewrite pattern. The exchange of payloads is that of [scans](crate::scan) whose
//! blocks hold one tile each.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that a `tile.chained` poses |
//! | [`lower`] | the kernel and its launch |
//! | [`kernel`] | values that the code of a kernel shares |
//! | [`ahead`] | the next tile of a block, read ahead |
//! | [`elements`] | a thread's elements of a tile, and their neighbours |
//! | [`regions`] | the op's regions, written out for one element |
//! | [`work`] | the work on a tile in registers |
//! | [`results`] | its results, collected in shared memory, or written one by one |
//! | [`ring`] | the work on tiles in a ring |
//! | [`pieces`] | the results of its warps, collected in shared memory |

mod ahead;
mod elements;
mod error;
mod kernel;
mod lower;
mod pieces;
pub(crate) mod read;
mod regions;
mod results;
mod ring;
mod work;

use melior::ir::OperationRef;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::ChainedOp;
use tile_dialect::pattern::Match;
use tile_ops::Builder;
use tile_plan::chained::{self, ChainedPlan, ChainedProblem, ChainedShape, ChainedStrategy, RegisterTiles};
use tile_plan::target::Target;

use crate::choose::{Choice, PlanRequest, Rules, replace_all, take};
use crate::options::LoweringOptions;
use crate::read::Unreadable;
use crate::report::Subject;
use crate::scan::{self, MADE, are_modules_inside, report};
pub(crate) use error::ChainedKernelError;
use read::ChainedReading;

/// Replaces every `tile.scan` and `tile.chained` below the root; `false`, after the errors of both, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let scans = scan::run(ir, options);
    replace_chained(ir, options) && scans
}

fn replace_chained(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    if !are_modules_inside(ir, ChainedOp::NAME) {
        return false;
    }
    let rules = Rules { op: ChainedOp::NAME, rules: chained::all(), makes: &MADE };
    replace_all(ir, &ChainedPasses { options }, &[rules])
}

/// One strategy as a pattern by itself, which keeps nothing between two ops. It writes kernels into the module that the op names:
/// the driver runs on an op around both.
pub(crate) fn pattern_of(strategy: &'static ChainedStrategy, options: LoweringOptions) -> Box<Match> {
    Box::new(move |op, rewriter| take(&ChainedPasses { options: &options }, strategy, op, rewriter))
}

/// Passes over arrays, replaced by kernels and their launches.
struct ChainedPasses<'o> {
    options: &'o LoweringOptions,
}

/// The arguments of the remark about a plan's shape, with the numbers of blocks that a launch may have.
fn shape(plan: &ChainedPlan) -> Vec<(&'static str, String)> {
    match &plan.shape {
        ChainedShape::Register(RegisterTiles { tile, order, resident, blocks, .. }) => {
            let grid = match blocks {
                None => "max(1, ceil(n / tile))".to_owned(),
                Some(blocks) => format!("{SOME}, best min(t, {blocks})"),
            };
            let mut args = report::register(tile, *order, &grid);
            args.push(("Resident", resident.to_string()));
            args
        }
        ChainedShape::Ring(chained) => {
            let ring = &chained.ring;
            let grid = format!("{SOME}, best min(t, {})", ring.blocks);
            report::ring(ring, chained.dynamic_bytes, grid)
        }
    }
}

/// The numbers of blocks of a kernel whose blocks take several tiles.
const SOME: &str = "1 to t = max(1, ceil(n / tile))";

/// Remarks of these passes.
pub(crate) const CHAINED: Subject =
    Subject { category: "tile-chained", rule: "strategy", argument: "Strategy", arguments: "Strategies" };

/// The *passed* remark.
pub(crate) fn remark_chosen(op: OperationRef<'_, '_>, strategy: &'static str, plan: &ChainedPlan) {
    let mut args = report::workspace(strategy, plan.workspace());
    args.extend(shape(plan));
    args.extend(report::exchange(&plan.exchange));
    CHAINED.emit(op, RemarkKind::Passed, strategy, &format!("passed over by {strategy}"), &args);
}

impl PlanRequest for ChainedPasses<'_> {
    type Problem = ChainedProblem;
    type Reading = ChainedReading;

    const SUBJECT: Subject = CHAINED;

    fn read<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<ChainedReading, Unreadable<'c>> {
        Ok(read::read(ChainedOp(op), self.options)?)
    }

    fn problem(reading: &ChainedReading) -> (&ChainedProblem, &Target) {
        (&reading.problem, &reading.target)
    }

    fn write<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        choice: Choice<'_, ChainedProblem, ChainedReading>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let Choice { rule, plan, reading, declines } = choice;
        let builder = Builder::before(rewriter, op);
        if let Err(error) = lower::lower(builder, ChainedOp(op), reading, &plan) {
            Diagnostic::error(error.to_string()).emit(op);
            return false;
        }
        CHAINED.declined(op, declines);
        remark_chosen(op, rule, &plan);
        rewriter.erase(op);
        true
    }
}
