//! Lowers `tile.sort`: each strategy is one rewrite pattern. Launches and fault injection are those of [scans](crate::scan).
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that a `tile.sort` poses |
//! | [`lower`] | the kernels and their launches |
//! | [`kernel`] | values that the code of a kernel shares |
//! | [`key`] | keys as integers that have their order |
//! | [`histogram`] | the kernel that counts all digits |
//! | [`pass`] | the kernels that sort by one digit |
//! | [`rank`] | the places of a warp's keys among those with the same digit |
//! | [`lookback`] | the counts of the tiles before a block's tile |
//! | [`help`] | the counts of a tile that another block does not publish |

mod error;
mod help;
mod histogram;
mod kernel;
mod key;
mod lookback;
mod lower;
mod pass;
mod rank;
mod read;
mod words;

use melior::ir::OperationRef;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::SortOp;
use tile_dialect::pattern::Match;
use tile_ops::Builder;
use tile_plan::sort::{self, DIGITS, ROW_BYTES, SortPlan, SortProblem, SortStrategy};
use tile_plan::target::Target;

use crate::chained;
use crate::choose::{Choice, PlanRequest, Rules, replace_all, take};
use crate::options::LoweringOptions;
use crate::read::Unreadable;
use crate::report::Subject;
use crate::scan::{MADE, are_modules_inside, report};
use read::SortReading;

/// Replaces every `tile.scan`, `tile.chained` and `tile.sort` below the root; `false`, after the errors of all, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let others = chained::run(ir, options);
    replace_sorts(ir, options) && others
}

fn replace_sorts(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    if !are_modules_inside(ir, SortOp::NAME) {
        return false;
    }
    let rules = Rules { op: SortOp::NAME, rules: sort::all(), makes: &MADE };
    replace_all(ir, &Sorts { options }, &[rules])
}

/// One strategy as a pattern by itself, which keeps nothing between two ops. It writes kernels into the module that the op names:
/// the driver runs on an op around both.
pub(crate) fn pattern_of(strategy: &'static SortStrategy, options: LoweringOptions) -> Box<Match> {
    Box::new(move |op, rewriter| take(&Sorts { options: &options }, strategy, op, rewriter))
}

/// Sorts, replaced by kernels and their launches.
struct Sorts<'o> {
    options: &'o LoweringOptions,
}

/// Remarks of these passes.
const SORTS: Subject =
    Subject { category: "tile-sort", rule: "strategy", argument: "Strategy", arguments: "Strategies" };

/// The arguments of the remark: what the launches need.
fn arguments(rule: &str, plan: &SortPlan) -> Vec<(&'static str, String)> {
    let SortPlan { histogram, tile, workspace, .. } = plan;
    let [keys, values] = workspace.element_bytes;
    vec![
        ("Strategy", rule.to_owned()),
        ("Passes", plan.passes.to_string()),
        ("Tile", tile.elements().to_string()),
        ("Header", workspace.rows().to_string()),
        ("Words", ROW_BYTES.to_string()),
        ("KeyBytes", keys.to_string()),
        ("ValueBytes", values.to_string()),
        ("Threads", DIGITS.to_string()),
        ("Grid", "ceil(n / tile)".to_owned()),
        ("DynamicShared", tile.rooms().bytes.to_string()),
        ("HistogramThreads", sort::HISTOGRAM_THREADS.to_string()),
        ("HistogramGrid", format!("1 to {}", histogram.blocks)),
        ("HistogramShared", histogram.shared_bytes.to_string()),
        ("Wait", report::wait(plan.wait)),
    ]
}

impl PlanRequest for Sorts<'_> {
    type Problem = SortProblem;
    type Reading = SortReading;

    const SUBJECT: Subject = SORTS;

    fn read<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<SortReading, Unreadable<'c>> {
        Ok(read::read(SortOp(op), self.options).map_err(|error| error.to_string())?)
    }

    fn problem(reading: &SortReading) -> (&SortProblem, &Target) {
        (&reading.problem, &reading.target)
    }

    fn write<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        choice: Choice<'_, SortProblem, SortReading>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let Choice { rule, plan, reading, declines } = choice;
        if let Err(error) = lower::lower(Builder::before(rewriter, op), SortOp(op), reading, &plan) {
            Diagnostic::error(error.to_string()).emit(op);
            return false;
        }
        SORTS.declined(op, declines);
        SORTS.emit(op, RemarkKind::Passed, rule, &format!("sorted by {rule}"), &arguments(rule, &plan));
        rewriter.erase(op);
        true
    }
}
