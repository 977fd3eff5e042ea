//! `tile.copy`, `tile.copy_async` and `tile.fill`: regions in bounds, matching sides, known options.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_isa::Red;
use tile_layout::{OPEN, counted};

use super::{asynchronous, hints};
use crate::emit::Diagnostic;
use crate::error::{VerifyError, malformed, mismatch};
use crate::memref::DYNAMIC;
use tile_plan::problem::Request;
use tile_plan::problem::role::Role;

use crate::ops::{CopyOp, Filler, Offset, Operand, WrittenRegion, conversion, defining_op};
use crate::{BufferType, Space};

const OPTIONS: [&str; 5] = ["variant", "cache", "l1_evict", "l2_evict", "prefetch_size"];

/// The op of any request.
pub(crate) fn copy(op: OperationRef<'_, '_>) -> bool {
    match CopyOp(op).request() {
        Some(Request::Copy | Request::CopyAsync) => copied(op),
        Some(Request::Fill) => fill(op),
        None => false,
    }
}

/// `tile.copy` and `tile.copy_async`: regions in bounds, alike on both sides, clauses that fit.
fn copied(op: OperationRef<'_, '_>) -> bool {
    let copy = CopyOp(op);
    let known = if copy.is_async() { &asynchronous::OPTIONS[..] } else { &OPTIONS };
    let requests = || if copy.is_async() { asynchronous::requests(copy) } else { Ok(()) };
    if let Err(reason) = options(op, known).and_then(|()| hints(op)).and_then(|()| requests()) {
        Diagnostic::error(reason).emit(op);
        return false;
    }
    let (Some(src), Some(dst)) = (copy.src(), copy.dst()) else {
        return misshapen(copy, if copy.src().is_none() { Role::Src } else { Role::Dst });
    };
    let masked = copy.masked();
    let sides = bounds("source", &src, masked).map_err(|reason| (reason, &src));
    let sides = sides.and_then(|()| bounds("destination", &dst, masked).map_err(|reason| (reason, &dst)));
    if let Err((reason, side)) = sides {
        with_note(Diagnostic::error(reason), "the buffer", side.value).emit(op);
        return false;
    }
    let fits = conversion(op, src.buffer, dst.buffer).and_then(|_| alike(&src, &dst));
    let fits = fits.and_then(|()| effect(copy, dst.buffer));
    match fits.and_then(|()| copied_filler(copy, dst.buffer)) {
        Ok(()) => true,
        Err(reason) => {
            let diagnostic = with_note(Diagnostic::error(reason), "source", src.value);
            with_note(diagnostic, "destination", dst.value).emit(op);
            false
        }
    }
}

/// `tile.fill`: a region in bounds, a value of the buffer's type.
fn fill(op: OperationRef<'_, '_>) -> bool {
    let copy = CopyOp(op);
    if let Err(reason) = options(op, &["variant"]) {
        Diagnostic::error(reason).emit(op);
        return false;
    }
    let Some(dst) = copy.dst() else { return misshapen(copy, Role::Dst) };
    let fits = bounds("destination", &dst, copy.masked());
    match fits.and_then(|()| filled(copy, dst.buffer)) {
        Ok(()) => true,
        Err(reason) => {
            with_note(Diagnostic::error(reason), "the buffer", dst.value).emit(op);
            false
        }
    }
}

/// Checks a reduction: it has an operator for the elements' type, goes to memory that threads share, and is not filled.
fn effect(copy: CopyOp<'_, '_>, buffer: BufferType<'_>) -> Result<(), VerifyError> {
    let Some(word) = copy.reduce().filter(|_| !copy.is_async()) else { return Ok(()) };
    if copy.filler().is_some() {
        return Err(mismatch!("reduce({word}) and fill"; expected "one of them"));
    }
    Red::of(&word, &buffer.element().to_string())?;
    if matches!(buffer.space(), Space::Global | Space::Shared) {
        return Ok(());
    }
    Err(mismatch!("reduce({word}) to a {} tile", buffer.space().name(); expected "one in global or shared memory"))
}

fn options(op: OperationRef<'_, '_>, known: &[&str]) -> Result<(), VerifyError> {
    for index in 0..op.discardable_attribute_count() {
        let Ok((name, _)) = op.discardable_attribute_at(index) else { continue };
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if !name.contains('.') {
            return Err(mismatch!("unknown option '{name}'"; expected "one of {}", known.join(", ")));
        }
    }
    Ok(())
}

