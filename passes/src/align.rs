//! `--tile-align-layouts`: each variant is one rewrite pattern of `tile.copy`, of `tile.copy_async` or of `tile.fill`.

use melior::ir::OperationRef;
use tile_dialect::ir::{Ir, Rewriter};
use tile_dialect::ops::CopyOp;
use tile_dialect::pattern::Match;
use tile_plan::contract::check_plan;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::in_vectors;
use tile_plan::families::variant::Variant;
use tile_plan::problem::threads::Active;
use tile_plan::problem::{Problem, Request as Planned};
use tile_plan::target::Target;
use tile_plan::variants;

use crate::choose::{Choice, PlanRequest, Rules, replace_all, take};
use crate::contracts;
use crate::edges;
use crate::families;
use crate::options::LoweringOptions;
use crate::pipeline;
use crate::read::problem::{ProblemReading, Reader};
use crate::read::{Unreadable, calls};
use crate::report::{self, COPIES, Subject};
use crate::traffic;
use crate::versions;
use tile_ops::Builder;

/// Replaces every `tile.copy`, `tile.copy_async` and `tile.fill` below the root; `false`, after errors, when one is left.
pub fn run(ir: &mut Ir<'_>, options: &LoweringOptions) -> bool {
    let copies = Copies { reader: Reader::new(options) };
    pipeline::warn_left(ir.root(), &copies.reader);
    let disagreeing = calls::disagreeing(ir.root(), &copies.reader);
    let agreed = disagreeing.is_empty();
    disagreeing.into_iter().for_each(|(call, unreadable)| unreadable.emit(call));
    let split = edges::split(ir, &copies.reader);
    let rules = Planned::ALL.map(|op| Rules { op: op.op(), rules: variants::by_request(op), makes: &families::MADE });
    let valid = contracts::are_valid(ir.root());
    valid && replace_all(ir, &copies, &rules) && agreed && split
}

/// Copies and fills, replaced by the ops of their plans.
struct Copies<'o> {
    reader: Reader<'o>,
}

impl PlanRequest for Copies<'_> {
    type Problem = Problem;
    type Reading = ProblemReading;

    const SUBJECT: Subject = COPIES;

    fn read<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<ProblemReading, Unreadable<'c>> {
        self.reader.read(CopyOp(op))
    }

    fn problem(reading: &ProblemReading) -> (&Problem, &Target) {
        (&reading.problem, &reading.target)
    }

    fn is_unreached(reading: &ProblemReading) -> bool {
        matches!(&reading.problem.threads.active, Active::Known(threads) if threads.is_empty())
    }

    fn write<'c, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        choice: Choice<'_, Problem, ProblemReading>,
        rewriter: Rewriter<'c, 'a>,
    ) -> bool {
        replace(CopyOp(op), choice, rewriter)
    }
}

/// Replaces a copy by the ops of its plan, and reports what was decided; `false` after an error at the copy.
fn replace<'c, 'a>(
    copy: CopyOp<'c, 'a>,
    choice: Choice<'_, Problem, ProblemReading>,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    let Choice { rule, plan, reading, declines } = choice;
    if !contracts::keeps(copy.0, |is_denied| check_plan(&plan, &reading.problem, &reading.target, is_denied), declines)
    {
        return false;
    }
    let builder = Builder::before(rewriter, copy.0);
    let Some(family) = families::family(&plan) else { return false };
    if family.build(builder, copy, &plan).is_none() {
        return false;
    }
    families::complete(family, builder, copy);
    if let Some(issuers) = reading.issuers.filter(|&issuers| issuers > 1 && family.is_issued_whole()) {
        report::issued_by_many(copy.0, issuers);
    }
    COPIES.declined(copy.0, declines);
    if rule != plan.variant() {
        report::done_by(copy.0, rule, &plan);
    }
    family.remark_chosen(copy.0, &plan);
    traffic::remark(copy.0, &plan, &reading.problem, &reading.target);
    if let Some(plan) = in_vectors(&plan, &reading.problem, &reading.target) {
        versions::offer(copy, &plan, reading);
    }
    if let CopyPlan::TensorMap(plan) = &plan {
        families::tensor_map::remark_boxes(copy, plan, (&reading.problem, &reading.target));
    }
    if let (CopyPlan::Scalar(plan), None) = (&plan, copy.variant()) {
        report::fell_back(copy.0, plan, declines);
    }
    rewriter.erase(copy.0);
    true
}

/// One variant as a pattern by itself, which keeps nothing between two copies.
pub(crate) fn pattern_of(variant: &'static dyn Variant, options: LoweringOptions) -> Box<Match> {
    Box::new(move |op, rewriter| take(&Copies { reader: Reader::new(&options) }, variant, op, rewriter))
}
