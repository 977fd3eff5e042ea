//! Reading attributes and operands of ops whose verifier has run.

use std::ops::Range;

use crate::error::VerifyError;
use crate::ir::Parts;
use melior::ir::attribute::{
    DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute,
};
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, AttributeLike, OperationRef, TypeLike, Value};
use tile_isa::{Cache, Conversion};

use crate::memref::bit_width;
use crate::{BufferType, Space, shim};

/// The integer attribute `name`.
pub fn integer(op: OperationRef<'_, '_>, name: &str) -> Option<i64> {
    Some(IntegerAttribute::try_from(op.attribute(name).ok()?).ok()?.value())
}

/// The string attribute `name`; invalid UTF-8 in it is replaced.
pub fn string(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    text_of(op.attribute(name).ok()?)
}

/// The text of a string attribute; invalid UTF-8 in it is replaced.
pub fn text_of(attribute: Attribute<'_>) -> Option<String> {
    let attribute = StringAttribute::try_from(attribute).ok()?;
    // SAFETY: the attribute is a string, which lives as long as its context. melior's accessor accepts neither an empty
    // string nor invalid UTF-8.
    let bytes = unsafe { crate::shim::bytes(mlir_sys::mlirStringAttrGetValue(attribute.to_raw())) };
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// The symbol that attribute `name` refers to; invalid UTF-8 in it is replaced.
pub fn symbol(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    let attribute = FlatSymbolRefAttribute::try_from(op.attribute(name).ok()?).ok()?;
    // SAFETY: the attribute is a symbol, whose text lives as long as its context.
    let bytes = unsafe { crate::shim::bytes(mlir_sys::mlirFlatSymbolRefAttrGetValue(attribute.to_raw())) };
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// The conversion of a copy's elements, from its buffers' types and its `convert`; `None` where none are converted.
///
/// From shared to tensor memory, integers of the width of the other element are moved bit for bit: there, integers are
/// containers of bits (of `f8E4M3FN`, say), and no instruction converts.
///
/// # Errors
/// Types that do not convert into each other, or a word that does not fit: got and expected.
pub fn conversion(
    op: OperationRef<'_, '_>,
    src: BufferType<'_>,
    dst: BufferType<'_>,
) -> Result<Option<Conversion>, VerifyError> {
    let (from, to) = (src.element(), dst.element());
    let word = string(op, "convert");
    let is_container = || {
        let integer = from.is_integer() || to.is_integer();
        let tensor = (src.space(), dst.space()) == (Space::Shared, Space::Tmem);
        tensor && integer && bit_width(from) == bit_width(to)
    };
    if word.is_none() && (from == to || is_container()) {
        return Ok(None);
    }
    Ok(Conversion::of(&from.to_string(), &to.to_string(), word.as_deref())?)
}

/// The cache hints of a copy, whose names are the same on all ops.
///
/// # Errors
/// An unknown word: got and expected.
pub fn cache(op: OperationRef<'_, '_>) -> Result<Cache, VerifyError> {
    let given: Vec<_> = Cache::OPTIONS.into_iter().filter_map(|name| Some((name, string(op, name)?))).collect();
    let options = given.iter().map(|(name, value)| (*name, value.as_str()));
    Ok(Cache::from_options(options)?)
}

/// The list of integers `name`; empty when there is none.
pub fn integers(op: OperationRef<'_, '_>, name: &str) -> Vec<i64> {
    op.attribute(name).map(list).unwrap_or_default()
}

fn list(attribute: Attribute<'_>) -> Vec<i64> {
    let Ok(array) = DenseI64ArrayAttribute::try_from(attribute) else { return Vec::new() };
    (0..array.len()).filter_map(|i| array.element(i).ok()).collect()
}

/// The operands of group `index` of an op with `AttrSizedOperandSegments`.
pub fn segment<'c, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Vec<Value<'c, 'a>> {
    places(op, index).filter_map(|i| op.operand_at(i)).collect()
}

/// The positions of the operands of group `index` among all.
pub fn places(op: OperationRef<'_, '_>, index: usize) -> Range<usize> {
    let range = |size: &dyn Fn(usize) -> i32| {
        let size = |group| size(group).max(0) as usize;
        let start = (0..index).map(size).sum::<usize>();
        start..start + size(index)
    };
    // SAFETY: the op is alive, and not changed while the sizes are read.
    let segments = unsafe {
        let shim::Segments { sizes, count } = shim::tileOperandSegments(op.to_raw());
        if count == 0 { &[] } else { std::slice::from_raw_parts(sizes, count as usize) }
    };
    if !segments.is_empty() {
        return range(&|group| segments.get(group).copied().unwrap_or(0));
    }
    let sizes = op.attribute("operandSegmentSizes").ok().and_then(|sizes| DenseI32ArrayAttribute::try_from(sizes).ok());
    sizes.map_or(0..0, |sizes| range(&|group| sizes.element(group).unwrap_or(0)))
}
