//! `--tile-schedule-products`: products that state no schedule get one, as [`tile_plan::linalg::choice`] or a record says.

use std::io::Write;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::{MlirOperation, MlirStringRef};
use thiserror::Error;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::ir::Rewriter;
use tile_dialect::{Ctx, SCHEDULE, schedule_of, schedule_of_text};
use tile_isa::NumberFormat;
use tile_plan::linalg::{LinalgForm, LinalgRefusal, ProductCandidate, ProductChoice, ProductProblem, ProductRecord};
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::Target;

use super::{product, read};
use crate::diagnostics::location;
use crate::options::LoweringOptions;
use crate::read::error::ReadError;
use crate::read::{kernel, name, target};
use crate::shim::{PassOptions, text};
use crate::{bridge, report, shim, walk};

#[unsafe(no_mangle)]
extern "C" fn tileScheduleProducts(op: MlirOperation, options: PassOptions, record: MlirStringRef) -> bool {
    // SAFETY: C++ passes a string that outlives the call.
    let record = unsafe { text(record) };
    bridge::pass(op, options, |ir, options| {
        target::retarget(ir, options);
        let (root, rewriter) = (ir.root(), ir.rewriter());
        let records = match records(record) {
            Ok(records) => records,
            Err(error) => {
                Diagnostic::error(error.to_string()).emit(root);
                return false;
            }
        };
        for op in unscheduled(root) {
            match choose(op, options, (record, &records)) {
                Ok(Some(schedule)) if state(op, &schedule, rewriter) => {}
                Ok(Some(schedule)) => {
                    let text = format!("has {schedule} in a record, expected #tile.schedule<…>");
                    Diagnostic::error(text).emit(op);
                    return false;
                }
                Ok(None) => {}
                Err(refusal) => {
                    let text = format!("{} gets no schedule", name(op));
                    let detail = [("Reason", refusal.to_string())];
                    report::emit(op, RemarkKind::Missed, refusal.name(), &text, &detail);
                }
            }
        }
        true
    })
}

/// The structured ops that state no schedule, in textual order.
fn unscheduled<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let is_open = |op: &OperationRef<'_, '_>| shim::structured(*op).is_some() && matches!(schedule_of(*op), Ok(None));
    walk::matching(root, |_| true).into_iter().filter(is_open)
}

/// Why there are no records.
#[derive(Debug, Error)]
enum ProductRecordError {
    #[error("cannot read the record {file}: {error}")]
    File { file: String, error: std::io::Error },
    #[error("{file}, line {line}: {error}, expected a measured time of a product")]
    Line { file: String, line: usize, error: serde_json::Error },
}

/// The records of a file; none without a name.
///
/// # Errors
/// The file cannot be read, or a line is no record.
fn records(file: &str) -> Result<Vec<ProductRecord>, ProductRecordError> {
    if file.is_empty() {
        return Ok(Vec::new());
    }
    let text =
        std::fs::read_to_string(file).map_err(|error| ProductRecordError::File { file: file.to_owned(), error })?;
    ProductRecord::of_lines(&text, |line| serde_json::from_str(line))
        .map_err(|(line, error)| ProductRecordError::Line { file: file.to_owned(), line, error })
}

/// States the schedule that a text has; `false` where it has none, and the op is left as it was.
fn state<'c>(op: OperationRef<'c, '_>, schedule: &str, rewriter: Rewriter<'c, '_>) -> bool {
    let Some(schedule) = schedule_of_text(Ctx::of(op), schedule) else { return false };
    rewriter.set_attribute(op, SCHEDULE, schedule);
    let is_stated = matches!(schedule_of(op), Ok(Some(_)));
    if !is_stated {
        rewriter.remove_attribute(op, SCHEDULE);
    }
    is_stated
}

/// The schedule of a product, as programs write it; `None` for another op.
fn choose(
    op: OperationRef<'_, '_>,
    options: &LoweringOptions,
    (file, records): (&str, &[ProductRecord]),
) -> Result<Option<String>, LinalgRefusal> {
    let Some((problem, target)) = problem(op, options.chip.as_ref())? else { return Ok(None) };
    if let Some(schedule) = recorded(op, &problem, &target, (file, records)) {
        return Ok(Some(schedule));
    }
    let choices = problem.choices(&target).map_err(LinalgRefusal::Product)?;
    report_choice(op, &choices);
    Ok(choices.first().map(|choice| choice.schedule.to_string()))
}

