//! `tile.copy`, `tile.copy_async` and `tile.scalar_copy`: regions in bounds, both sides alike, known options.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};

use super::asynchronous;
use crate::emit::Diagnostic;
use crate::ops::{CopyOp, Offset, Operand, defining_op};

const OPTIONS: [&str; 5] = ["variant", "cache", "l1_evict", "l2_evict", "prefetch_size"];

/// The op, and the op around an operand for a note.
pub(crate) fn copy(op: OperationRef<'_, '_>) -> bool {
    let copy = CopyOp(op);
    let known = if copy.is_async() { &asynchronous::OPTIONS[..] } else { &OPTIONS };
    let wishes = || if copy.is_async() { asynchronous::wishes(copy) } else { Ok(()) };
    if let Err(reason) = options(op, known).and_then(|()| wishes()) {
        Diagnostic::error(reason).emit(op);
        return false;
    }
    let (Some(src), Some(dst)) = (copy.src(), copy.dst()) else {
        return misshapen(op, copy.src().is_none());
    };
    let sides = bounds("source", &src).map_err(|reason| (reason, &src));
    if let Err((reason, side)) = sides.and_then(|()| bounds("destination", &dst).map_err(|reason| (reason, &dst))) {
        with_note(Diagnostic::error(reason), "the buffer", side.value).emit(op);
        return false;
    }
    match alike(&src, &dst) {
        Ok(()) => true,
        Err(reason) => {
            let diagnostic = with_note(Diagnostic::error(reason), "source", src.value);
            with_note(diagnostic, "destination", dst.value).emit(op);
            false
        }
    }
}

fn options(op: OperationRef<'_, '_>, known: &[&str]) -> Result<(), String> {
    for index in 0..op.discardable_attribute_count() {
        let Ok((name, _)) = op.discardable_attribute_at(index) else { continue };
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if !name.contains('.') {
            return Err(format!("got unknown option '{name}', expected one of {}", known.join(", ")));
        }
    }
    Ok(())
}

fn misshapen(op: OperationRef<'_, '_>, source: bool) -> bool {
    let side = if source { "source" } else { "destination" };
    Diagnostic::error(format!("got a {side} region whose offsets or sizes are not one per dimension of the buffer"))
        .emit(op);
    false
}

fn bounds(name: &str, operand: &Operand<'_, '_>) -> Result<(), String> {
    let region = operand.region.offsets.iter().zip(&operand.region.sizes);
    for (dimension, ((offset, &size), &extent)) in region.zip(operand.buffer.shape()).enumerate() {
        if size < 1 {
            return Err(format!("{name} region has size {size} in dimension {dimension}, expected at least 1"));
        }
        let begin = match offset {
            Offset::Constant(begin) => *begin,
            Offset::Value(_) => 0,
        };
        if begin < 0 || begin > extent || size > extent - begin {
            let end = begin.saturating_add(size);
            return Err(format!(
                "{name} region is out of bounds: got [{begin}, {end}) in dimension {dimension}, expected within [0, {extent})"
            ));
        }
    }
    Ok(())
}

fn alike(src: &Operand<'_, '_>, dst: &Operand<'_, '_>) -> Result<(), String> {
    if src.buffer.element() != dst.buffer.element() {
        return Err(format!(
            "copies one element type: got {} from the source, {} in the destination",
            src.buffer.element(),
            dst.buffer.element()
        ));
    }
    if src.region.extents() != dst.region.extents() {
        return Err(format!(
            "regions differ in extents other than 1: got {:?} from the source, {:?} in the destination",
            src.region.sizes, dst.region.sizes
        ));
    }
    Ok(())
}

fn with_note<'c>(diagnostic: Diagnostic<'c>, what: &str, value: Value<'c, '_>) -> Diagnostic<'c> {
    let Some(definition) = defining_op(value) else { return diagnostic };
    diagnostic.note(definition.location(), format!("{what} is {}", value.r#type()))
}
