//! `--tile-insert-bounds-traps`: what callers promise about run-time begins is checked at run time where it is not proved.

use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::{CopyOp, Offset};
use tile_ops::{Builder, cf, constant};
use tile_plan::bounds::{self, Answer, Question};
use tile_plan::contract::Denial;

use super::{Check, Checked, say};
use crate::contracts;
use crate::emit::{Cmp, Kit};
use crate::read::name;
use crate::read::ranges::Ranges;
use crate::read::run_time::{self, RunTime};

/// Asserts, before every copy below the root, that its begins are in bounds, where that is not proved; `false`, after errors,
/// when one is proved to be out of bounds.
///
/// All copies are checked before anything is inserted, so that the errors are those of `--tile-check-bounds`: what an assertion
/// implies for the copies after it spares assertions, but excuses none of these.
pub fn run(ir: &mut Ir<'_>, ranges: &Ranges<'_>) -> bool {
    let mut complete = true;
    let mut undecided = Vec::new();
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        match guarded(op, || decide(CopyOp(op), ranges)) {
            Some(Verdict::Inside) => {}
            Some(Verdict::Undecided) => undecided.push(op),
            Some(Verdict::Leaves) | None => complete = false,
        }
    }
    if !complete {
        return false;
    }
    for op in undecided {
        if let Some(by) = contracts::denier(op, Denial::Checks) {
            complete =
                contracts::report(op, by, &Denial::Checks.broken("begins or extents that are not proved", "none"));
            continue;
        }
        let builder = Builder::before(ir.rewriter(), op);
        complete &= guarded(op, || assert_all(CopyOp(op), builder, ranges)).is_some();
    }
    complete
}

/// The result; `None`, after an error, where the compiler fails.
fn guarded<R>(op: OperationRef<'_, '_>, work: impl FnOnce() -> R) -> Option<R> {
    let failed = |panicked| Diagnostic::error(panicked).emit(op);
    guard::quiet(work).map_err(failed).ok()
}

/// What is known of a copy.
enum Verdict {
    /// It stays inside its buffers.
    Inside,
    /// It may leave one.
    Undecided,
    /// It leaves one, which has been reported.
    Leaves,
}

fn decide(copy: CopyOp<'_, '_>, ranges: &Ranges<'_>) -> Verdict {
    let mut checked = super::checked(copy, ranges);
    let mut verdict = if limits(copy, &mut checked).is_empty() { Verdict::Inside } else { Verdict::Undecided };
    for check in &checked.checks {
        match (&check.answer, &verdict) {
            (Answer::Leaves(witness), _) => {
                say::leaves(copy.0, &checked, check, witness);
                verdict = Verdict::Leaves;
            }
            (Answer::Undecided(_), Verdict::Inside) => verdict = Verdict::Undecided,
            (Answer::Inside | Answer::Undecided(_), _) => {}
        }
    }
    verdict
}

/// Inserts an assertion for each check of a copy that what has been asserted before does not prove.
fn assert_all<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>, ranges: &Ranges<'_>) {
    let mut checked = super::checked(copy, ranges);
    for (which, dimension, extent) in limits(copy, &mut checked) {
        let holds = Kit::new(builder).cmp(Cmp::Sge, extent, constant::index(builder, 0));
        let text = format!("{}: the extent of the {which} in dimension {dimension} is negative", name(copy.0));
        cf::assert(builder, holds, &text).build();
    }
    checked.checks.iter().filter(|check| !matches!(check.answer, Answer::Inside)).for_each(|check| {
        assert(builder, copy.0, check);
    });
}

/// The run-time extents that limit a masked copy and are not proved to be at least 0, each with its side and dimension.
fn limits<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    checked: &mut Checked<'_, 'c, 'a>,
) -> Vec<(&'static str, usize, Value<'c, 'a>)> {
    let mut bounded: Vec<(&'static str, usize, Value<'c, 'a>)> = Vec::new();
    for (role, side) in copy.sides().into_iter().flatten().filter(|_| copy.masked()) {
        for (dimension, extent) in run_time::extents(side.value) {
            let RunTime::Value(extent) = extent else { continue };
            let (begin, end) = (checked.reading.question.terms.constant(0), checked.reading.term(extent));
            let question = Question { begin, extent: end, size: 0, ..checked.reading.question.clone() };
            let is_new = bounded.iter().all(|(.., known)| *known != extent);
            if is_new && !matches!(bounds::decide(&question), Answer::Inside) {
                bounded.push((role.name(), dimension, extent));
            }
        }
    }
    bounded
}

/// Inserts a `cf.assert` that a region is inside where its predicate holds.
fn assert<'c: 'a, 'a>(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>, check: &Check<'c, 'a>) {
    let kit = Kit::new(builder);
    let begin = || match check.begin {
        Offset::Constant(begin) => constant::index(builder, begin),
        Offset::Value(begin) => begin,
    };
    let (inside, expected) = match (check.most(), &check.extent) {
        (Some(most), _) => {
            // A negative begin is a large unsigned one.
            let most_value = constant::index(builder, most);
            (kit.cmp(Cmp::Ule, begin(), most_value), format!("0 to {most}"))
        }
        (None, Some(extent)) => {
            let most = kit.sub(extent.value(builder), constant::index(builder, check.size()));
            let ends = |begin| kit.cmp(Cmp::Sge, most, begin);
            let inside = match check.begin {
                Offset::Constant(_) => ends(begin()),
                Offset::Value(value) => kit.and(begins(kit, value), ends(value)),
            };
            (inside, format!("0 to its extent less {}", check.size()))
        }
        (None, None) => (begins(kit, begin()), "0 or more".to_owned()),
    };
    let holds = check.predicate.map_or(inside, |predicate| kit.or(kit.not(predicate), inside));
    let (name, region, dimension) = (name(op), &check.name, check.dimension);
    let text = format!("{name}: the {region} begins out of bounds in dimension {dimension}, expected {expected}");
    cf::assert(builder, holds, &text).build();
}

fn begins<'c: 'a, 'a>(kit: Kit<'c, 'a>, begin: Value<'c, 'a>) -> Value<'c, 'a> {
    kit.cmp(Cmp::Sge, begin, constant::index(kit.builder, 0))
}
