//! `--tile-insert-bounds-traps`: what callers promise about run-time begins, checked while the kernel runs.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::Ir;
use tile_dialect::ops::{CopyOp, Offset, Operand, defining_op, string};
use tile_layout::OPEN;
use tile_ops::{Builder, cf, constant};
use tile_plan::bounds::{Bounds, KnownBegin, bounds};

use crate::emit::{Cmp, Kit};
use crate::options::Options;
use crate::read::problem::Reader;
use crate::read::ranges::Ranges;
use crate::read::{divisibility, name, root, run_time, values};

/// Asserts, before every copy below the root, what is not proved of its begins; `false`, after errors, when one is proved
/// to be out of bounds.
pub fn run(ir: &mut Ir<'_>, ranges: &Ranges<'_>) -> bool {
    let options = Options::default();
    let mut traps = Traps { reader: Reader::new(&options), ranges, asserted: HashMap::new() };
    let mut complete = true;
    for op in crate::walk::matching(ir.root(), CopyOp::is_name) {
        let builder = Builder::before(ir.rewriter(), op);
        let outcome = guard::quiet(|| traps.copy(CopyOp(op), builder));
        complete &= outcome.unwrap_or_else(|text| {
            Diagnostic::error(format!("made the compiler fail: {text}")).emit(op);
            false
        });
    }
    complete
}

/// Finds out, and asserts, what is needed.
struct Traps<'t> {
    reader: Reader<'t>,
    ranges: &'t Ranges<'t>,
    /// The largest begin that is asserted already, by block and value: later ops of the block rely on it.
    asserted: HashMap<(usize, usize), i64>,
}

impl Traps<'_> {
    fn copy<'c: 'a, 'a>(&mut self, copy: CopyOp<'c, 'a>, builder: Builder<'c, 'a>) -> bool {
        if copy.masked() {
            return true;
        }
        let (Some(src), Some(dst)) = (copy.src(), copy.dst()) else { return true };
        // A thread that takes no part begins nowhere; with `fill` it still writes.
        let predicate = copy.predicate();
        let of_destination = if string(copy.0, "fill").is_some() { None } else { predicate };
        let sides = [("source", src, predicate), ("destination", dst, of_destination)];
        let mut complete = true;
        for (which, side, predicate) in &sides[usize::from(copy.fills())..] {
            complete &= self.side(copy.0, which, side, *predicate, builder);
            for part in root::parts(side.value) {
                complete &= self.side(copy.0, &format!("view of the {which}"), &part, *predicate, builder);
            }
        }
        complete
    }

    fn side<'c: 'a, 'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        which: &str,
        side: &Operand<'c, 'a>,
        predicate: Option<Value<'c, 'a>>,
        builder: Builder<'c, 'a>,
    ) -> bool {
        let mut complete = true;
        open_dimensions(op, which, side, predicate, builder);
        let dimensions = side.region.offsets.iter().zip(&side.region.sizes).zip(side.buffer.shape());
        for (dimension, ((offset, &size), &limit)) in dimensions.enumerate() {
            let (&Offset::Value(begin), true) = (offset, limit != OPEN) else { continue };
            match bounds(&self.known(op, begin), size, limit) {
                Bounds::Inside => {}
                Bounds::Outside { most, .. } if predicate.is_some() => {
                    assert(builder, op, which, dimension, most, begin, predicate);
                }
                outside @ Bounds::Outside { .. } => {
                    report(op, which, dimension, side, outside);
                    complete = false;
                }
                Bounds::UpTo(most) => {
                    let place = (op.block().map_or(0, |block| block.to_raw().ptr as usize), values::key(begin));
                    let known = self.asserted.get(&place).is_some_and(|&asserted| asserted <= most);
                    if !known {
                        assert(builder, op, which, dimension, most, begin, predicate);
                    }
                    if predicate.is_none() && !known {
                        self.asserted.insert(place, most);
                    }
                }
            }
        }
        complete
    }

    fn known(&self, op: OperationRef<'_, '_>, begin: Value<'_, '_>) -> KnownBegin {
        let found = divisibility::of(begin);
        let (divisor, residue) = found.parts();
        let range = found.constant().map_or_else(|| self.ranges.of(begin), |constant| (constant, constant));
        // What keeps the function from being read is an error of the passes that lower the copy.
        let threads = self.reader.in_threads(op, begin).unwrap_or_default();
        KnownBegin { threads, range, divisor, residue }
    }
}

/// Asserts that a region is inside where only the run knows how far the buffer goes.
fn open_dimensions<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    which: &str,
    side: &Operand<'c, 'a>,
    predicate: Option<Value<'c, 'a>>,
    builder: Builder<'c, 'a>,
) {
    let kit = Kit::new(builder);
    for (dimension, extent) in run_time::extents(side.value) {
        let (offset, size) = (side.region.offsets[dimension], side.region.sizes[dimension]);
        let most = kit.sub(extent.value(builder), constant::index(builder, size));
        let zero = constant::index(builder, 0);
        let inside = match offset {
            Offset::Constant(begin) => kit.cmp(Cmp::Sge, most, constant::index(builder, begin)),
            Offset::Value(begin) => kit.and(kit.cmp(Cmp::Sge, begin, zero), kit.cmp(Cmp::Sge, most, begin)),
        };
        let holds = predicate.map_or(inside, |predicate| kit.or(kit.not(predicate), inside));
        let text = format!(
            "{}: the {which} begins out of bounds in dimension {dimension}, expected 0 to its extent less {size}",
            name(op)
        );
        cf::assert(builder, holds, &text).build();
    }
}

/// `cf.assert` that a begin is from 0 to `most` where `predicate` holds.
fn assert<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    which: &str,
    dimension: usize,
    most: i64,
    begin: Value<'c, 'a>,
    predicate: Option<Value<'c, 'a>>,
) {
    let kit = Kit::new(builder);
    // A negative begin is a large one without its sign.
    let mut holds = kit.cmp(Cmp::Ule, begin, constant::index(builder, most));
    if let Some(predicate) = predicate {
        holds = kit.or(kit.not(predicate), holds);
    }
    let text = format!("{}: the {which} begins out of bounds in dimension {dimension}, expected 0 to {most}", name(op));
    cf::assert(builder, holds, &text).build();
}

fn report<'c>(op: OperationRef<'c, '_>, which: &str, dimension: usize, side: &Operand<'c, '_>, outside: Bounds) {
    let text = format!("copies out of bounds in dimension {dimension}: the {which} {outside}");
    let diagnostic = Diagnostic::error(text);
    match defining_op(side.value) {
        Some(definition) => diagnostic.note(definition.location(), format!("the {which} is {}", side.value.r#type())),
        None => diagnostic,
    }
    .emit(op);
}
