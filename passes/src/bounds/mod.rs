//! Whether the regions of copies stay inside their buffers: checked for each copy, and for the parts of buffers that it works on.
//!
//! `--tile-check-bounds` reports which copies stay inside, which leave, and what is missing for a proof;
//! `--tile-insert-bounds-traps` asserts at run time what is not proved.

mod say;
pub mod traps;

use std::ops::Range;

use melior::ir::Value;
use tile_dialect::emit::RemarkKind;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::{CopyOp, Offset, Operand};
use tile_layout::OPEN;
use tile_plan::bounds::{Answer, Question, decide};
use tile_plan::problem::role::Role;

use crate::read::ranges::Ranges;
use crate::read::reading::SurroundingsReader;
use crate::read::root;
use crate::read::run_time::{self, RunTime};
use crate::read::tensor_map;
use crate::report;

/// Checks every copy below the root; `false`, after errors, when one leaves its buffer or, if `strict`, when one is not proved to
/// be inside.
pub fn check(ir: &Ir<'_>, ranges: &Ranges<'_>, strict: bool) -> bool {
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        complete &= guard::on_op(op, false, || check_copy(CopyOp(op), ranges, strict));
    }
    complete
}

fn check_copy(copy: CopyOp<'_, '_>, ranges: &Ranges<'_>, strict: bool) -> bool {
    let checked = checked(copy, ranges);
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
    if proved == checked.checks.len() && report::is_remark_enabled(copy.0, RemarkKind::Passed) {
        let args = [("Proved", format!("{proved} of {proved}"))];
        report::emit(copy.0, RemarkKind::Passed, "in-bounds", "stays inside its buffers", &args);
    }
    complete
}

/// A dimension of a region that may leave its buffer.
pub(crate) struct Check<'c, 'a> {
    /// What it is a region of: the source, the destination, or a view of one of these.
    pub name: String,
    /// The buffer that it is a region of.
    pub side: Operand<'c, 'a>,
    /// The dimension.
    pub dimension: usize,
    /// The start of the region.
    pub begin: Offset<'c, 'a>,
    /// The extent of the buffer; `None` where the region only has to begin inside.
    pub extent: Option<RunTime<'c, 'a>>,
    /// A condition that is true for all threads that copy.
    pub predicate: Option<Value<'c, 'a>>,
    /// The result of the check.
    pub answer: Answer,
}

impl Check<'_, '_> {
    /// The number of elements of the region in this dimension.
    pub fn size(&self) -> i64 {
        self.side.region.sizes[self.dimension]
    }

    /// The largest begin that is inside, where that is known.
    pub fn most(&self) -> Option<i64> {
        let extent = self.side.buffer.shape()[self.dimension];
        (extent != OPEN && self.extent.is_some()).then(|| extent.saturating_sub(self.size()))
    }
}

/// Where a region may leave its buffer in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaves {
    /// It has to be inside.
    Nowhere,
    /// It has to begin inside.
    AtTheEnd,
    /// At both ends.
    Anywhere,
}

/// The checks of a copy, and what is computed around it at run time.
pub(crate) struct Checked<'r, 'c, 'a> {
    /// The terms and conditions that were read.
    pub reading: SurroundingsReader<'r, 'c, 'a>,
    /// One for each dimension that the verifier has not decided.
    pub checks: Vec<Check<'c, 'a>>,
}

/// Checks all regions of a copy.
pub(crate) fn checked<'r, 'c: 'a, 'a>(copy: CopyOp<'c, 'a>, ranges: &'r Ranges<'r>) -> Checked<'r, 'c, 'a> {
    let mut checked = Checked { reading: SurroundingsReader::of(copy.0, ranges), checks: Vec::new() };
    for (role, side) in copy.sides().into_iter().flatten() {
        // A thread whose predicate is false begins nowhere; with `fill` it still writes.
        let predicate = copy.predicate().filter(|_| role == Role::Src || !copy.zero_fills());
        // A mask bounds the buffer that the copy names; where that is a part of another buffer, the part has to be inside.
        let leaves = |dimension| match copy.masked() {
            false => Leaves::Nowhere,
            true if tensor_map::begins_inside(copy, role, dimension) => Leaves::AtTheEnd,
            true => Leaves::Anywhere,
        };
        checked.side(role.name(), &side, &copy.rows_of(role), predicate, &leaves);
        for part in root::parts(side.value) {
            checked.side(&format!("view of the {role}"), &part, &[], predicate, &|_| Leaves::Nowhere);
        }
    }
    checked
}

impl<'c: 'a, 'a> Checked<'_, 'c, 'a> {
    /// The dimensions of one side, whose rows may be named by their numbers.
    fn side(
        &mut self,
        name: &str,
        side: &Operand<'c, 'a>,
        rows: &[Value<'c, 'a>],
        predicate: Option<Value<'c, 'a>>,
        leaves: &dyn Fn(usize) -> Leaves,
    ) {
        let checked = |range: Range<usize>| range.map(|dimension| (dimension, leaves(dimension)));
        for &row in rows {
            let mut one = side.clone();
            (one.region.offsets[0], one.region.sizes[0]) = (Offset::Value(row), 1);
            self.dimensions(name, &one, checked(0..1), predicate);
        }
        let first = usize::from(!rows.is_empty());
        self.dimensions(name, side, checked(first..side.region.sizes.len()), predicate);
    }

    fn dimensions(
        &mut self,
        name: &str,
        side: &Operand<'c, 'a>,
        dimensions: impl Iterator<Item = (usize, Leaves)>,
        predicate: Option<Value<'c, 'a>>,
    ) {
        let open = run_time::extents(side.value);
        for (dimension, leaves) in dimensions {
            let (begin, extent) = (side.region.offsets[dimension], side.buffer.shape()[dimension]);
            let end = match extent {
                OPEN => open.iter().find(|open| open.0 == dimension).map(|(_, extent)| extent.clone()),
                // The verifier compares constants.
                extent => matches!(begin, Offset::Value(_)).then_some(RunTime::Constant(extent)),
            };
            let extent = match (leaves, end) {
                (Leaves::Anywhere, _) | (Leaves::Nowhere, None) => continue,
                (Leaves::AtTheEnd, _) => None,
                (Leaves::Nowhere, end) => end,
            };
            let (name, side, answer) = (name.to_owned(), side.clone(), Answer::Inside);
            let mut check = Check { name, side, dimension, begin, extent, predicate, answer };
            check.answer = decide(&self.question(&check));
            self.checks.push(check);
        }
    }

    /// The question about one dimension.
    fn question(&mut self, check: &Check<'c, 'a>) -> Question {
        let begin = match check.begin {
            Offset::Constant(begin) => self.reading.question.terms.constant(begin),
            Offset::Value(value) => self.reading.term(value),
        };
        let (extent, size) = match &check.extent {
            Some(extent) => {
                let extent = self.reading.number(extent);
                self.reading.is_extent(extent);
                (extent, check.size())
            }
            // What ends nowhere is inside from 0 on.
            None => (begin, 0),
        };
        let condition = check.predicate.map(|predicate| (self.reading.term(predicate), true));
        let mut question = Question { begin, extent, size, ..self.reading.question.clone() };
        question.conditions.extend(condition);
        question
    }
}
