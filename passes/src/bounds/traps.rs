//! `--tile-insert-bounds-traps`: what callers promise about run-time begins is checked at run time where it is not proved.

use melior::ir::{OperationRef, Value};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::{CopyOp, Offset};
use tile_ops::{Builder, cf, constant};
use tile_plan::bounds::Answer;

use super::{Check, say};
use crate::emit::{Cmp, Kit};
use crate::read::name;
use crate::read::ranges::Ranges;

/// Asserts, before every copy below the root, that its begins are in bounds, where that is not proved; `false`, after errors,
/// when one is proved to be out of bounds.
pub fn run(ir: &mut Ir<'_>, ranges: &Ranges<'_>) -> bool {
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        let builder = Builder::before(ir.rewriter(), op);
        let outcome = guard::quiet(|| copy(CopyOp(op), builder, ranges));
        complete &= outcome.unwrap_or_else(|text| {
            Diagnostic::error(format!("made the compiler fail: {text}")).emit(op);
            false
        });
    }
    complete
}

fn copy<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>, ranges: &Ranges<'_>) -> bool {
    let checked = super::of(copy, ranges);
    let mut complete = true;
    for check in &checked.checks {
        match &check.answer {
            Answer::Inside => {}
            Answer::Undecided(_) => assert(builder, copy.0, check),
            Answer::Leaves(witness) => {
                say::leaves(copy.0, &checked, check, witness);
                complete = false;
            }
        }
    }
    complete
}

/// Inserts a `cf.assert` that a region is inside where its predicate holds.
fn assert<'c: 'a, 'a>(builder: Builder<'c, 'a>, op: OperationRef<'c, 'a>, check: &Check<'c, 'a>) {
    let kit = Kit::new(builder);
    let (most, expected) = match check.most() {
        Some(most) => (constant::index(builder, most), format!("0 to {most}")),
        None => {
            let size = constant::index(builder, check.size());
            (kit.sub(check.extent.value(builder), size), format!("0 to its extent less {}", check.size()))
        }
    };
    let inside = inside(kit, check, most);
    let holds = check.predicate.map_or(inside, |predicate| kit.or(kit.not(predicate), inside));
    let (name, of, dimension) = (name(op), &check.of, check.dimension);
    let text = format!("{name}: the {of} begins out of bounds in dimension {dimension}, expected {expected}");
    cf::assert(builder, holds, &text).build();
}

fn inside<'c: 'a, 'a>(kit: Kit<'c, 'a>, check: &Check<'c, 'a>, most: Value<'c, 'a>) -> Value<'c, 'a> {
    match check.begin {
        Offset::Constant(begin) => kit.cmp(Cmp::Sge, most, constant::index(kit.builder, begin)),
        // A negative begin is a large unsigned one.
        Offset::Value(begin) if check.most().is_some() => kit.cmp(Cmp::Ule, begin, most),
        Offset::Value(begin) => {
            let zero = constant::index(kit.builder, 0);
            kit.and(kit.cmp(Cmp::Sge, begin, zero), kit.cmp(Cmp::Sge, most, begin))
        }
    }
}
