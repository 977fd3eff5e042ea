//! `--lower-tile-scan`: each strategy is one rewrite pattern.
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the problem that a `tile.scan` poses |
//! | [`lower`] | kernels and launches for the plan |
//! | [`report`] | remarks and errors |
//! | [`host`], [`module`] | launches; the module and its functions |
//! | [`kernel`], [`element`], [`operator`] | values that the code of a kernel shares |
//! | [`transfer`], [`local`] | loading a tile into registers and storing it; its scan there |
//! | [`work`] | what blocks with one tile do with it, around the exchange of sums |
//! | [`state`], [`lookback`], [`search`] | the states that blocks publish to each other |
//! | [`register`], [`ring`], [`passes`], [`serial`] | the kernels |

pub(crate) mod host;
pub(crate) mod kernel;
pub(crate) mod local;
mod lookback;
mod lower;
pub(crate) mod module;
pub(crate) mod operator;
mod passes;
pub(crate) mod read;
pub(crate) mod register;
pub(crate) mod report;
pub(crate) mod ring;
mod search;
mod serial;
pub(crate) mod state;
pub(crate) mod transfer;
pub(crate) mod work;

use melior::ir::OperationRef;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::ScanOp;
use tile_dialect::pattern::Match;
use tile_ops::{builtin, gpu};
use tile_plan::scan::Problem;
use tile_plan::scan::strategies::{self, Strategy};
use tile_plan::target::Target;

use crate::choose::{Choice, PlanRequest, Rules, replace_all, take};
use crate::options::LoweringOptions;
use crate::read::kernel::ancestors;
use crate::read::{Unreadable, name};
use crate::report::Subject;
use lower::Lowering;
use read::ScanReading;
use tile_ops::Builder;

/// Replaces every `tile.scan` below the root; `false`, after errors, if one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    if !are_modules_inside(ir, ScanOp::NAME) {
        return false;
    }
    let rules = Rules { op: ScanOp::NAME, rules: strategies::all(), makes: &MADE };
    replace_all(ir, &Scans { options }, &[rules])
}

/// Some of what scans become.
pub(crate) const MADE: [&str; 1] = [gpu::LaunchFuncOp::NAME];

/// One strategy as a pattern by itself, which keeps nothing between two scans. It writes kernels into the module that the scan
/// names: the driver runs on an op around both.
pub(crate) fn pattern_of(strategy: &'static Strategy, options: LoweringOptions) -> Box<Match> {
    Box::new(move |op, rewriter| take(&Scans { options: &options }, strategy, op, rewriter))
}

/// Whether the modules that receive the kernels of all ops of that name are inside the op that the pass runs on. If not, reports
/// an error at the op: other threads may be changing the module.
pub(crate) fn are_modules_inside(ir: &Ir<'_>, op_name: &str) -> bool {
    let root = ir.root();
    let is_inside = |op: OperationRef<'_, '_>| {
        let inside = ancestors(op).take_while(|&op| name(op) != builtin::ModuleOp::NAME).all(|op| op != root);
        if !inside {
            let text = format!(
                "becomes kernels in a gpu.module beside the '{}' that the pass runs on, expected the pass on the module \
                 around both: builtin.module(lower-tile-scan)",
                name(root)
            );
            Diagnostic::error(text).emit(op);
        }
        inside
    };
    crate::walk::named(root, op_name).into_iter().filter(|&op| !is_inside(op)).count() == 0
}

/// Scans, replaced by kernels and their launches.
struct Scans<'o> {
    options: &'o LoweringOptions,
}

impl PlanRequest for Scans<'_> {
    type Problem = Problem;
    type Reading = ScanReading;

    const SUBJECT: Subject = report::SCANS;

    fn read<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<ScanReading, Unreadable<'c>> {
        Ok(read::read(ScanOp(op), self.options)?)
    }

    fn problem(reading: &ScanReading) -> (&Problem, &Target) {
        (&reading.problem, &reading.target)
    }

    fn write<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        choice: Choice<'_, Problem, ScanReading>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        let Choice { rule, plan, reading, declines } = choice;
        let (builder, scan) = (Builder::before(rewriter, op), ScanOp(op));
        let lowering = Lowering { builder, op: scan, alignment: reading.problem.alignment, target: reading.target };
        if let Err(reason) = lowering.run(&plan) {
            Diagnostic::error(reason).emit(op);
            return false;
        }
        report::SCANS.declined(op, declines);
        report::remark_chosen(op, rule, &plan);
        rewriter.erase(op);
        true
    }
}