/// A whole product, and the chip that it is compiled for; `None` for another op.
fn problem(op: OperationRef<'_, '_>, chip: Option<&Target>) -> Result<Option<(ProductProblem, Target)>, LinalgRefusal> {
    let Some(Ok(reading)) = read::on_any(op) else { return Ok(None) };
    let Some(factors) = reading.factors() else { return Ok(None) };
    let LinalgForm::Product(loops) = reading.structured.form()? else { return Ok(None) };
    let problem = ProductProblem {
        size: [loops.m, loops.n, loops.k].map(|number| reading.structured.extents[number]),
        sources: product::sources(&reading, loops),
        ..product::problem(&reading, factors, 0)?
    };
    let no_chip = |error: ReadError| LinalgRefusal::Product(Refusal::new("schedule-no-speeds", error.to_string()));
    let target = target::resolve(op, chip).map_err(no_chip)?;
    Ok(Some((problem, target)))
}

#[unsafe(no_mangle)]
extern "C" fn tileListProducts(op: MlirOperation, options: PassOptions, most: u32) -> bool {
    bridge::pass(op, options, |ir, options| {
        for op in unscheduled(ir.root()) {
            match candidates(op, options.chip.as_ref(), most as usize) {
                Ok(candidates) => candidates.iter().for_each(print),
                Err(refusal) => Diagnostic::warning(format!("{} gets no schedule: {refusal}", name(op))).emit(op),
            }
        }
        true
    })
}

/// Prints a line. Whoever closes the pipe has read enough.
fn print(candidate: &ProductCandidate) {
    let _ = serde_json::to_string(candidate).map(|line| writeln!(std::io::stdout(), "{line}"));
}

/// The schedules of a product that are worth timing, the fastest first; none for another op.
fn candidates(
    op: OperationRef<'_, '_>,
    chip: Option<&Target>,
    most: usize,
) -> Result<Vec<ProductCandidate>, LinalgRefusal> {
    let Some((problem, target)) = problem(op, chip)? else { return Ok(Vec::new()) };
    let place = location(op.location()).map(|place| place.to_string()).unwrap_or_default();
    let candidate = |choice: ProductChoice| ProductCandidate {
        function: kernel::function(op).map(kernel::symbol).unwrap_or_default(),
        place: place.clone(),
        chip: target.name(),
        size: problem.size,
        elements: problem.numbers.map(|number| number.name().to_owned()),
        schedule: choice.schedule.to_string(),
        estimate: (choice.estimate.total * 10.0).round() / 10.0,
    };
    let choices = problem.best_choices(&target, most).map_err(LinalgRefusal::Product)?;
    Ok(choices.into_iter().map(candidate).collect())
}

/// The schedule that was fastest of what a record has; a remark says which, or that there is none.
fn recorded(
    op: OperationRef<'_, '_>,
    problem: &ProductProblem,
    target: &Target,
    (file, records): (&str, &[ProductRecord]),
) -> Option<String> {
    if file.is_empty() {
        return None;
    }
    let ([m, n, k], elements) = (problem.size, problem.numbers.map(NumberFormat::name));
    let Some(record) = ProductRecord::best(records, &target.name(), problem.size, elements) else {
        let reason = format!("{file} has no time of {m}x{n}x{k} of {} for {target}", elements.join(", "));
        let cause = "schedule-not-recorded";
        report::emit(op, RemarkKind::Missed, cause, "is scheduled by the model", &[("Reason", reason)]);
        return None;
    };
    let ProductRecord { gpu, date, schedule, measured, .. } = record;
    let detail = [("Schedule", schedule.clone()), ("Time", format!("{measured} us on {gpu}, {date}"))];
    report::emit(op, RemarkKind::Passed, "product-recorded", "has the schedule of a record", &detail);
    Some(schedule.clone())
}

fn report_choice(op: OperationRef<'_, '_>, choices: &[ProductChoice]) {
    let time = |choice: &ProductChoice| format!("{:.1} us", choice.estimate.total);
    let Some(best) = choices.first() else { return };
    let mut detail = vec![
        ("Schedule", best.schedule.to_string()),
        ("Estimate", format!("{}, {} waves, bound by {}", time(best), best.estimate.waves, best.estimate.bound())),
    ];
    detail.extend(choices.get(1).map(|next| ("RunnerUp", format!("{}: {}", next.schedule, time(next)))));
    report::emit(
        op,
        RemarkKind::Passed,
        "product-scheduled",
        "has the schedule with the least estimated time",
        &detail,
    );
}