/// Reports a region whose rank or number of offsets does not fit its buffer.
fn misshapen(copy: CopyOp<'_, '_>, side: Role) -> bool {
    let Some(WrittenRegion { buffer, values, offsets: fixed, sizes }) = copy.written(side) else { return false };
    let rank = BufferType::from_type(buffer.r#type()).map_or(0, |buffer| buffer.shape().len());
    let named = fixed.iter().filter(|&&offset| offset == DYNAMIC).count();
    let values = values.len();
    let reason = if fixed.len() == rank && sizes.len() == rank {
        mismatch!("{values} run-time offsets of the {side} region"; expected "{named}, one for each dynamic offset")
    } else {
        mismatch!("{} and {} of the {side} region", counted(fixed.len() as u64, "offset"), counted(sizes.len() as u64, "size");
            expected "{rank} of each, one for each dimension of the buffer")
    };
    Diagnostic::error(reason).emit(copy.0);
    false
}

/// Checks what fills the elements of a copy that are outside.
fn copied_filler(copy: CopyOp<'_, '_>, dst: BufferType<'_>) -> Result<(), VerifyError> {
    match copy.checked_filler()? {
        Some(Filler::Constant(_)) if !copy.masked() => Err(unmasked()),
        given => filler(given.and_then(Filler::value), copy.masked(), dst),
    }
}

/// Checks what fills a tile.
fn filled(copy: CopyOp<'_, '_>, dst: BufferType<'_>) -> Result<(), VerifyError> {
    let given =
        copy.checked_filler()?.ok_or_else(|| mismatch!("nothing to fill with"; expected "a value or a constant"))?;
    given.value().map_or(Ok(()), |value| of_element(value, dst))
}

fn unmasked() -> VerifyError {
    mismatch!("fill of a copy that is not masked"; expected "masked fill")
}

/// Checks that the fill value has the destination's element type, and that there is something to fill.
pub(super) fn filler(filler: Option<Value<'_, '_>>, masked: bool, dst: BufferType<'_>) -> Result<(), VerifyError> {
    let Some(value) = filler else { return Ok(()) };
    if !masked {
        return Err(unmasked());
    }
    of_element(value, dst)
}

fn of_element(value: Value<'_, '_>, dst: BufferType<'_>) -> Result<(), VerifyError> {
    let (got, expected) = (value.r#type(), dst.element());
    if got == expected {
        return Ok(());
    }
    Err(mismatch!("fill of type {got}"; expected "{expected}, the destination's elements"))
}

fn bounds(name: &'static str, operand: &Operand<'_, '_>, masked: bool) -> Result<(), VerifyError> {
    if let Some(dimension) = operand.region.sizes.iter().position(|&size| size == OPEN) {
        return Err(
            mismatch!("no {name} region of a buffer whose extent in dimension {dimension} is a run-time value";
            expected "one: [offsets] [sizes]"),
        );
    }
    let region = operand.region.offsets.iter().zip(&operand.region.sizes);
    for (dimension, ((offset, &size), &extent)) in region.zip(operand.buffer.shape()).enumerate() {
        if size < 1 {
            return Err(malformed!("{name} region has size {size} in dimension {dimension}"; expected "at least 1"));
        }
        let begin = match offset {
            Offset::Constant(begin) => *begin,
            Offset::Value(_) => 0,
        };
        if masked {
            if begin.checked_add(size).is_none() {
                return Err(VerifyError::RegionEnd { name, begin, dimension });
            }
            continue;
        }
        if extent == OPEN {
            if begin < 0 || begin.checked_add(size).is_none() {
                return Err(malformed!("{name} region begins at {begin} in dimension {dimension}";
                    expected "0 or more"));
            }
            continue;
        }
        if begin < 0 || begin > extent || size > extent - begin {
            let end = begin.saturating_add(size);
            return Err(malformed!("{name} region is out of bounds: got [{begin}, {end}) in dimension {dimension}";
                expected "within [0, {extent})"));
        }
    }
    Ok(())
}

fn alike(src: &Operand<'_, '_>, dst: &Operand<'_, '_>) -> Result<(), VerifyError> {
    if src.region.extents() != dst.region.extents() {
        let (src, dst) = (src.region.sizes.clone(), dst.region.sizes.clone());
        return Err(VerifyError::Extents { src, dst });
    }
    Ok(())
}

fn with_note<'c>(diagnostic: Diagnostic<'c>, what: &str, value: Value<'c, '_>) -> Diagnostic<'c> {
    let Some(definition) = defining_op(value) else { return diagnostic };
    diagnostic.note(definition.location(), format!("{what} is {}", value.r#type()))
}
