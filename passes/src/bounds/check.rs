//! `--tile-check-bounds`: which copies stay inside their buffers, which leave them, and what is missing for a proof.

use tile_dialect::emit::{Diagnostic, RemarkKind};
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::CopyOp;
use tile_plan::bounds::Answer;

use super::say;
use crate::read::ranges::Ranges;
use crate::report;

/// Looks at every copy below the root; `false`, after errors, when one leaves its buffer, or, where that is asked for, when
/// one is not proved to be inside.
pub fn run(ir: &Ir<'_>, ranges: &Ranges<'_>, strict: bool) -> bool {
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        let outcome = guard::quiet(|| copy(CopyOp(op), ranges, strict));
        complete &= outcome.unwrap_or_else(|text| {
            Diagnostic::error(format!("made the compiler fail: {text}")).emit(op);
            false
        });
    }
    complete
}

fn copy(copy: CopyOp<'_, '_>, ranges: &Ranges<'_>, strict: bool) -> bool {
    let checked = super::of(copy, ranges);
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
