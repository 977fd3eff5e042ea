//! What copies cost the memories: a remark for each copy that is planned, and `--tile-report-memory`, which lists the copies that
//! cost more than their bytes need.

use melior::ir::OperationRef;
use tile_dialect::emit::{Diagnostic, RemarkKind, remarks_enabled};
use tile_dialect::ir::Ir;
use tile_dialect::ops::CopyOp;
use tile_plan::choose::SelectError;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::target::Target;
use tile_plan::traffic::Traffic;

use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::problem::Reader;
use crate::report::{COPIES, Subject};
use crate::walk;

/// Counted traffic: a category of its own, since one remark of it stands beside one about the choice.
const TRAFFIC: Subject =
    Subject { category: "tile-traffic", rule: "variant", argument: "Variant", arguments: "Variants" };

/// The remark of what a plan costs, named after its variant.
pub(crate) fn remark(op: OperationRef<'_, '_>, plan: &CopyPlan, problem: &Problem, target: &Target) {
    if !remarks_enabled(op, RemarkKind::Analysis, TRAFFIC.category) {
        return;
    }
    match Traffic::new(plan, problem, target) {
        Ok(traffic) => {
            TRAFFIC.emit(op, RemarkKind::Analysis, plan.variant(), &traffic.to_string(), &arguments(&traffic));
        }
        Err(why) => TRAFFIC.emit(op, RemarkKind::Analysis, plan.variant(), &format!("not counted: {why}"), &[]),
    }
}

fn arguments(traffic: &Traffic) -> Vec<(&'static str, String)> {
    let Traffic { requests, sectors, ideal_sectors, lines, wavefronts, ideal_wavefronts } = *traffic;
    let numbers = [
        ("Requests", requests),
        ("Sectors", sectors),
        ("IdealSectors", ideal_sectors),
        ("Lines", lines),
        ("Wavefronts", wavefronts),
        ("IdealWavefronts", ideal_wavefronts),
    ];
    numbers.into_iter().map(|(name, number)| (name, number.to_string())).collect()
}

/// Lists the `worst` copies at or below the root that cost more than they need, the worst first; `false`, after errors, where one
/// could not be planned.
pub fn report(ir: &mut Ir<'_>, options: &LoweringOptions, worst: usize) -> bool {
    let reader = Reader::new(options);
    let copies = walk::matching(ir.root(), CopyOp::is_name);
    let (total, mut complete, mut costly) = (copies.len(), true, Vec::new());
    for op in copies {
        match planned(op, &reader) {
            Some((plan, Some(traffic))) if traffic.excess() > 0 => costly.push((traffic.excess(), op, plan, traffic)),
            Some(_) => {}
            None => complete = false,
        }
    }
    costly.sort_by_key(|(excess, ..)| std::cmp::Reverse(*excess));
    let count = costly.len();
    for (place, (_, op, plan, traffic)) in (1..=worst).zip(&costly) {
        let text = format!("{place} of {count}: {} by {}: {}", name(*op), plan.variant(), traffic);
        Diagnostic::remark(text).emit(*op);
    }
    if costly.is_empty() && complete {
        let text = format!("none of {total} copies and fills costs more than its bytes need");
        Diagnostic::remark(text).emit(ir.root());
    }
    complete
}

/// What a copy costs; `None` where it cannot be planned, or an engine does it.
pub(crate) fn count(op: OperationRef<'_, '_>, options: &LoweringOptions) -> Option<Traffic> {
    let reading = Reader::new(options).read(CopyOp(op)).ok()?;
    let problem = inside(reading.problem);
    let (plan, _) = select(&problem, &reading.target).ok()?;
    Traffic::new(&plan, &problem, &reading.target).ok()
}

/// The problem of a masked copy whose region is inside.
fn inside(problem: Problem) -> Problem {
    Problem { mask: None, ..problem }
}

/// The plan of a copy, or of the part of a masked one that is inside, and what it costs; `None` after an error at the copy.
fn planned(op: OperationRef<'_, '_>, reader: &Reader<'_>) -> Option<(CopyPlan, Option<Traffic>)> {
    let reading = reader.read(CopyOp(op)).map_err(|unreadable| unreadable.emit(op)).ok()?;
    let problem = inside(reading.problem);
    match select(&problem, &reading.target) {
        Ok((plan, _)) => {
            let traffic = Traffic::new(&plan, &problem, &reading.target).ok();
            Some((plan, traffic))
        }
        Err(SelectError::Declined { declines, .. }) => {
            COPIES.refused(op, problem.forced.as_deref(), &declines);
            None
        }
        Err(error) => {
            Diagnostic::error(error.to_string()).emit(op);
            None
        }
    }
}
