//! Do the regions of copies stay inside their buffers? Asked of each copy, and of the parts of buffers that it is of.
//!
//! `--tile-check-bounds` says which copies stay inside, which leave, and what is missing for a proof; `--tile-insert-bounds-traps`
//! asserts what is not proved while the kernel runs.

mod say;
pub mod traps;

use melior::ir::Value;
use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::{CopyOp, Offset, Operand};
use tile_layout::OPEN;
use tile_plan::bounds::{Answer, Question, decide};

use crate::read::ranges::Ranges;
use crate::read::root;
use crate::read::run_time::{self, RunTime};
use crate::read::terms::Reading;
use crate::report;

/// Looks at every copy below the root; `false`, after errors, when one leaves its buffer, or, where that is asked for, when
/// one is not proved to be inside.
pub fn check(ir: &Ir<'_>, ranges: &Ranges<'_>, strict: bool) -> bool {
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        let outcome = guard::quiet(|| check_copy(CopyOp(op), ranges, strict));
        complete &= outcome.unwrap_or_else(|text| {
            Diagnostic::error(format!("made the compiler fail: {text}")).emit(op);
            false
        });
    }
    complete
}

fn check_copy(copy: CopyOp<'_, '_>, ranges: &Ranges<'_>, strict: bool) -> bool {
    let checked = of(copy, ranges);
    let mut complete = true;
    let mut proved = 0;
    for check in &checked.checks {
        match &check.answer {
            Answer::Inside => proved += 1,
            Answer::Leaves(witness) => {
                say::leaves(copy.0, &checked, check, witness);
                complete = false;
            }
            Answer::Undecided(doubt) => {
                say::undecided(copy.0, &checked, check, doubt, strict);
                complete &= !strict;
            }
        }
    }
    if proved == checked.checks.len() && report::is_heard(copy.0, RemarkKind::Passed) {
        let args = [("Proved", format!("{proved} of {proved}"))];
        report::emit(copy.0, RemarkKind::Passed, "in-bounds", "stays inside its buffers", &args);
    }
    complete
}

/// A dimension of a region that may leave its buffer.
pub(crate) struct Check<'c, 'a> {
    /// Of what it is a region: the source, the destination, or what a view of these is a part of.
    pub of: String,
    /// The buffer that it is a region of.
    pub side: Operand<'c, 'a>,
    /// The dimension.
    pub dimension: usize,
    /// Where it begins.
    pub begin: Offset<'c, 'a>,
    /// How far the buffer goes.
    pub extent: RunTime<'c, 'a>,
    /// Set for all threads that copy.
    pub predicate: Option<Value<'c, 'a>>,
    /// What was found out.
    pub answer: Answer,
}

impl Check<'_, '_> {
    /// How many elements the region has.
    pub fn size(&self) -> i64 {
        self.side.region.sizes[self.dimension]
    }

    /// The largest begin that is inside, where that is known.
    pub fn most(&self) -> Option<i64> {
        let extent = self.side.buffer.shape()[self.dimension];
        (extent != OPEN).then(|| extent.saturating_sub(self.size()))
    }
}

/// The checks of a copy, and what the run computes around it.
pub(crate) struct Checked<'r, 'c, 'a> {
    /// What was read.
    pub reading: Reading<'r, 'c, 'a>,
    /// One for each dimension that is not inside whatever it is.
    pub checks: Vec<Check<'c, 'a>>,
}

/// Finds out about all regions of a copy.
pub(crate) fn of<'r, 'c: 'a, 'a>(copy: CopyOp<'c, 'a>, ranges: &'r Ranges<'r>) -> Checked<'r, 'c, 'a> {
    let mut checked = Checked { reading: Reading::of(copy.0, ranges), checks: Vec::new() };
    let (Some(src), Some(dst)) = (copy.src(), copy.dst()) else { return checked };
    // A thread that takes no part begins nowhere; with `fill` it still writes.
    let predicate = copy.predicate();
    let of_destination = if copy.zero_fills() { None } else { predicate };
    // Both sides of a tile.fill are what it fills.
    let read = (!copy.fills()).then_some(("source", src, predicate));
    for (which, side, predicate) in read.into_iter().chain([("destination", dst, of_destination)]) {
        // A mask is about the buffer that the copy names; a part of another one is inside that.
        if !copy.masked() {
            checked.side(which, &side, predicate);
        }
        for part in root::parts(side.value) {
            checked.side(&format!("view of the {which}"), &part, predicate);
        }
    }
    checked
}

impl<'c: 'a, 'a> Checked<'_, 'c, 'a> {
    fn side(&mut self, of: &str, side: &Operand<'c, 'a>, predicate: Option<Value<'c, 'a>>) {
        let open = run_time::extents(side.value);
        for (dimension, (&begin, &extent)) in side.region.offsets.iter().zip(side.buffer.shape()).enumerate() {
            let extent = match extent {
                OPEN => open.iter().find(|(of, _)| *of == dimension).map(|(_, extent)| extent.clone()),
                // The verifier compares numbers.
                extent => matches!(begin, Offset::Value(_)).then_some(RunTime::Constant(extent)),
            };
            let Some(extent) = extent else { continue };
            let (of, side, answer) = (of.to_owned(), side.clone(), Answer::Inside);
            let mut check = Check { of, side, dimension, begin, extent, predicate, answer };
            check.answer = decide(&self.question(&check));
            self.checks.push(check);
        }
    }

    /// What is asked of one dimension.
    fn question(&mut self, check: &Check<'c, 'a>) -> Question {
        let begin = match check.begin {
            Offset::Constant(begin) => self.reading.question.terms.constant(begin),
            Offset::Value(value) => self.reading.term(value),
        };
        let extent = self.reading.number(&check.extent);
        self.reading.is_extent(extent);
        let condition = check.predicate.map(|predicate| (self.reading.term(predicate), true));
        let mut question = Question { begin, extent, size: check.size(), ..self.reading.question.clone() };
        question.conditions.extend(condition);
        question
    }
}
